import { describe, expect, test } from "vitest";
import { aheadAndOver, lastsAt, monthsOf } from "../../src/rules/availability.js";
import { monthAfter, weeksOf } from "../../src/rules/calendar.js";

const CHICAGO = "America/Chicago";
const block = (start_time: string, end_time: string) => ({ start_time, end_time });

describe("a block", () => {
  const one = block("2026-07-01T18:00:00Z", "2026-07-01T20:00:00Z");

  test("lasts from its start until just before its end", () => {
    const times = ["17:59:59", "18:00:00", "19:59:59", "20:00:00"];
    expect(times.map((time) => lastsAt(one, new Date(`2026-07-01T${time}Z`)))).toEqual([false, true, true, false]);
  });

  test("that lasts or comes stands soonest first, one that is over latest first", () => {
    const [june, may] = [
      block("2026-06-01T00:00:00Z", "2026-06-02T00:00:00Z"),
      block("2026-05-01T00:00:00Z", "2026-05-02T00:00:00Z"),
    ];
    const august = block("2026-08-01T00:00:00Z", "2026-08-02T00:00:00Z");
    const found = aheadAndOver([may, august, one, june], new Date("2026-07-01T19:00:00Z"));
    expect(found).toEqual({ ahead: [one, august], over: [june, may] });
  });

  test("belongs to the month in which it begins on the site's clocks", () => {
    const blocks = [
      block("2026-08-01T04:59:00Z", "2026-08-03T00:00:00Z"),
      block("2026-08-01T05:00:00Z", "2026-08-02T00:00:00Z"),
    ];
    expect([...monthsOf(blocks, CHICAGO).keys()]).toEqual(["July 2026", "August 2026"]);
  });
});

const lengths = (month: string) =>
  weeksOf(month, [], CHICAGO)
    .flat()
    .map((day) => (day?.lengthMs ?? 0) / 3_600_000);

describe("a month's sheet", () => {
  test("begins on Monday and leaves out the days of the months beside it", () => {
    const weeks = weeksOf("2026-07", [], CHICAGO);
    expect(weeks.length).toBe(5);
    expect(weeks[0]?.map((day) => day?.date ?? null)).toEqual([
      null,
      null,
      "2026-07-01",
      "2026-07-02",
      "2026-07-03",
      "2026-07-04",
      "2026-07-05",
    ]);
    expect(weeks[4]?.map((day) => day?.date ?? null).slice(4)).toEqual(["2026-07-31", null, null]);
  });

  test("counts what blocks cover of each day, no more than the day where they overlap", () => {
    const blocks = [
      block("2026-07-01T05:00:00Z", "2026-07-02T05:00:00Z"),
      block("2026-07-01T18:00:00Z", "2026-07-02T06:00:00Z"),
    ];
    const [, , first, second] = weeksOf("2026-07", blocks, CHICAGO)[0] ?? [];
    expect(first).toEqual({ date: "2026-07-01", blockedMs: 86_400_000, lengthMs: 86_400_000 });
    expect(second?.blockedMs).toBe(3_600_000);
  });

  test("has days of 23 and 25 hours where clocks change", () => {
    expect(lengths("2026-03").filter((hours) => hours === 23).length).toBe(1);
    expect(lengths("2026-11").filter((hours) => hours === 25).length).toBe(1);
  });

  test("leads to the months beside it, over the end of a year too", () => {
    expect([monthAfter("2026-11", 1), monthAfter("2026-12", 1), monthAfter("2026-01", -1)]).toEqual([
      "2026-12",
      "2027-01",
      "2025-12",
    ]);
  });
});
