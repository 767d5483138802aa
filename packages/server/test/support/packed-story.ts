import { operatorClient } from "@curtail/client";
import { operator, type TelemetryReading, uploadTelemetry } from "@curtail/contract";
import { expect } from "vitest";
import { Packing } from "../../src/telemetry/operations/pack-days.js";
import { dayStore } from "../../src/telemetry/storage/day-store.js";
import {
  dispatchBetween,
  intervalsBetween,
  meanOfDays,
  measuredProgram,
  performanceOf,
  sitePerformanceOf,
  uploadIntervals,
} from "./measuring.js";
import { firstOf, read } from "./metering.js";
import { OPERATOR_TOKEN, type Participant, type Running, running } from "./running.js";

// Readings of days that are packed, and every answer that rests on them.
export let service: Running;
export let anna: Participant;
let dispatchId: string;

const FIRST = "2026-03-22T00:00:00Z";
const LAST = "2026-04-02T00:00:00Z";

export const prepare = async (): Promise<void> => {
  service = await running();
  service.clock.set(new Date(LAST));
  anna = await service.newParticipant({ sites: [["main", "solar"]] });
  const programId = await measuredProgram(service, [anna], {
    // The clocks of this zone are changed in between.
    timezone: "Europe/Berlin",
    baseline: meanOfDays(3),
  });
  const [main = "", solar = ""] = anna.sites[0]?.meters ?? [];
  await uploadIntervals(
    anna,
    main,
    intervalsBetween([FIRST, LAST], 300, (endMs) => (endMs / 300_000) % 317),
  );
  await uploadSolar(solar);
  dispatchId = await dispatchBetween(service, programId, ["2026-04-02T10:00:00Z", "2026-04-02T12:00:00Z"]);
  service.clock.set(new Date("2026-04-02T10:30:00Z"));
};

/** Energy with gaps, so that the powers are no short decimals. */
const uploadSolar = async (meter_id: string): Promise<void> => {
  const readings: TelemetryReading[] = intervalsBetween([FIRST, LAST], 210, (endMs) => -(endMs % 977) / 1000)
    .filter((_, index) => index % 11 !== 3)
    .map(({ endMs, seconds, kw: value }) => ({
      meter_id,
      timestamp: new Date(endMs).toISOString(),
      interval_seconds: seconds,
      value,
      units: "kWh",
    }));
  const { status, text } = await anna.call(uploadTelemetry, { body: { telemetry: readings } });
  expect(status, text).toBe(200);
};

const period = { start_time: "2026-03-25T13:00:00Z", end_time: "2026-04-01T15:00:00Z" };

const downloaded = new URLSearchParams({ ...period, interval_seconds: "30" }).toString();

/** Every answer that rests on readings. */
export const answers = async (of: Running) => {
  const { siteId } = firstOf(anna);
  const params = { id: siteId };
  return {
    read: (await read(anna, [siteId], { start_time: "2026-03-28T22:00:00Z", end_time: "2026-03-31T01:00:00Z" })).body,
    coarse: (await read(anna, [siteId], { start_time: FIRST, end_time: LAST, interval_seconds: 3600 })).body,
    energy: await of.made(operator.getAnySiteEnergy, { params, query: period }),
    file: (await of.operator("GET", `/sites/${siteId}/energy/download?${downloaded}`)).text,
    site: await of.made(operator.getSite, { params }),
    health: await of.made(operator.getTelemetryHealth, { params }),
    sites: await of.made(operator.listTelemetryHealth, { query: {} }),
    overview: await of.made(operator.getOverview, {}),
    performance: await performanceOf(of, dispatchId),
    measured: await sitePerformanceOf(of, dispatchId, siteId),
  };
};

export const counts = async () => {
  const { rows } = await service.database.pool.query<{ hours: number; days: number }>(
    "select (select count(*)::int from telemetry_hours) as hours, (select count(*)::int from telemetry_days) as days",
  );
  return rows[0];
};

/** Another process on the same database, which has nothing in memory. */
export const fresh = async (): Promise<Running> => {
  const url = await service.another();
  return { ...service, url, made: operatorClient({ url, token: OPERATOR_TOKEN, redirect: "manual" }).call };
};

export const packAll = async (): Promise<void> => {
  const packing = new Packing({
    store: dayStore(service.database.servicePool),
    now: () => service.clock.now(),
    afterDays: 2,
  });
  while (!(await packing.step()).isDone);
};
