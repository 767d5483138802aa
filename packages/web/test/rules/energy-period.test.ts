import { describe, expect, test } from "vitest";
import { intervalName, periodOf } from "../../src/rules/energy-period.js";

const CHICAGO = "America/Chicago";
const now = new Date("2026-11-20T15:02:30Z");
const shown = (search: Parameters<typeof periodOf>[0], at = now) => {
  const period = periodOf(search, CHICAGO, at);
  return period === null ? null : [period.start.toISOString(), period.end.toISOString()];
};

describe("the period of an address", () => {
  test("is today on the site's clocks unless it says otherwise, until the next full minute", () => {
    const today = ["2026-11-20T06:00:00.000Z", "2026-11-20T15:03:00.000Z"];
    expect(shown({})).toEqual(today);
    expect(shown({ period: "today" })).toEqual(today);
  });

  test("is yesterday from midnight to midnight, also where the clocks changed in between", () => {
    expect(shown({ period: "yesterday" })).toEqual(["2026-11-19T06:00:00.000Z", "2026-11-20T06:00:00.000Z"]);
    const dayAfterChange = new Date("2026-11-02T12:00:00Z");
    expect(shown({ period: "yesterday" }, dayAfterChange)).toEqual([
      "2026-11-01T05:00:00.000Z",
      "2026-11-02T06:00:00.000Z",
    ]);
  });

  test("of days back counts today, until the next quarter of an hour", () => {
    const end = "2026-11-20T15:15:00.000Z";
    expect(shown({ period: "7d" })).toEqual(["2026-11-14T06:00:00.000Z", end]);
    expect(shown({ period: "30d" })).toEqual(["2026-10-22T05:00:00.000Z", end]);
    expect(shown({ period: "year" })).toEqual(["2025-11-21T06:00:00.000Z", end]);
  });

  test("is the part that was chosen on the chart, before anything else", () => {
    const [zoomFrom, zoomTo] = ["2026-11-20T10:00:00.000Z", "2026-11-20T11:00:00.000Z"];
    expect(shown({ period: "7d", zoomFrom, zoomTo })).toEqual([zoomFrom, zoomTo]);
  });

  test("is none where from and to are missing, or turned around", () => {
    const [from, to] = ["2026-11-20T10:00:00.000Z", "2026-11-20T11:00:00.000Z"];
    expect(shown({ period: "custom", from, to })).toEqual([from, to]);
    expect(shown({ period: "custom", from: to, to: from })).toBeNull();
    expect(shown({ period: "custom", from })).toBeNull();
  });
});

test("an interval is named in the largest unit that fits", () => {
  expect([30, 60, 900, 3600, 21_600, 86_400].map(intervalName)).toEqual([
    "30 s",
    "1 min",
    "15 min",
    "1 h",
    "6 h",
    "1 day",
  ]);
});
