import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { MeterKey } from "@curtail/measure";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { foldAll } from "../../../src/telemetry/operations/fold-log.js";
import { Packing } from "../../../src/telemetry/operations/pack-days.js";
import { dayStore } from "../../../src/telemetry/storage/day-store.js";
import { logStore } from "../../../src/telemetry/storage/fold-store.js";
import { appendToLog } from "../../../src/telemetry/storage/log-append.js";
import {
  APRIL,
  archiveAll,
  archived,
  archivedRows,
  clearEach,
  database,
  files,
  folder,
  MARCH,
  MAY,
  NOW,
  prepareEach,
  siteIds,
  stored,
  write,
} from "../../support/archives-of-telemetry.js";
import { bareMeter, bareMeters, cellReadings } from "../../support/bare-meters.js";

beforeEach(prepareEach);

afterEach(clearEach);

const packAll = async (): Promise<void> => {
  const packing = new Packing({ store: dayStore(database.servicePool), now: () => NOW, afterDays: 1 });
  for (let step = await packing.step(); !step.isDone; step = await packing.step());
};

test("months that are not kept are in files that DuckDB reads, exact to the bit; later ones stay", async () => {
  const [first, second] = (await bareMeters(database, 2)) as [MeterKey, MeterKey];
  const other = await bareMeter(database);
  const powers = fc.sample(fc.double({ min: -5e4, max: 5e4, noNaN: true }), 900);
  const random = Object.fromEntries(powers.map((kw, nth) => [nth * 3, kw]));
  await write(first, APRIL, { ...random, 2879: -0, 2878: 5e-324 });
  // Five minutes, and the last reading of a month, which ends with it.
  await write(second, APRIL, { 9: 1.1, 19: 2.2, 39: -3.3 }, 10);
  await write(second, MARCH, { 2879: 7 });
  await write(other, APRIL, Object.fromEntries(Array.from({ length: 2880 }, (_, place) => [place, 12.5])));
  await packAll();
  // Beside a packed day; and in the first cell that is kept.
  await write(first, APRIL, { 0: 0.1 });
  await write(first, MAY, { 0: 4 });
  const before = await stored([first, second, other]);
  expect(await archiveAll()).toBe(902 + 3 + 1 + 24);
  const left = await stored([first, second, other]);
  expect(Object.keys(left)).toEqual([expect.stringContaining(String(Date.parse("2025-05-01T00:00:30Z")))]);
  expect({ ...(await archived()), ...left }).toEqual(before);
  const [one, two] = await siteIds();
  expect(await files()).toEqual([`2025-03/${one}.parquet`, `2025-04/${one}.parquet`, `2025-04/${two}.parquet`]);
  const intervals = (await archivedRows()).filter(({ id }) => id === `${one}-2`).map(({ seconds }) => seconds);
  expect(intervals).toEqual([30, 300, 300, 300]);
  expect(await archiveAll()).toBe(0);
});

test("each file is recorded with its readings, its size and its checksum", async () => {
  await write(await bareMeter(database), APRIL, { 0: 1, 5: 2 });
  await archiveAll();
  const { rows } = await database.pool.query(
    "select file, readings, bytes, sha256, archived_at from telemetry_archives",
  );
  const [name = ""] = await files();
  const content = await readFile(join(folder, name));
  const sha256 = createHash("sha256").update(content).digest("hex");
  expect(rows).toEqual([{ file: name, readings: 2, bytes: content.length, sha256, archived_at: NOW }]);
});

test("two processes archive a month once", async () => {
  const key = await bareMeter(database);
  await write(key, APRIL, { 0: 1, 1: 2 });
  const before = await stored([key]);
  await Promise.all([archiveAll(), archiveAll(), archiveAll()]);
  await archiveAll();
  expect(await archived()).toEqual(before);
  expect(await files()).toHaveLength(1);
});

test("a month of which the log has readings is archived once they are folded", async () => {
  const key = await bareMeter(database);
  await write(key, APRIL, { 5: 1 });
  await appendToLog(database.servicePool, { powers: [cellReadings(key, APRIL, { 5: 2, 6: 3 })], charges: [] });
  expect(await archiveAll()).toBe(0);
  expect(await foldAll(logStore(database.servicePool), { sleep })).toBe(true);
  const before = await stored([key]);
  expect(await archiveAll()).toBe(2);
  expect(await archived()).toEqual(before);
});
