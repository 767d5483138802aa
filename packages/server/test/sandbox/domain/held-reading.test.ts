import { describe, expect, test } from "vitest";
import { heldFrom, heldPoints } from "../../../src/sandbox/domain/held-reading.js";
import { finalAt, firstLookAt } from "../../../src/sandbox/domain/report.js";
import type { Scenario } from "../../../src/sandbox/domain/scenario.js";

const NOW_MS = Date.UTC(2026, 0, 1);
const at = (minutes: number): Date => new Date(NOW_MS + minutes * 60_000);
const now = at(0);
const point = (minutes: number, siteId = "fixed", powerKw = 1) => ({ siteId, atMs: at(minutes).getTime(), powerKw });
const fixed = new Set(["fixed"]);

/** Notified an hour ago, from half an hour ago until in half an hour. */
const run = {
  speed: 1,
  replacedAt: null,
  dispatches: [[{ start: at(-30), end: at(30), changedAt: at(-60), authorized: true }]],
} as unknown as Scenario;

describe("readings that are held", () => {
  test("are those of the last 11 minutes for the sites that any scenario may name", () => {
    const points = [point(-11), point(-10.99), point(5), point(0, "made up"), point(-10, "made up")];
    expect(heldPoints(points, { run: null, fixed, now })).toEqual([point(-10.99), point(5)]);
    expect(heldFrom([], now)).toEqual(at(-11));
  });

  test("are those of all sites from before the notice until the end of the current run", () => {
    const [first, last] = [firstLookAt(run), finalAt(run)].map((each) => (each.getTime() - NOW_MS) / 60_000);
    const within = [point((first ?? 0) + 0.01), point(-40, "made up"), point(last ?? 0, "made up")];
    const outside = [point(first ?? 0, "made up"), point((last ?? 0) + 0.01, "made up")];
    expect(heldPoints([...within, ...outside], { run, fixed, now })).toEqual(within);
    expect(heldFrom([run], now)).toEqual(firstLookAt(run));
  });

  test("are not of a run that is over", () => {
    const replaced = { ...run, replacedAt: at(-20) };
    expect(heldPoints([point(-30, "made up"), point(-30)], { run: replaced, fixed, now })).toEqual([]);
    // But for its report, until it is made.
    expect(heldFrom([replaced, run], now)).toEqual(firstLookAt(run));
  });

  test("are the last of each timestamp of a site", () => {
    const points = [point(-1), point(-1, "fixed", 7), point(-2)];
    expect(heldPoints(points, { run: null, fixed, now })).toEqual([point(-1, "fixed", 7), point(-2)]);
  });
});
