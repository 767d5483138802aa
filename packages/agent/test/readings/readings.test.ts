import { expect, test } from "vitest";
import type { MeterConfig } from "../../src/config/config.js";
import { toKw } from "../../src/readings/convert.js";
import { valueOfInterval } from "../../src/readings/interval.js";
import { MeterSampler } from "../../src/readings/meter-sampler.js";

const NOON = Date.UTC(2026, 6, 1, 12);
const SECOND = 1_000;

const meter: MeterConfig = {
  id: "mtr_1",
  name: "main",
  source: { protocol: "mqtt", connection: "broker", topic: "power", path: null },
  conversion: { unit: "kW", scale: 1, offset: 0, positive: "load", range: [-100, 500] },
  sampling: { intervalMs: 60_000, method: "average", staleMs: 20_000, coverage: 0.8, settleMs: 2_000 },
  pollMs: 10_000,
};

test.each([
  [{ unit: "W" }, 12_500, 12.5],
  [{ unit: "MW" }, 0.4, 400],
  [{ scale: 0.1, offset: -2 }, 120, 10],
  [{ positive: "export" }, 30, -30],
  [{ positive: "export" }, 0, 0],
] as const)("%j makes %d to %d kW", (changes, raw, kw) => {
  expect(toKw(raw, { ...meter.conversion, ...changes })).toEqual({ kw });
});

test.each([501, -101, Number.NaN])("%d is not plausible", (raw) => {
  expect(toKw(raw, meter.conversion)).toHaveProperty("why");
});

const every = (stepSeconds: number, fromSecond: number, toSecond: number, kw: number) =>
  Array.from({ length: (toSecond - fromSecond) / stepSeconds }, (_, index) => ({
    atMs: NOON + (fromSecond + index * stepSeconds) * SECOND,
    kw,
  }));

test("an average is weighted by time", () => {
  const samples = [...every(10, 0, 30, 100), ...every(10, 30, 60, 200)];
  expect(valueOfInterval(samples, NOON + 60_000, meter.sampling)).toEqual({ kw: 150 });
});

test("a value from before the interval holds in it until it is stale", () => {
  const samples = [{ atMs: NOON - 10_000, kw: 50 }, ...every(10, 10, 60, 100)];
  expect(valueOfInterval(samples, NOON + 60_000, meter.sampling)).toEqual({ kw: (50 * 10 + 100 * 50) / 60 });
});

test("an interval that is known in part only has no average, and no zero", () => {
  expect(valueOfInterval(every(10, 0, 20, 100), NOON + 60_000, meter.sampling)).toEqual({
    why: "values cover 30 s of 60 s",
  });
  expect(valueOfInterval([], NOON + 60_000, meter.sampling)).toEqual({ why: "no value came" });
});

test("the last value of an interval counts unless it is stale", () => {
  const sampling = { ...meter.sampling, method: "last" } as const;
  expect(valueOfInterval(every(10, 0, 60, 100), NOON + 60_000, sampling)).toEqual({ kw: 100 });
  expect(valueOfInterval(every(10, 0, 40, 100), NOON + 60_000, sampling)).toEqual({
    why: "the last value is 30 s old",
  });
});

const fed = (fromSecond: number, toSecond: number, sampler = new MeterSampler(meter, NOON)): MeterSampler => {
  for (let second = fromSecond; second < toSecond; second += 10) sampler.add(100, NOON + second * SECOND);
  return sampler;
};

test("each interval is settled once, after its end, aligned to the clock", () => {
  const sampler = fed(0, 130);
  expect(sampler.settle(NOON + 61_000).readings).toEqual([]);
  const reading = { meterId: "mtr_1", intervalMs: 60_000, kw: 100 };
  expect(sampler.settle(NOON + 125_000).readings).toEqual([
    { ...reading, endMs: NOON + 60_000 },
    { ...reading, endMs: NOON + 120_000 },
  ]);
  expect(sampler.settle(NOON + 126_000)).toEqual({ readings: [], gaps: [] });
});

test("a value that is not plausible leaves a gap that says why", () => {
  const sampler = fed(0, 10);
  expect(sampler.add(9_999, NOON + 10_000)).toBeNull();
  expect(sampler.settle(NOON + 62_000)).toEqual({
    readings: [],
    gaps: [{ meterId: "mtr_1", endMs: NOON + 60_000, why: "9999 kW is not within -100 to 500 kW" }],
  });
});

test("after the clock was set back, intervals are read again from there; none mixes values of both times", () => {
  const sampler = fed(0, 130);
  sampler.settle(NOON + 122_000);
  sampler.clockJumped(NOON - 30_000);
  fed(-30, 60, sampler);
  const { readings, gaps } = sampler.settle(NOON + 62_000);
  expect(readings.map(({ endMs }) => endMs)).toEqual([NOON + 60_000]);
  expect(gaps.map(({ endMs }) => endMs)).toEqual([NOON]);
});

test("after a day of sleep the missed intervals are not made up", () => {
  const sampler = fed(0, 60);
  const { readings, gaps } = sampler.settle(NOON + 86_400_000);
  expect(readings).toEqual([]);
  expect(gaps.length).toBeLessThanOrEqual(60);
});

test("the load before a curtailment is the mean of what is known, or not known", () => {
  expect(fed(0, 600).loadBefore(NOON + 600_000, 600_000)).toBe(100);
  expect(fed(0, 100).loadBefore(NOON + 600_000, 600_000)).toBeNull();
});
