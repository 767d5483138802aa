import { operatorClient } from "@curtail/client";
import { operator, type TelemetryReading, uploadTelemetry } from "@curtail/contract";
import { beforeAll, expect, test, vi } from "vitest";
import { Packing } from "../../../src/telemetry/operations/pack-days.js";
import { dayStore } from "../../../src/telemetry/storage/day-store.js";
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
import { OPERATOR_TOKEN, type Participant, type Running, running } from "../../support/running.js";

// Whatever reads telemetry answers the same before and after its days are packed.
let service: Running;
let anna: Participant;
let dispatchId: string;

const FIRST = "2026-03-22T00:00:00Z";
const LAST = "2026-04-02T00:00:00Z";

beforeAll(async () => {
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
});

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
const answers = async (of: Running) => {
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

const counts = async () => {
  const { rows } = await service.database.pool.query<{ hours: number; days: number }>(
    "select (select count(*)::int from telemetry_hours) as hours, (select count(*)::int from telemetry_days) as days",
  );
  return rows[0];
};

/** Another process on the same database, which has nothing in memory. */
const fresh = async (): Promise<Running> => {
  const url = await service.another();
  return { ...service, url, made: operatorClient({ url, token: OPERATOR_TOKEN, redirect: "manual" }).call };
};

const packAll = async (): Promise<void> => {
  const packing = new Packing({
    store: dayStore(service.database.servicePool),
    now: () => service.clock.now(),
    afterDays: 2,
  });
  while (!(await packing.step()).isDone);
};

test("packed days change no answer, nor do late readings before and after they are packed, too", async () => {
  const before = await answers(await fresh());
  expect(before.energy.site.energy_kwh).not.toBeNull();
  expect(before.measured.site.baseline).toBe("found");
  await packAll();
  // Two days that did not end two days ago, of two meters.
  expect(await counts()).toEqual({ hours: 2 * 48, days: 2 * 9 });
  expect(await answers(await fresh())).toEqual(before);

  const { meterId } = firstOf(anna);
  const late = ["2026-03-29T01:00:00Z", "2026-03-31T10:30:00Z"].map((at) => kwReading(meterId, at, 12.25, 300));
  expect((await upload(anna, late)).status).toBe(200);
  const corrected = await answers(await fresh());
  expect(corrected.read).not.toEqual(before.read);
  expect(corrected.measured.explanation).not.toEqual(before.measured.explanation);
  await packAll();
  expect(await counts()).toEqual({ hours: 2 * 48, days: 2 * 9 });
  expect(await answers(await fresh())).toEqual(corrected);
});

test("an import replaces what is packed, before and after it is packed, too", async () => {
  const { siteId, meterId } = firstOf(anna);
  await packAll();
  const body = "interval_start,interval_seconds,kw\n2026-03-27T10:00:00Z,3600,12.5\n";
  const query = { meter_id: meterId };
  await service.made(operator.importMeterData, { params: { id: siteId }, query, body });
  const hour = { start_time: "2026-03-27T09:55:00Z", end_time: "2026-03-27T11:05:00Z", interval_seconds: 300 };
  const imported = pointsOf(await read(anna, [siteId], hour), meterId);
  expect(imported).toHaveLength(14);
  expect(new Set(imported.slice(1, 13).map(([, kw]) => kw))).toEqual(new Set([12.5]));
  expect([imported[0]?.[1], imported[13]?.[1]]).not.toContain(12.5);
  await packAll();
  expect(pointsOf(await read(anna, [siteId], hour), meterId)).toEqual(imported);
});

test("the worker packs in the background, counts it, and stops with the service", async () => {
  const packer = await running({ CURTAIL_PACK_AFTER: "1", CURTAIL_PACK_SHARE: "100" });
  packer.clock.set(new Date("2026-03-01T00:00:00Z"));
  const bob = await packer.newParticipant();
  const { siteId, meterId } = firstOf(bob);
  const days = intervalsBetween(["2026-02-20T00:00:00Z", "2026-02-28T00:00:00Z"], 60, (endMs) => (endMs / 60_000) % 89);
  await uploadIntervals(bob, meterId, days);
  const asked = { start_time: "2026-02-20T00:00:00Z", end_time: "2026-02-26T00:00:00Z" };
  const before = (await read(bob, [siteId], { ...asked, interval_seconds: 60 })).body;
  await vi.waitUntil(
    async () => {
      packer.clock.advance({ minutes: 10 });
      const { rows } = await packer.database.pool.query("select from telemetry_hours");
      return rows.length === 24;
    },
    { timeout: 20_000, interval: 50 },
  );
  expect((await read(bob, [siteId], { ...asked, interval_seconds: 60 })).body).toEqual(before);
  expect(await metrics(packer)).toContain("curtail_packed_days_total 7");
  expect(await metrics(packer)).toMatch(/curtail_packed_bytes_total [1-9]/);
  await packer.stop();
});

const metrics = async ({ url }: Running): Promise<string> => (await fetch(`${url}/metrics`)).text();
