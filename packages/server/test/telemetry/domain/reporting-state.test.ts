import { expect, test } from "vitest";
import { reportingState } from "../../../src/telemetry/domain/reporting-state.js";

const now = new Date("2026-06-10T18:00:00Z");
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
const WEEK = 7 * 24 * 60;

test("a site is stale without a reading in the last 15 minutes, by all of its meters", () => {
  expect(reportingState([], now)).toEqual({ lastReadingAt: null, staleMeters: 0, isStale: true });
  expect(reportingState([null, null], now)).toEqual({ lastReadingAt: null, staleMeters: 2, isStale: true });
  expect(reportingState([ago(15), null], now)).toEqual({ lastReadingAt: ago(15), staleMeters: 2, isStale: true });
});

test("a meter that fell silent within a week makes its site stale; one that never reported does not", () => {
  expect(reportingState([ago(1), ago(14.9), null], now)).toEqual({
    lastReadingAt: ago(1),
    staleMeters: 0,
    isStale: false,
  });
  expect(reportingState([ago(1), ago(15), ago(WEEK)], now)).toMatchObject({ staleMeters: 2, isStale: true });
  expect(reportingState([ago(1), ago(WEEK + 1)], now)).toMatchObject({ staleMeters: 0, isStale: false });
});
