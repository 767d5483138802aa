import { operator } from "@curtail/contract";
import { calendarNames, daysOf } from "@curtail/holidays";
import { propertyRuns } from "@curtail/testing/property-runs";
import { wireProgram } from "@curtail/testing/wire-forms";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { newDispatch } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { measuredProgram } from "../../support/measuring.js";
import { type Participant, type Running, running } from "../../support/running.js";

let service: Running;
let anna: Participant;

beforeAll(async () => {
  service = await running({}, { startsAt: new Date("2026-06-15T12:00:00Z") });
  anna = await service.newParticipant();
});

const peak = wireProgram({ timezone: "America/Los_Angeles", market: "CAISO" });
const create = (body: object) => service.made(operator.createProgram, { body: { ...peak, ...body } });
const change = (id: string, body: object) => service.made(operator.changeProgram, { params: { id }, body });
const holidays = (id: string) => service.made(operator.getProgramHolidays, { params: { id } });
const datesOf = (code: string, from: number, to: number): string[] => {
  const found = daysOf(code, [from, to]);
  return "days" in found ? found.days.map(({ date }) => date) : [];
};

describe("a calendar of holidays", () => {
  test("is listed, and shows its days, names, source and version", async () => {
    const { items } = await service.made(operator.listHolidayCalendars, {});
    expect(items[0]).toMatchObject({ code: "NERC" });
    expect(items).toContainEqual({ code: "US-CA", name: "United States of America, California" });
    expect(items.length).toBeGreaterThan(600);
    const calendar = await service.made(operator.getHolidayCalendar, { params: { code: "de-by" } });
    expect(calendar).toMatchObject({ code: "DE-BY", name: "Germany, Bayern", from_year: 2026, to_year: 2027 });
    expect(calendar.version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(calendar.days).toContainEqual({ date: "2026-04-03", name: "Good Friday", local_name: "Karfreitag" });
  });

  test("that does not exist is refused with the nearest codes, and years are bounded", async () => {
    const shown = (code: string, query = {}) =>
      service.operator(operator.getHolidayCalendar, { params: { code }, query });
    expectError(await shown("US-KA"), 404, /US-CA/);
    expectError(await shown("US", { from_year: 1999 }), 400, /from_year/);
    expectError(await shown("US", { to_year: 2061 }), 400, /to_year/);
    expectError(await shown("US", { from_year: 2026, to_year: 2025 }), 400, /give 2026 to 2030/);
    expectError(await shown("US", { from_year: 2026, to_year: 2031 }), 400, /give 2026 to 2030/);
    expect((await shown("US", { from_year: 2026, to_year: 2030 })).status).toBe(200);
    expect((await shown("US", { from_year: 2060 })).body).toMatchObject({ from_year: 2060, to_year: 2060 });
    const body = { ...peak, holiday_calendar: "Kalifornia" };
    expectError(await service.operator(operator.createProgram, { body }), 400, /holiday_calendar.*US-CA/);
  });
});

describe("a program with a calendar", () => {
  test("has its days of the year before, this one and the next, corrected by hand", async () => {
    const body = { holiday_calendar: "us-ca", added_holidays: ["2026-07-02"], removed_holidays: ["2026-03-31"] };
    const program = await create(body);
    const dates = datesOf("US-CA", 2025, 2027);
    const expected = [...dates.filter((date) => date !== "2026-03-31"), "2026-07-02"].toSorted();
    expect(program).toMatchObject({ ...body, holiday_calendar: "US-CA", holidays: expected });
    const shown = await holidays(program.id);
    expect(shown).toMatchObject({ holiday_calendar: "US-CA", from_year: 2025, to_year: 2027, update: null });
    const of = (date: string) => shown.days.find((day) => day.date === date);
    expect(of("2026-07-02")).toEqual({ date: "2026-07-02", name: null, local_name: null, origin: "added" });
    expect(of("2026-03-31")).toMatchObject({ name: "César Chávez Day", origin: "removed" });
    expect(of("2026-07-03")).toMatchObject({ name: "Independence Day (substitute day)", origin: "calendar" });
  });

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

/** As an older version of the library had given it. */
const storedBefore = async (id: string, edit: (days: { readonly date: string }[]) => unknown[]): Promise<void> => {
  const { pool } = service.database;
  const { rows } = await pool.query("select holiday_calendar as calendar, holidays from programs where id = $1", [id]);
  const { calendar } = rows[0];
  const days = edit(calendar.days) as { readonly date: string }[];
  await pool.query("update programs set holiday_calendar = $2, holidays = $3 where id = $1", [
    id,
    JSON.stringify({ ...calendar, version: "3.20.0", days }),
    JSON.stringify(days.map(({ date }) => date).toSorted()),
  ]);
};

const isMissing = (date: string) => date === "2026-02-16" || date === "2026-11-11";
const invented = (date: string) => ({ date, name: "Founders' Day", localName: "Founders' Day" });

describe("a newer version of the library", () => {
  test("changes nothing until an operator confirms the differences, and never days that have passed", async () => {
    const { id } = await create({ holiday_calendar: "US-CA" });
    // A day too few and one too many on both sides of today, June 15.
    await storedBefore(id, (days) => [
      ...days.filter(({ date }) => !isMissing(date)),
      invented("2026-02-10"),
      invented("2026-10-12"),
    ]);
    const before = (await service.made(operator.getProgram, { params: { id } })).holidays;
    const { version, update } = await holidays(id);
    expect(version).toBe("3.20.0");
    expect(update?.days).toEqual([
      { date: "2026-10-12", name: "Founders' Day", local_name: "Founders' Day", change: "remove" },
      { date: "2026-11-11", name: "Veterans Day", local_name: "Veterans Day", change: "add" },
    ]);
    expect((await change(id, { holiday_calendar: "US-CA", name: "Peak 2" })).holidays).toEqual(before);
    const seen = { version: update?.version ?? "", to_year: update?.to_year ?? 0 };
    const confirm = (body: typeof seen) => service.operator(operator.confirmHolidays, { params: { id }, body });
    expectError(await confirm({ ...seen, version: "3.20.0" }), 400, /look at it/);
    expectError(await confirm({ ...seen, to_year: 2028 }), 400, /look at it/);
    const confirmed = await confirm(seen);
    expect(confirmed.body).toMatchObject({ version: seen.version, update: null });
    const after = (await service.made(operator.getProgram, { params: { id } })).holidays;
    expect(after).toEqual([...before.filter((date) => date !== "2026-10-12"), "2026-11-11"].toSorted());
    expectError(await confirm(seen), 400, /up to date/);
    const [entry] = (await service.made(operator.listAudit, { query: { limit: 1 } })).items;
    expect(entry).toMatchObject({
      action: "program.change",
      before: { holiday_calendar_version: "3.20.0" },
      after: { holiday_calendar: "US-CA", holiday_calendar_version: seen.version, holidays: after },
    });
  });

  test("leaves the days of dispatches that exist as they were", async () => {
    const id = await measuredProgram(service, [anna], { holiday_calendar: "NERC", timezone: "America/New_York" });
    await storedBefore(id, (days) => [...days, invented("2026-08-03")]);
    const daysOfDispatch = async (dispatch: string) =>
      (await service.database.pool.query("select holidays from dispatches where id = $1", [dispatch])).rows[0].holidays;
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
