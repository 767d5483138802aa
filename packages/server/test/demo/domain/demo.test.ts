import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { historyOf, nextOfHistory, nextToFill, preparedShare } from "../../../src/demo/domain/demo.js";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const NOW = new Date("2026-07-01T18:02:40Z");
const before = (ms: number): Date => new Date(NOW.getTime() - ms);

describe("the readings that a demo begins with", () => {
  test("are those of 15 days, in parts of six hours without a gap, and the share that is done grows", () => {
    const history = historyOf(NOW);
    expect(history.to).toEqual(new Date("2026-07-01T18:00:00Z"));
    let [at, shares] = [history.from, [preparedShare(history.from, history)]];
    for (let next = nextOfHistory(at, history.to); next !== null; next = nextOfHistory(at, history.to)) {
      expect(next.from).toEqual(at);
      expect(next.to.getTime() - next.from.getTime()).toBe(6 * HOUR_MS);
      at = next.to;
      shares = [...shares, preparedShare(at, history)];
    }
    expect(at).toEqual(history.to);
    expect(shares).toHaveLength(15 * 4 + 1);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBeLessThan(1);
  });
});

describe("the readings that are sent next", () => {
  test("are those of each whole minute since the last", () => {
    const filled = new Date("2026-07-01T18:00:00Z");
    expect(nextToFill(filled, NOW)).toEqual({ from: filled, to: new Date("2026-07-01T18:02:00Z"), seconds: 60 });
    expect(nextToFill(new Date("2026-07-01T18:02:00Z"), NOW)).toBeNull();
    // The clock of the database went back.
    expect(nextToFill(new Date("2026-07-01T18:03:00Z"), NOW)).toBeNull();
  });

  test("are coarse after a stop of more than an hour, and at most six hours at once", () => {
    expect(nextToFill(before(HOUR_MS), NOW)?.seconds).toBe(60);
    expect(nextToFill(before(HOUR_MS + 1), NOW)?.seconds).toBe(300);
    const next = nextToFill(before(9 * HOUR_MS), NOW);
    expect(next).toMatchObject({ seconds: 300, to: before(3 * HOUR_MS) });
  });

  test("go back 15 days after a longer stop", () => {
    const next = nextToFill(before(40 * DAY_MS), NOW);
    expect(next?.from).toEqual(new Date("2026-06-16T18:00:00Z"));
  });

  test("reach the present, whenever the last were sent", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 * DAY_MS }), (gapMs) => {
        let filled = before(gapMs);
        for (let next = nextToFill(filled, NOW); next !== null; next = nextToFill(filled, NOW)) {
          expect(next.to.getTime()).toBeGreaterThan(filled.getTime());
          expect(next.to.getTime()).toBeLessThanOrEqual(NOW.getTime());
          filled = next.to;
        }
        expect(NOW.getTime() - filled.getTime()).toBeLessThan(MINUTE_MS);
      }),
    );
  });
});
