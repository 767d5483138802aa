import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import {
  dispatchBetween,
  intervalsBetween,
  meanOfDays,
  measuredProgram,
  performanceOf,
  sitePerformanceOf,
  uploadIntervals,
} from "../../support/measuring.js";
import { firstOf, kwReading, pointsOf, read, upload } from "../../support/metering.js";
import { type Participant, type Running, running } from "../../support/running.js";

/** Numbers of an answer with more than ten decimals or 13 digits: no meter has them. */
const noisyIn = (answer: unknown): readonly string[] =>
  [...JSON.stringify(answer).matchAll(/(?<=[[:,])-?\d+(?:\.(\d+))?(?:e[-+]?\d+)?(?=[\],}])/g)]
    .filter(([number, decimals = ""]) => decimals.length > 10 || number.replaceAll(/\D/g, "").length > 13)
    .map(([number]) => number);

/** Tenths, which sums of binary fractions miss. */
const tenths = (endMs: number): number => (4058 + ((endMs / 300_000) % 7)) / 10;

const [FIRST, START, END, LATER] = [
  "2026-06-05T00:00:00Z",
  "2026-06-10T18:00:00Z",
  "2026-06-10T19:00:00Z",
  "2026-06-10T22:00:00Z",
];

describe("means and sums are answered without rounding noise", () => {
  let service: Running;
  let anna: Participant;
  let dispatchId: string;

  beforeAll(async () => {
    service = await running();
    service.clock.set(new Date("2026-06-01T00:00:00Z"));
    anna = await service.newParticipant({ sites: [["grid", "solar"], ["main"]] });
    const programId = await measuredProgram(service, [anna], { baseline: meanOfDays(3), commitment: 0.1 });
    service.clock.set(new Date(LATER));
    for (const meterId of anna.sites.flatMap(({ meters }) => meters))
      await uploadIntervals(anna, meterId, intervalsBetween([FIRST, LATER], 300, tenths));
    dispatchId = await dispatchBetween(service, programId, [START, END]);
  });

  test("in a dispatch's performance", async () => {
    const answer = await performanceOf(service, dispatchId);
    expect(answer.totals.to_date.performance).toEqual(expect.any(Number));
    expect(noisyIn(answer)).toEqual([]);
  });

  test("in a site's, with its curve and how it was computed", async () => {
    const answer = await sitePerformanceOf(service, dispatchId, anna.sites[0]?.id ?? "");
    expect(answer.explanation.pool).toHaveLength(3);
    expect(noisyIn(answer)).toEqual([]);
  });

  test("in a site's energy", async () => {
    const params = { id: anna.sites[0]?.id ?? "" };
    const answer = await service.made(operator.getAnySiteEnergy, {
      params,
      query: { start_time: START, end_time: END },
    });
    expect(answer.site.energy_kwh).toBeGreaterThan(800);
    expect(noisyIn(answer)).toEqual([]);
  });

  test("in readings of a longer interval; a reading of that interval is what was sent", async () => {
    const { siteId, meterId } = firstOf(anna);
    const sent = 405.123_456_789_012_3;
    await upload(anna, [
      ...[405.8, 405.7, 405.9].map((kW, index) => kwReading(meterId, `2026-06-10T20:0${index + 1}:00Z`, kW, 60)),
      kwReading(meterId, "2026-06-10T20:10:00Z", sent, 300),
    ]);
    const times = { start_time: "2026-06-10T20:00:00Z", end_time: "2026-06-10T20:10:00Z" };
    const answer = await read(anna, [siteId], { ...times, interval_seconds: 300 });
    const values = pointsOf(answer, meterId).map(([, kw]) => kw);
    expect(values[1]).toBe(sent);
    expect(noisyIn(values.slice(0, 1))).toEqual([]);
  });

  test("a control: a sum as it is computed has it", () => {
    expect(noisyIn({ kw: 0.1 + 0.2, others: [405.8, -3, 1e-7] })).toEqual(["0.30000000000000004"]);
  });
});

test("powers of uploaded and imported energies are stored without rounding noise, at every length with finite decimals", async () => {
  const service = await running();
  service.clock.set(new Date("2026-06-10T12:00:00Z"));
  const anna = await service.newParticipant();
  const { siteId, meterId } = firstOf(anna);
  const reading = (interval_seconds: number, at: number) => ({
    meter_id: meterId,
    interval_seconds,
    timestamp: new Date(Date.parse("2026-06-10T10:00:00Z") + at * 300_000).toISOString(),
    value: (at * 7 + 1) / 1000,
    units: "kWh" as const,
  });
  const telemetry = [30, 60, 90, 120, 150, 180, 240, 300].flatMap((seconds, index) =>
    [0, 1].map((nth) => reading(seconds, index * 2 + nth + 1)),
  );
  expect((await upload(anna, telemetry)).status).toBe(200);
  const kwh = Array.from({ length: 40 }, (_, at) => `2026-06-10T09:${at + 10}:00Z,${(at * 3 + 1) / 1000}`);
  await service.made(operator.importMeterData, {
    params: { id: siteId },
    body: ["timestamp,kwh", ...kwh, ""].join("\n"),
  });
  const answer = await read(anna, [siteId], { start_time: "2026-06-10T09:00:00Z", end_time: "2026-06-10T12:00:00Z" });
  expect(pointsOf(answer, meterId).length).toBeGreaterThan(100);
  expect(noisyIn(answer.body)).toEqual([]);
});
