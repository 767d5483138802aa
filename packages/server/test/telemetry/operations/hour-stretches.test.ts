import type { HourRow, MeterKey } from "@curtail/measure";
import { expect, test } from "vitest";
import { type HourStretch, hourStretches } from "../../../src/telemetry/operations/hour-stretches.js";

const DAY = 20_600;
const cells = new Float64Array(120);
const metersOf = (count: number): MeterKey[] => Array.from({ length: count }, (_, meter) => ({ site: 1, meter }));

interface Call {
  readonly meters: number;
  readonly from: number;
  readonly to: number;
}

/** What is read of meters that have a row in every hour, and what is handed on. */
const readAll = async (count: number, from: number, to: number) => {
  const calls: Call[] = [];
  const rows = async (meters: readonly MeterKey[], first: number, last: number): Promise<HourRow[]> => {
    calls.push({ meters: meters.length, from: first, to: last });
    return meters.flatMap((key) =>
      Array.from({ length: last - first + 1 }, (_, nth) => ({ ...key, hour: first + nth, cells })),
    );
  };
  const stretches: HourStretch[] = [];
  for await (const stretch of hourStretches({ rows }, metersOf(count), { from, to })) stretches.push(stretch);
  return { calls, stretches };
};

test.each([
  [1, 24 * 100],
  [3, 24 * 30],
  [41, 24 * 3],
  [42, 24 * 3],
  [1000, 50],
])("every hour of %i meters is read once and handed on in order", async (meters, hours) => {
  const from = DAY * 24 + 7;
  const { stretches } = await readAll(meters, from, from + hours - 1);
  let next = from;
  for (const { from: first, to, rows } of stretches) {
    expect(first).toBe(next);
    next = to + 1;
    expect(rows.length).toBe((to - first + 1) * meters);
    expect(rows.every(({ hour }) => hour >= first && hour <= to)).toBe(true);
    expect(rows.length).toBeLessThanOrEqual(1000);
  }
  expect(next).toBe(from + hours);
});

test("a day is read in one piece, of as many meters as have a thousand hours", async () => {
  const { calls } = await readAll(50, DAY * 24 + 7, (DAY + 2) * 24 + 3);
  const days = [
    [DAY * 24 + 7, DAY * 24 + 23],
    [(DAY + 1) * 24, (DAY + 1) * 24 + 23],
    [(DAY + 2) * 24, (DAY + 2) * 24 + 3],
  ] as const;
  expect(calls).toEqual(days.flatMap(([from, to]) => [41, 9].map((meters) => ({ meters, from, to }))));
});
