import { join } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { transactOver } from "../../../src/app/stores.js";
import { correctPerformance } from "../../../src/performance/operations/final/correct-dispatches.js";
import { measurementReader } from "../../../src/performance/storage/measurement-reader.js";
import { archiveFolder } from "../../../src/platform/files/archive-folder.js";
import { rulesStore } from "../../../src/portfolio/storage/rules-store.js";
import type { AskedHours } from "../../../src/telemetry/operations/hour-stretches.js";
import { archiveStore } from "../../../src/telemetry/storage/archive-store.js";
import {
  dispatchBetween,
  intervalsBetween,
  meanOfDays,
  measuredProgram,
  newStampsOnly,
  performanceOf,
  untilVersions,
  uploadIntervals,
} from "../../support/measuring.js";
import { kwReading, upload } from "../../support/metering.js";
import { type Participant, type Running, running } from "../../support/running.js";
import { testSecretBox } from "../../support/secret-box.js";

// Readings that are archived are gone for measuring: a result that used them stays as it is.
interface Measured {
  readonly service: Running;
  readonly anna: Participant;
  readonly meter: string;
  /** A dispatch that uses days of May, which are archived first. */
  readonly fromDays: string;
  /** One that uses the minutes before its start. */
  readonly fromMinutes: string;
}

/** Two dispatches of a site with a final result. */
const measured = async (settings: Readonly<Record<string, string>>): Promise<Measured> => {
  const service = await running(settings);
  service.clock.set(new Date("2026-06-10T17:00:00Z"));
  const anna = await service.newParticipant();
  const meter = anna.sites[0]?.meters[0] ?? "";
  const before = { kind: "meter_before", seconds: 900, anchor: "start" };
  const days = await measuredProgram(service, [anna], { baseline: meanOfDays(10) });
  const minutes = await measuredProgram(service, [anna], { baseline: { method: before } });
  await load({ anna, meter }, "2026-05-30T00:00:00Z", "2026-06-10T17:00:00Z", 100);
  const fromDays = await dispatchBetween(service, days, ["2026-06-10T18:00:00Z", "2026-06-10T19:00:00Z"]);
  // Soon enough after the end for the result to wait for them.
  service.clock.set(new Date("2026-06-10T20:30:00Z"));
  await load({ anna, meter }, "2026-06-10T17:00:00Z", "2026-06-10T20:30:00Z", 60);
  await untilVersions(service, fromDays, 1);
  const fromMinutes = await dispatchBetween(service, minutes, ["2026-06-15T18:00:00Z", "2026-06-15T19:00:00Z"]);
  service.clock.set(new Date("2026-06-15T20:30:00Z"));
  await load({ anna, meter }, "2026-06-15T17:00:00Z", "2026-06-15T20:30:00Z", 60);
  await untilVersions(service, fromMinutes, 1);
  await untilHandled(service);
  return { service, anna, meter, fromDays, fromMinutes };
};

const load = ({ anna, meter }: Pick<Measured, "anna" | "meter">, from: string, to: string, kw: number): Promise<void> =>
  uploadIntervals(
    anna,
    meter,
    intervalsBetween([from, to], 300, () => kw),
  );

const countOf = async ({ database }: Running, query: string): Promise<number> => {
  const { rows } = await database.pool.query<{ count: number }>(`select count(*)::int as count from ${query}`);
  return rows[0]?.count ?? 0;
};

/** Until no late reading waits for a correction. */
const untilHandled = (service: Running): Promise<unknown> =>
  vi.waitUntil(
    async () => {
      service.clock.advance({ seconds: 6 });
      const [spans, notes] = [
        countOf(service, "late_notes where found_at is null"),
        countOf(service, "late_corrections"),
      ];
      return (await spans) + (await notes) === 0;
    },
    { timeout: 15_000, interval: 100 },
  );

describe("with a limit on how long readings are kept", () => {
  let made: Measured;
  beforeAll(async () => {
    made = await measured({ CURTAIL_KEEP_TELEMETRY: "400", CURTAIL_PACK_SHARE: "100" });
  });

  test("a late reading corrects both results while what they need is there", async () => {
    await load(made, "2026-06-10T18:00:00Z", "2026-06-10T18:10:00Z", 61);
    await load(made, "2026-06-15T18:00:00Z", "2026-06-15T18:10:00Z", 61);
    for (const id of [made.fromDays, made.fromMinutes]) await untilVersions(made.service, id, 2);
    await untilHandled(made.service);
  });

  test("once a part of it is archived, only results that do not need that part are corrected", async () => {
    const { service, fromDays, fromMinutes } = made;
    service.clock.set(new Date("2027-07-10T12:00:00Z"));
    const archives = () => countOf(service, "telemetry_archives");
    await vi.waitUntil(async () => (await archives()) > 0, { timeout: 15_000, interval: 50 });
    await load(made, "2026-06-10T18:00:00Z", "2026-06-10T18:10:00Z", 62);
    await load(made, "2026-06-15T18:00:00Z", "2026-06-15T18:10:00Z", 62);
    await untilVersions(service, fromMinutes, 3);
    await untilHandled(service);
    const { versions, sites } = await performanceOf(service, fromDays);
    expect(versions).toHaveLength(2);
    expect(sites).toMatchObject([{ baseline: "found" }]);
  });

  test("readings of months that are not kept are refused, with the time from which on they are", async () => {
    const { anna, meter } = made;
    const times = ["2026-06-01T00:00:00Z", "2026-05-31T23:59:59Z"];
    const replies = await Promise.all(times.map((time) => upload(anna, [kwReading(meter, time, 1)])));
    expect(replies.map(({ status }) => status)).toEqual([200, 400]);
    expect(replies[1]?.body).toMatchObject({
      message: expect.stringMatching(
        /^telemetry\[0\]\.timestamp is 2026-05-31T23:59:59Z; readings before 2026-06-01T00:00:00Z are not kept any more/,
      ),
    });
  });
});

test("a result stays as it is, too, when readings are archived while it is measured again", async () => {
  const { service, anna, fromDays } = await measured({});
  const { pool } = service.database;
  const folder = archiveFolder(join(service.dataDir, "archive"));
  const store = archiveStore(pool, folder, () => service.clock.now());
  const { months } = await store.oldMonths(0, hourOfStart("2026-06-01"));
  const reader = measurementReader(pool, { ...newStampsOnly, rules: rulesStore(pool) });
  let isArchived = false;
  const ports = {
    clock: service.clock,
    transact: transactOver(pool, testSecretBox),
    reader: {
      ...reader,
      rows: async (...asked: readonly AskedHours[]) => {
        for (const month of isArchived ? [] : months) await store.archive(month);
        isArchived = true;
        return reader.rows(...asked);
      },
    },
  };
  const byService = { seq: 1, reason: "corrected", actor: null, note: null } as const;
  const at = { firstNotedAt: new Date(0), notedAt: new Date(0) };
  const note = { ...byService, ...at, dispatchId: fromDays, siteId: anna.sites[0]?.id ?? "" };
  // It is nothing, too, while the service's own worker has its turn.
  const corrected = async () => {
    expect(await correctPerformance(ports, fromDays, [note])).toBeNull();
    return isArchived;
  };
  await vi.waitUntil(corrected, { timeout: 15_000, interval: 50 });
  expect(await countOf(service, "telemetry_archives")).toBe(1);
  expect((await performanceOf(service, fromDays)).versions).toHaveLength(1);
});

const hourOfStart = (date: string): number => Date.parse(date) / 3_600_000;
