import { CELLS_PER_HOUR, type MeterKey } from "@curtail/measure";
import { expect, test } from "vitest";
import { isRefusal } from "../../../src/platform/refusal.js";
import { type LoadReader, PortfolioLoad } from "../../../src/telemetry/operations/portfolio-load.js";

const NOW = new Date("2026-06-10T12:30:00Z");
const METERS = 5000;
const meters = Array.from({ length: METERS }, (_, nth): MeterKey => ({ site: 1 + (nth >> 3), meter: nth + 1 }));

/** Each meter takes 1 kW all day; asked for too many at once, it fails. */
const reader = (wait: Promise<void> = Promise.resolve()): LoadReader & { readonly asked: number[] } => {
  const asked: number[] = [];
  return {
    asked,
    meters: async () => meters,
    async hours(some, { from, to }) {
      await wait;
      asked.push(some.length);
      return some.flatMap((key) =>
        Array.from({ length: to - from + 1 }, (_, nth) => ({
          ...key,
          hour: from + nth,
          cells: new Float64Array(CELLS_PER_HOUR).fill(1),
        })),
      );
    },
  };
};

test("many meters are read some at a time, and their sum is that of all", async () => {
  const source = reader();
  const load = new PortfolioLoad(source, { now: () => NOW });
  const points = await load.since(new Date("2026-06-10T11:00:00Z"));
  if (isRefusal(points)) throw new Error(points.message);
  expect(points.map(({ loadKw, meters: count }) => [loadKw, count])).toEqual(
    Array.from({ length: 18 }, () => [METERS, METERS]),
  );
  expect(Math.max(...source.asked)).toBeLessThanOrEqual(2000);
});

test("whoever asks while hours are read for the first time is told to ask later, and has them then", async () => {
  const goingOn: Array<() => void> = [];
  const source = reader(new Promise((resolve) => void goingOn.push(resolve)));
  const load = new PortfolioLoad(source, { now: () => NOW }, 20);
  const start = new Date("2026-06-10T12:00:00Z");
  expect(await load.since(start)).toMatchObject({ code: "too_many", retryAfterSeconds: 10 });
  goingOn[0]?.();
  await expect.poll(async () => isRefusal(await load.since(start))).toBe(false);
  expect(source.asked.reduce((sum, count) => sum + count, 0)).toBe(METERS);
});
