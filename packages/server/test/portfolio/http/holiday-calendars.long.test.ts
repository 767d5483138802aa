import { operator } from "@curtail/contract";
import { calendarNames } from "@curtail/holidays";
import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { newDispatch } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import {
  anna,
  change,
  create,
  datesOf,
  holidays,
  invented,
  prepare,
  service,
  storedBefore,
} from "../../support/holiday-calendars.js";
import { measuredProgram } from "../../support/measuring.js";

beforeAll(prepare);

describe("a program with a calendar", () => {
  test("keeps days that were made by hand when it gets one, and its days when it loses it", async () => {
    const byHand = await create({ holidays: ["2026-08-14", "2026-12-25"] });
    expect(await holidays(byHand.id)).toMatchObject({ holiday_calendar: null, version: null, update: null });
    const withOne = await change(byHand.id, { holiday_calendar: "NERC" });
    expect(withOne.added_holidays).toEqual(["2026-08-14"]);
    expect(withOne.holidays).toEqual([...datesOf("NERC", 2025, 2027), "2026-08-14"].toSorted());
    const without = await change(byHand.id, { holiday_calendar: null });
    expect(without).toMatchObject({ holidays: withOne.holidays, holiday_calendar: null, added_holidays: [] });
  });

  test("is repeated without a change, and refuses what contradicts it", async () => {
    const {
      id,
      created_at: _,
      ...program
    } = await create({ holiday_calendar: "DE-BY", removed_holidays: ["2026-08-15"] });
    expect(await change(id, program)).toMatchObject(program);
    const refused = async (body: object, message: RegExp) =>
      expectError(await service.operator(operator.changeProgram, { params: { id }, body }), 400, message);
    await refused({ holidays: ["2026-01-01"] }, /added_holidays and removed_holidays/);
    await refused({ added_holidays: ["2026-08-15"] }, /2026-08-15 is in added_holidays and removed_holidays/);
    await refused({ added_holidays: ["2026-13-01"] }, /added_holidays/);
    await refused({ removed_holidays: Array.from({ length: 301 }, () => "2026-01-01") }, /removed_holidays/);
    await refused({ holiday_calendar: "DE-BX" }, /DE-BY/);
    const { id: other } = await create({ holidays: ["2026-08-14"] });
    expectError(
      await service.operator(operator.changeProgram, {
        params: { id: other },
        body: { removed_holidays: ["2026-01-01"] },
      }),
      400,
      /holiday_calendar/,
    );
  });

  test("has in any order of corrections the days of the library, with what is added and without what is removed", async () => {
    const codes = calendarNames().map(({ code }) => code);
    const { id } = await create({});
    const date = fc.date({ min: new Date("2025-01-01"), max: new Date("2027-12-31"), noInvalidDate: true });
    const dates = fc.array(date, { maxLength: 5 }).map((all) => all.map((each) => each.toISOString().slice(0, 10)));
    const model = { code: null as string | null, added: [] as string[], removed: [] as string[] };
    const step = fc.oneof(
      fc.constantFrom(...codes).map((code) => ({ holiday_calendar: code, added_holidays: [], removed_holidays: [] })),
      dates.map((added_holidays) => ({ added_holidays })),
      // Of the calendar, so that most remove something.
      fc.tuple(fc.nat(), dates).map(([at, others]) => ({ at, others })),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...codes), fc.array(step, { maxLength: 4 }), async (first, steps) => {
        for (const each of [{ holiday_calendar: first, added_holidays: [], removed_holidays: [] }, ...steps]) {
          const known = model.code === null ? [] : datesOf(model.code, 2025, 2027);
          const asked =
            "at" in each ? { removed_holidays: [...each.others, ...known.slice(each.at % (known.length + 1))] } : each;
          const wanted = {
            code: "holiday_calendar" in asked ? asked.holiday_calendar : model.code,
            added: "added_holidays" in asked ? asked.added_holidays : model.added,
            removed: "removed_holidays" in asked ? asked.removed_holidays : model.removed,
          };
          const { status, body } = await service.operator("PATCH", `/programs/${id}`, asked);
          if (wanted.added.some((day) => wanted.removed.includes(day))) {
            expect(status).toBe(400);
            continue;
          }
          Object.assign(model, wanted);
          const counted = datesOf(model.code ?? "", 2025, 2027).filter((day) => !model.removed.includes(day));
          expect(body.holidays).toEqual([...new Set([...counted, ...model.added])].toSorted());
          expect(await holidays(id)).toMatchObject({ update: null });
        }
      }),
      { numRuns: propertyRuns(3, { atMost: 8 }) },
    );
  }, 120_000);
});

const daysOfDispatch = async (dispatch: string) =>
  (await service.database.pool.query("select holidays from dispatches where id = $1", [dispatch])).rows[0].holidays;

describe("a newer version of the library", () => {
  test("leaves the days of dispatches that exist as they were", async () => {
    const id = await measuredProgram(service, [anna], { holiday_calendar: "NERC", timezone: "America/New_York" });
    await storedBefore(id, (days) => [...days, invented("2026-08-03")]);
    const first = await newDispatch(service, id);
    const kept = await daysOfDispatch(first.id);
    expect(kept).toContain("2026-08-03");
    const { update } = await holidays(id);
    const seen = { version: update?.version ?? "", to_year: update?.to_year ?? 0 };
    await service.made(operator.confirmHolidays, { params: { id }, body: seen });
    await change(id, { added_holidays: ["2026-08-04"] });
    const second = await newDispatch(service, id);
    expect(await daysOfDispatch(first.id)).toEqual(kept);
    expect(await daysOfDispatch(second.id)).toEqual([...datesOf("NERC", 2025, 2027), "2026-08-04"].toSorted());
  });

  test("that lacks a calendar leaves it as it is", async () => {
    const { id } = await create({ holiday_calendar: "NERC" });
    await service.database.pool.query(
      `update programs set holiday_calendar = holiday_calendar || '{"code": "XX-GONE"}' where id = $1`,
      [id],
    );
    expect(await holidays(id)).toMatchObject({ holiday_calendar: "XX-GONE", update: null });
    expect((await change(id, { name: "Peak 3" })).holidays).toEqual(datesOf("NERC", 2025, 2027));
  });
});
