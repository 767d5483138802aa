import { expect, test } from "vitest";
import { siteReadings } from "../../../src/oversight/domain/overview.js";

const now = new Date("2026-06-10T18:00:00Z");
const ago = (ms: number, powerKw = 10) => ({ at: new Date(now.getTime() - ms), powerKw });
const QUARTER_MS = 15 * 60_000;
const WEEK_MS = 7 * 86_400_000;

test("a site without readings is stale and has no load", () => {
  expect(siteReadings([], now)).toEqual({ loadKw: null, lastAt: null, isStale: true });
});

test("a meter streams until its newest reading is 15 minutes old", () => {
  expect(siteReadings([ago(QUARTER_MS - 1)], now)).toMatchObject({ loadKw: 10, isStale: false });
  expect(siteReadings([ago(QUARTER_MS)], now)).toMatchObject({ loadKw: null, isStale: true });
});

test("a silent meter makes its site stale for 7 days, and its load is that of the others", () => {
  expect(siteReadings([ago(0), ago(QUARTER_MS)], now)).toMatchObject({ loadKw: 10, isStale: true });
  expect(siteReadings([ago(0), ago(WEEK_MS - 1)], now)).toMatchObject({ loadKw: 10, isStale: true });
  expect(siteReadings([ago(0), ago(WEEK_MS)], now)).toMatchObject({ loadKw: 10, isStale: false });
});

test("what generators export lowers the load, and a reading ahead of the clock counts", () => {
  expect(siteReadings([ago(0, 100), ago(-60_000, -130)], now)).toEqual({
    loadKw: -30,
    lastAt: new Date(now.getTime() + 60_000),
    isStale: false,
  });
});
