import { describe, expect, test } from "vitest";
import { aheadAndOver, lastsAt, monthsOf } from "../../src/rules/availability.js";
import { availabilityWeeks } from "../../src/rules/availability-day.js";
import { monthAfter } from "../../src/rules/calendar.js";

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

const SITE = [{ id: "site_1", timezone: CHICAGO }];
const ofSite = (start_time: string, end_time: string) => ({
  ...block(start_time, end_time),
  site_id: "site_1",
  available_kw: null,
});

describe("a month's sheet", () => {
  test("begins on Monday and leaves out the days of the months beside it", () => {
    const weeks = availabilityWeeks("2026-07", [], SITE);
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

  test("has a day as a whole where overlapping blocks cover it, and another in part", () => {
    const blocks = [
      ofSite("2026-07-01T05:00:00Z", "2026-07-01T20:00:00Z"),
      ofSite("2026-07-01T18:00:00Z", "2026-07-02T06:00:00Z"),
    ];
    const [, , first, second, third] = availabilityWeeks("2026-07", blocks, SITE)[0] ?? [];
    expect([first, second, third]).toMatchObject([{ off: 1 }, { off: 0, part: 1 }, { off: 0, part: 0 }]);
  });

  test("has days of 23 and 25 hours where clocks change", () => {
    const long = ofSite("2026-11-01T05:00:00Z", "2026-11-02T05:00:00Z");
    const [first] = availabilityWeeks("2026-11", [long], SITE)
      .flat()
      .filter((day) => day?.date === "2026-11-01");
    expect(first).toMatchObject({ off: 0, part: 1 });
    const short = ofSite("2026-03-08T06:00:00Z", "2026-03-09T05:00:00Z");
    const spring = availabilityWeeks("2026-03", [short], SITE)
      .flat()
      .find((day) => day?.date === "2026-03-08");
    expect(spring).toMatchObject({ off: 1, part: 0 });
  });

  test("leads to the months beside it, over the end of a year too", () => {
    expect([monthAfter("2026-11", 1), monthAfter("2026-12", 1), monthAfter("2026-01", -1)]).toEqual([
      "2026-12",
      "2027-01",
      "2025-12",
    ]);
  });
});
