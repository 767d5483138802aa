import fc from "fast-check";
import { expect, test } from "vitest";
import type { DispatchWindow } from "../../src/control/dispatch-window.js";
import { outlookAt } from "../../src/control/outlook.js";

const window = (startMs: number, endMs: number | null, commitmentKw: number | null): DispatchWindow => ({
  dispatchId: `dis_${startMs}`,
  startMs,
  endMs,
  commitmentKw,
  isTest: false,
});

const SUM = { overlap: "sum" } as const;

test("before a dispatch its start, end and power are known; while it runs, its end and power, and the next start", () => {
  const windows = [window(10, 20, 100), window(30, null, null)];
  expect(outlookAt(windows, 5, SUM)).toEqual({ isAnnounced: true, nextStartMs: 10, nextEndMs: 20, askedKw: 100 });
  expect(outlookAt(windows, 10, SUM)).toEqual({ isAnnounced: true, nextStartMs: 30, nextEndMs: 20, askedKw: 100 });
  expect(outlookAt(windows, 20, SUM)).toEqual({ isAnnounced: true, nextStartMs: 30, nextEndMs: null, askedKw: null });
  expect(outlookAt(windows, 30, SUM)).toMatchObject({ isAnnounced: false, nextStartMs: null });
});

test("without dispatches nothing is announced", () => {
  expect(outlookAt([], 0, SUM)).toEqual({ isAnnounced: false, nextStartMs: null, nextEndMs: null, askedKw: null });
});

test("dispatches that begin together are asked together", () => {
  expect(outlookAt([window(10, 20, 100), window(10, 30, 50)], 0, SUM)).toMatchObject({ askedKw: 150, nextEndMs: 30 });
  expect(outlookAt([window(10, 20, 100), window(10, 30, 50)], 0, { overlap: "max" })).toMatchObject({ askedKw: 100 });
});

test("the next start is in the future, and no other start lies before it", () => {
  const windows = fc.array(fc.tuple(fc.nat(50), fc.nat(50), fc.option(fc.nat(100))));
  fc.assert(
    fc.property(windows, fc.nat(60), (given, nowMs) => {
      const all = given.map(([start, length, kw]) => window(start, start + length, kw));
      const { nextStartMs, isAnnounced } = outlookAt(all, nowMs, SUM);
      expect(isAnnounced).toBe(nextStartMs !== null);
      for (const { startMs } of all)
        if (startMs > nowMs) expect(nextStartMs ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(startMs);
      if (nextStartMs !== null) expect(nextStartMs).toBeGreaterThan(nowMs);
    }),
  );
});
