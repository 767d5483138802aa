import { operator } from "@curtail/contract";
import { beforeAll, expect, test } from "vitest";
import {
  dispatchBetween,
  intervalsBetween,
  meanOfDays,
  measuredProgram,
  sitePerformanceOf,
  untilVersions,
  uploadIntervals,
} from "../../support/measuring.js";
import { firstOf } from "../../support/metering.js";
import { type Running, running } from "../../support/running.js";

// M9: hours of the day before and of the day after a dispatch have the day type and the pool of their own day.
let service: Running;

beforeAll(async () => {
  service = await running();
});

/** An office: 100 kW on weekdays, 50 kW on Saturdays and Sundays. */
const office = (endMs: number): number => ([0, 6].includes(new Date(endMs - 1).getUTCDay()) ? 50 : 100);

const { method } = meanOfDays(2);
const baseline = {
  method: {
    ...method,
    rules: [["weekday"], ["saturday", "sunday"]].flatMap((day_types) =>
      method.rules.map(({ pool, pick }) => ({ pool: { ...pool, day_types }, pick })),
    ),
    adjust: {
      kind: "additive",
      window: { anchor: "start", from_minutes_before: 270, to_minutes_before: 90 },
      lowest: null,
      highest: null,
    },
  },
};

/** The final result of a dispatch on Monday 8 June from 0:30 to 2:00, in which the site uses 60 kW. */
const afterWeekend = async () => {
  service.clock.set(new Date("2026-06-08T03:03:00Z"));
  const participant = await service.newParticipant();
  const { meterId, siteId } = firstOf(participant);
  const load = (from: string, to: string, kwAt: (endMs: number) => number) =>
    uploadIntervals(participant, meterId, intervalsBetween([from, to], 300, kwAt));
  const [start, end] = ["2026-06-08T00:30:00Z", "2026-06-08T02:00:00Z"] as const;
  await load("2026-05-28T00:00:00Z", start, office);
  await load(start, end, () => 60);
  await load(end, "2026-06-08T03:00:00Z", office);
  const programId = await measuredProgram(service, [participant], { baseline, commitment: 40 });
  const id = await dispatchBetween(service, programId, [start, end]);
  await untilVersions(service, id, 1);
  return { id, siteId, load };
};

test("a dispatch just after a weekend is not adjusted by comparing Sunday with weekdays", async () => {
  const { id, siteId } = await afterWeekend();
  const { site, explanation, curve } = await sitePerformanceOf(service, id, siteId);
  expect(site).toMatchObject({ mean_reduction_kw: 40, performance: 1 });
  expect(explanation).toMatchObject({ event_date: "2026-06-08", later_days: [], adjustment: { raw: 0, applied: 0 } });
  expect(explanation.other_days).toMatchObject([
    {
      event_date: "2026-06-07",
      event_day_type: "sunday",
      intervals: ["20:00:00", "21:00:00", "22:00:00", "23:00:00"],
      chosen: ["2026-06-06", "2026-05-31"],
      reason: null,
    },
  ]);
  const before = curve.find(({ timestamp }: { timestamp: string }) => timestamp === "2026-06-08T00:00:00Z");
  expect(before).toMatchObject({ baseline_kw: 50, load_kw: 50 });
});

test("a correction on a day that only the day before looks back on makes a version, which names it", async () => {
  const { id, siteId, load } = await afterWeekend();
  await load("2026-05-31T20:00:00Z", "2026-05-31T23:00:00Z", () => 70);
  await untilVersions(service, id, 2);
  // Sunday's evening is compared with the mean of 50 and 70 kW.
  expect(await sitePerformanceOf(service, id, siteId)).toMatchObject({
    site: { mean_reduction_kw: 30 },
    explanation: { adjustment: { raw: -10 } },
  });
  const { sites } = await service.made(operator.getAnyPerformanceDifference, { params: { id }, query: {} });
  expect(sites[0]?.inputs?.dates).toEqual([
    { event_date: "2026-06-07", date: "2026-05-31", before: "chosen", after: "chosen", corrected: true },
  ]);
});

test("a result that was stored before there were such days has none", async () => {
  const { id, siteId } = await afterWeekend();
  await service.database.pool.query(
    "update performance_results set detail = detail #- '{explanation,otherDays}' where dispatch_id = $1",
    [id],
  );
  const { explanation } = await sitePerformanceOf(service, id, siteId);
  expect(explanation).toMatchObject({ event_date: "2026-06-08", other_days: [] });
});
