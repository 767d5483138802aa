import { readFile } from "node:fs/promises";
import { READ_INTERVALS_SECONDS } from "@curtail/contract";
import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { firstOf, kwReading, type Point, pointsOf, read, upload } from "../../support/metering.js";
import { type Participant, type Running, running } from "../../support/running.js";

// The worked examples of G20 to G24, through POST /telemetry and GET /telemetry/kw.
interface WirePoint {
  readonly timestamp: string;
  readonly value: number;
}
interface Vector {
  readonly id: string;
  readonly title: string;
  readonly readings: readonly object[];
  readonly expected_30s: readonly WirePoint[];
  readonly expected_kwh: number;
  readonly expected_at?: Readonly<Record<string, readonly WirePoint[]>>;
  readonly query?: { readonly start_time: string; readonly end_time: string };
  readonly expected_query_30s?: readonly WirePoint[];
}

const fixtures = process.env["TEST_FIXTURES"];
const fixture = fixtures === undefined ? null : `${fixtures}/vectors/telemetry/normalise_30s.json`;
const vectors: { tolerance: number; vectors: readonly Vector[] } =
  fixture === null ? { tolerance: 0, vectors: [] } : JSON.parse(await readFile(fixture, "utf8"));

const DAY = { start_time: "2026-06-01T00:00:00Z", end_time: "2026-06-02T00:00:00Z" };
let service: Running;

beforeAll(async () => {
  service = await running();
  service.clock.set(new Date("2026-06-02T00:00:00Z"));
});

const expectPoints = (points: readonly Point[], expected: readonly WirePoint[]): void => {
  expect(points.map(([timestamp]) => timestamp)).toEqual(expected.map((point) => point.timestamp));
  for (const [index, [timestamp, kw]] of points.entries()) {
    const difference = Math.abs(kw - (expected[index]?.value ?? Number.NaN));
    expect(difference, timestamp).toBeLessThanOrEqual(vectors.tolerance);
  }
};

/** Uploads the readings in one request and expects every series of the vector. */
const expectVector = async (anna: Participant, vector: Vector): Promise<void> => {
  const { siteId, meterId } = firstOf(anna);
  const telemetry = vector.readings.map((reading) => ({ meter_id: meterId, ...reading }));
  const answer = await anna.call("POST", "/telemetry", { telemetry });
  expect(answer.body).toEqual({ received: vector.readings.length });
  const fine = pointsOf(await read(anna, [siteId], DAY), meterId);
  expectPoints(fine, vector.expected_30s);
  const energyKwh = fine.reduce((sum, [, kw]) => sum + (kw * 30) / 3600, 0);
  expect(Math.abs(energyKwh - vector.expected_kwh)).toBeLessThanOrEqual(vectors.tolerance);
  for (const [seconds, expected] of Object.entries(vector.expected_at ?? {})) {
    const coarse = await read(anna, [siteId], { ...DAY, interval_seconds: Number(seconds) });
    expectPoints(pointsOf(coarse, meterId), expected);
  }
  if (vector.query === undefined) return;
  expectPoints(pointsOf(await read(anna, [siteId], vector.query), meterId), vector.expected_query_30s ?? []);
};

if (fixture === null) test.skip("the worked examples: TEST_FIXTURES names no folder with vectors/telemetry/", () => {});
else {
  test.each(vectors.vectors.map((vector) => ({ name: `${vector.id}: ${vector.title}`, vector })))(
    "$name",
    async ({ vector }) => {
      await expectVector(await service.newParticipant(), vector);
    },
  );

  test("there are examples to work through", () => {
    expect(vectors.vectors.length).toBeGreaterThan(10);
  });
}

interface Reading {
  readonly endMs: number;
  readonly seconds: number;
  readonly kw: number;
}

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

const timestamp = (ms: number): string => new Date(ms).toISOString();

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

describe("a plain model", () => {
  // G20 to G24 against the simplest implementation: a map from cell to power. Ten days exceed one batch of a read.
  const START_MS = Date.UTC(2026, 5, 1);
  const SPAN_SECONDS = 10 * 86_400;

  const offsetMs = fc.integer({ min: 0, max: SPAN_SECONDS * 1000 });
  // Half of the readings are in one hour, where they replace each other.
  const endMs = fc.oneof(offsetMs, fc.integer({ min: 0, max: 3_600_000 })).map((offset) => START_MS + offset);
  const reading = fc.record({
    endMs,
    seconds: fc.integer({ min: 1, max: 10 }).map((steps) => steps * 30),
    kw: fc.integer({ min: -1000, max: 1000 }),
  });
  const ask = fc.record({ fromMs: offsetMs, toMs: offsetMs, interval: fc.constantFrom(...READ_INTERVALS_SECONDS) });

  beforeAll(async () => {
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
        for (const { fromMs, toMs, interval } of [
          ...asks,
          { fromMs: -1000, toMs: SPAN_SECONDS * 1000, interval: 30 },
        ]) {
          const [startMs, endMs] = [START_MS + Math.min(fromMs, toMs), START_MS + Math.max(fromMs, toMs) + 1000];
          const asked = { start_time: timestamp(startMs), end_time: timestamp(endMs), interval_seconds: interval };
          const points = pointsOf(await read(anna, [siteId], asked), meterId);
          const expected = expectedPoints(cells, startMs, endMs, interval);
          expect(points.map(([label]) => label)).toEqual(expected.map(([label]) => label));
          for (const [index, [, kw]] of points.entries()) expect(kw).toBeCloseTo(expected[index]?.[1] ?? Number.NaN, 9);
        }
      }),
      { numRuns: propertyRuns(8, { atMost: 40 }) },
    );
  }, 120_000);
});
