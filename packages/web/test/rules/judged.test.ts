import { describe, expect, test } from "vitest";
import { deliveredShare, shareTone } from "../../src/rules/delivered-share.js";
import { aroundDispatch, dispatchedUntil, isDispatchedIn, whyNothing } from "../../src/rules/judged.js";

const [start_time, end_time] = ["2026-07-01T18:00:00Z", "2026-07-01T19:00:00Z"];
const cell = (time: string) => ({ timestamp: `2026-07-01T${time}Z` });

describe("what was delivered over what was committed", () => {
  test("is not known where nothing is measured or committed", () => {
    expect([deliveredShare(null, 10), deliveredShare(10, null), deliveredShare(10, 0)]).toEqual([null, null, null]);
    expect(deliveredShare(5, 10)).toBe(0.5);
    expect(deliveredShare(0, 10)).toBe(0);
  });

  test("is good from 95 % on, and bad below 75 % or where it is not known", () => {
    expect([0.4, 0.39, 0.29].map((share) => shareTone(share, { amber_from: 0.3, green_from: 0.4 }))).toEqual([
      "good",
      "warn",
      "bad",
    ]);
    expect([0.95, 0.949, 0.75, 0.749, null].map((share) => shareTone(share, null))).toEqual([
      "good",
      "warn",
      "warn",
      "bad",
      "bad",
    ]);
  });
});

describe("a result", () => {
  const result = { state: "in_progress" as const, version: null, versions: [], start_time, measured_until: end_time };

  test("shows nothing where the dispatch was cancelled before its start", () => {
    expect(whyNothing({ ...result, state: "cancelled", measured_until: start_time })).toContain("before it started");
    expect(whyNothing({ ...result, state: "cancelled", measured_until: "2026-07-01T18:00:30Z" })).toBeNull();
    expect(whyNothing(result)).toBeNull();
  });

  test("shows nothing where it was withdrawn, but the versions before it are shown", () => {
    const kept = { at: end_time, by: null, note: null, rules_version: 1 };
    const versions = [
      { ...kept, version: 1, reason: "complete" as const, standing: "superseded" as const },
      { ...kept, version: 2, reason: "withdrawn" as const, standing: "standing" as const },
    ];
    expect(whyNothing({ ...result, state: "final", version: 2, versions })).toContain("withdrawn");
    expect(whyNothing({ ...result, state: "final", version: 1, versions })).toBeNull();
  });

  test("of a cancelled dispatch goes until the cancellation", () => {
    const measured_until = "2026-07-01T18:20:00Z";
    expect(dispatchedUntil({ state: "cancelled", end_time, measured_until })).toBe(measured_until);
    expect(dispatchedUntil({ state: "final", end_time, measured_until })).toBe(end_time);
  });
});

describe("the cells of a curve", () => {
  test("are called for after the start until the end, as a cell is named by its end", () => {
    const isCalled = isDispatchedIn(start_time, end_time);
    const times = ["18:00:00", "18:00:30", "19:00:00", "19:00:30"];
    expect(times.map((time) => isCalled(cell(time)))).toEqual([false, true, true, false]);
    expect(isDispatchedIn(start_time, null)(cell("23:00:00"))).toBe(true);
  });

  test("around a dispatch reach five minutes beyond it on either side", () => {
    const cells = ["17:54:30", "17:55:00", "18:30:00", "19:05:00", "19:05:30"].map(cell);
    expect(aroundDispatch(cells, start_time, end_time)).toEqual(cells.slice(1, 4));
    expect(aroundDispatch(cells, start_time, null)).toEqual(cells.slice(1));
  });
});
