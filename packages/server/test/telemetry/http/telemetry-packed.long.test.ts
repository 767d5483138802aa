import { operator } from "@curtail/contract";
import { beforeAll, expect, test } from "vitest";
import { intervalsBetween, uploadIntervals } from "../../support/measuring.js";
import { firstOf, pointsOf, read } from "../../support/metering.js";
import { anna, packAll, prepare, service } from "../../support/packed-story.js";
import { type Running, running } from "../../support/running.js";

beforeAll(prepare);

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

/** A service with readings of eight days up to yesterday, and how many hours are not packed. */
const withDays = async (settings: Readonly<Record<string, string | undefined>>) => {
  const packer = await running({ ...settings, CURTAIL_PACK_SHARE: "100" });
  packer.clock.set(new Date("2026-03-01T00:00:00Z"));
  const bob = await packer.newParticipant();
  const { siteId, meterId } = firstOf(bob);
  const days = intervalsBetween(["2026-02-20T00:00:00Z", "2026-02-28T00:00:00Z"], 60, (endMs) => (endMs / 60_000) % 89);
  await uploadIntervals(bob, meterId, days);
  const hours = async (): Promise<number> => {
    packer.clock.advance({ minutes: 10 });
    const { rows } = await packer.database.pool.query("select from telemetry_hours");
    return rows.length;
  };
  return { packer, bob, siteId, hours };
};

const PATIENCE = { timeout: 20_000, interval: 50 };

test("the worker packs in the background, counts it, and stops with the service", async () => {
  const { packer, bob, siteId, hours } = await withDays({ CURTAIL_PACK_AFTER: "1" });
  const asked = { start_time: "2026-02-20T00:00:00Z", end_time: "2026-02-26T00:00:00Z" };
  const before = (await read(bob, [siteId], { ...asked, interval_seconds: 60 })).body;
  await expect.poll(hours, PATIENCE).toBe(24);
  expect((await read(bob, [siteId], { ...asked, interval_seconds: 60 })).body).toEqual(before);
  expect(await metrics(packer)).toContain("curtail_packed_days_total 7");
  expect(await metrics(packer)).toMatch(/curtail_packed_bytes_total [1-9]/);
  await packer.stop();
});

test("the worker of a new store packs what ended three days ago, without a setting", async () => {
  const { packer, hours } = await withDays({ CURTAIL_PACK_AFTER: undefined });
  await expect.poll(hours, PATIENCE).toBe(48);
  await packer.stop();
});

const metrics = async ({ url }: Running): Promise<string> => (await fetch(`${url}/metrics`)).text();
