import { readFile } from "node:fs/promises";
import { beforeAll, expect, test } from "vitest";
import { firstOf, type Point, pointsOf, read, upload } from "../support/metering.js";
import { type Participant, type Running, running } from "../support/running.js";

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

/** Uploads the readings as one request and expects every series that the vector tells. */
const expectVector = async (anna: Participant, vector: Vector): Promise<void> => {
  const { siteId, meterId } = firstOf(anna);
  const answer = await upload(
    anna,
    vector.readings.map((reading) => ({ meter_id: meterId, ...reading })),
  );
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
