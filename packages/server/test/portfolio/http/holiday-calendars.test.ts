import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import {
  change,
  create,
  datesOf,
  holidays,
  invented,
  peak,
  prepare,
  service,
  storedBefore,
} from "../../support/holiday-calendars.js";

beforeAll(prepare);

const shown = (code: string, query = {}) => service.operator(operator.getHolidayCalendar, { params: { code }, query });

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
});

const isMissing = (date: string) => date === "2026-02-16" || date === "2026-11-11";

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
});
