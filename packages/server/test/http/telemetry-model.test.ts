import { READ_INTERVALS_SECONDS } from "@curtail/contract";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { firstOf, kwReading, type Point, pointsOf, read, upload } from "../support/metering.js";
import { type Running, running } from "../support/running.js";

// G20 to G24 against their plainest reading: a map from cell to power. Ten days hold more than one stretch of a read.
const START_MS = Date.UTC(2026, 5, 1);
const SPAN_SECONDS = 10 * 86_400;
const timestamp = (ms: number): string => new Date(ms).toISOString();

interface Reading {
  readonly endMs: number;
  readonly seconds: number;
  readonly kw: number;
}

const offsetMs = fc.integer({ min: 0, max: SPAN_SECONDS * 1000 });
// Half of the readings lie in one hour, where they replace each other.
const endMs = fc.oneof(offsetMs, fc.integer({ min: 0, max: 3_600_000 })).map((offset) => START_MS + offset);
const reading = fc.record({
  endMs,
  seconds: fc.integer({ min: 1, max: 10 }).map((steps) => steps * 30),
  kw: fc.integer({ min: -1000, max: 1000 }),
});
const ask = fc.record({ fromMs: offsetMs, toMs: offsetMs, interval: fc.constantFrom(...READ_INTERVALS_SECONDS) });

/** Fills each cell whose midpoint a reading covers, one by one. */
const cellsOf = (readings: readonly Reading[]): Map<number, number> => {
  const cells = new Map<number, number>();
  for (const { endMs, seconds, kw } of readings) {
    const near = Math.floor(endMs / 30_000);
    for (let cell = near - 12; cell <= near + 2; cell++) {
      const midpointMs = cell * 30_000 - 15_000;
      if (midpointMs > endMs - seconds * 1000 && midpointMs <= endMs) cells.set(cell, kw);
    }
  }
  return cells;
};

const expectedPoints = (
  cells: ReadonlyMap<number, number>,
  startMs: number,
  endMs: number,
  interval: number,
): Point[] => {
  const groups = new Map<number, number[]>();
  for (const [cell, kw] of cells) {
    const labelMs = Math.ceil((cell * 30) / interval) * interval * 1000;
    if (labelMs > startMs && labelMs <= endMs) groups.set(labelMs, [...(groups.get(labelMs) ?? []), kw]);
  }
  return [...groups]
    .filter(([, filled]) => filled.length * 60 >= interval)
    .toSorted(([a], [b]) => a - b)
    .map(([labelMs, filled]) => [
      timestamp(labelMs).replace(".000Z", "Z"),
      filled.reduce((sum, kw) => sum + kw, 0) / filled.length,
    ]);
};

let service: Running;

beforeAll(async () => {
  service = await running({ CURTAIL_RATE_LIMIT: "100000" });
  service.clock.set(new Date(START_MS + SPAN_SECONDS * 1000));
});

test("whatever is uploaded in however many requests, every read agrees with the rules spelled out", async () => {
  const uploads = fc.array(fc.array(reading, { minLength: 1, maxLength: 60 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(uploads, fc.array(ask, { minLength: 4, maxLength: 4 }), async (batches, asks) => {
      const anna = await service.newParticipant();
      const { siteId, meterId } = firstOf(anna);
      for (const batch of batches) {
        const wire = batch.map(({ endMs, seconds, kw }) => kwReading(meterId, timestamp(endMs), kw, seconds));
        expect((await upload(anna, wire)).body).toEqual({ received: batch.length });
      }
      const cells = cellsOf(batches.flat());
      for (const { fromMs, toMs, interval } of [...asks, { fromMs: -1000, toMs: SPAN_SECONDS * 1000, interval: 30 }]) {
        const [startMs, endMs] = [START_MS + Math.min(fromMs, toMs), START_MS + Math.max(fromMs, toMs) + 1000];
        const asked = { start_time: timestamp(startMs), end_time: timestamp(endMs), interval_seconds: interval };
        const points = pointsOf(await read(anna, [siteId], asked), meterId);
        const expected = expectedPoints(cells, startMs, endMs, interval);
        expect(points.map(([label]) => label)).toEqual(expected.map(([label]) => label));
        for (const [index, [, kw]] of points.entries()) expect(kw).toBeCloseTo(expected[index]?.[1] ?? Number.NaN, 9);
      }
    }),
    { numRuns: 25 },
  );
});
