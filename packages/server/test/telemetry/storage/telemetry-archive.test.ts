import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CELL_SECONDS, cellEndMs, firstCellOfHour, type MeterKey } from "@curtail/measure";
import { DuckDBInstance } from "@duckdb/node-api";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ArchiveFolder, archiveFolder } from "../../../src/platform/files/archive-folder.js";
import { Archiving } from "../../../src/telemetry/operations/archive-telemetry.js";
import { Packing } from "../../../src/telemetry/operations/pack-days.js";
import { archiveStore } from "../../../src/telemetry/storage/archive-store.js";
import { dayStore } from "../../../src/telemetry/storage/day-store.js";
import { telemetryReader } from "../../../src/telemetry/storage/telemetry-reader.js";
import { TelemetryWriter } from "../../../src/telemetry/storage/telemetry-writer.js";
import { bareMeter, bareMeters, cellReadings } from "../../support/bare-meters.js";
import { cloneDatabase, type TestDatabase } from "../../support/database.js";

// Months that are not kept any more: written to files, then deleted, and never anything in between.
const NOW = new Date("2026-06-10T12:00:00Z");
const KEEP_DAYS = 400;
const dayOf = (date: string): number => Date.parse(date) / 86_400_000;
/** In the newest month that is archived: the first that is kept is May. */
const APRIL = dayOf("2025-04-07");
const MARCH = dayOf("2025-03-31");
const MAY = dayOf("2025-05-01");

let database: TestDatabase;
let writer: TelemetryWriter;
let folder: string;

beforeEach(async () => {
  database = await cloneDatabase();
  writer = new TelemetryWriter(database.servicePool);
  folder = await mkdtemp(join(tmpdir(), "curtail-archive-"));
});
afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const archiving = (into: ArchiveFolder = archiveFolder(folder)) =>
  new Archiving({ store: archiveStore(database.servicePool, into, () => NOW), now: () => NOW, keepDays: KEEP_DAYS });

/** Archives everything; answers the number of readings. */
const archiveAll = async (into?: ArchiveFolder): Promise<number> => {
  const work = archiving(into);
  let readings = 0;
  for (let step = await work.step(); !step.isDone; step = await work.step()) readings += step.readings;
  return readings;
};

const packAll = async (): Promise<void> => {
  const packing = new Packing({ store: dayStore(database.servicePool), now: () => NOW, afterDays: 1 });
  for (let step = await packing.step(); !step.isDone; step = await packing.step());
};

const write = (key: MeterKey, day: number, powers: Readonly<Record<number, number>>, cells = 1): Promise<void> =>
  writer.write(cellReadings(key, day, powers, cells));

/** By meter and the end of each 30-second cell, the power in the bits of a double. */
type Cells = Record<string, string>;

const bitsOf = (kw: number): string => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(kw);
  return bytes.toString("hex");
};

const stored = async (keys: readonly MeterKey[]): Promise<Cells> => {
  const ids = await database.pool.query<{ key: number; id: string }>("select key, id from meters");
  const idOf = new Map(ids.rows.map(({ key, id }) => [key, id]));
  const rows = await telemetryReader(database.servicePool).rows(
    keys,
    dayOf("2024-01-01") * 24,
    dayOf("2027-01-01") * 24,
  );
  const cells = rows.flatMap(({ meter, hour, cells: all }) =>
    [...all].map((kw, place) => [`${idOf.get(meter)} ${cellEndMs(firstCellOfHour(hour) + place)}`, kw] as const),
  );
  return Object.fromEntries(cells.filter(([, kw]) => !Number.isNaN(kw)).map(([cell, kw]) => [cell, bitsOf(kw)]));
};

interface Archived {
  readonly at: bigint;
  readonly id: string;
  readonly seconds: number;
  readonly kw: number;
}

/** What DuckDB reads from all files. */
const archivedRows = async (): Promise<Archived[]> => {
  const connection = await (await DuckDBInstance.create()).connect();
  const read = await connection.runAndReadAll(
    `select epoch_ms("timestamp") as at, meter_id as id, interval_seconds as seconds, kw
     from read_parquet('${folder}/*/*.parquet') order by meter_id, "timestamp"`,
  );
  connection.closeSync();
  return read.getRowObjectsJS() as unknown as Archived[];
};

const archived = async (): Promise<Cells> =>
  Object.fromEntries(
    (await archivedRows()).flatMap(({ at, id, seconds, kw }) =>
      Array.from({ length: seconds / CELL_SECONDS }, (_, nth) => [
        `${id} ${Number(at) - nth * CELL_SECONDS * 1000}`,
        bitsOf(kw),
      ]),
    ),
  );

const siteIds = async (): Promise<string[]> => {
  const { rows } = await database.pool.query<{ id: string }>("select id from sites order by key");
  return rows.map(({ id }) => id);
};

const files = async (): Promise<string[]> =>
  (await readdir(folder, { recursive: true })).filter((name) => name.includes(".")).toSorted();

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

/** Does something else after the file is written and before anything is deleted. */
const meanwhile = (work: () => Promise<void>): ArchiveFolder => {
  let isDone = false;
  return {
    async write(...file) {
      const written = await archiveFolder(folder).write(...file);
      if (!isDone) await work();
      isDone = true;
      return written;
    },
  };
};

test("a reading of another hour that arrives meanwhile stays, and goes to a file of its own", async () => {
  const key = await bareMeter(database);
  await write(key, APRIL, { 0: 1 });
  const before = await stored([key]);
  const work = archiving(meanwhile(() => write(key, APRIL, { 1000: 2 })));
  while ((await work.step()).readings === 0);
  expect(Object.values(await stored([key]))).toEqual([bitsOf(2)]);
  await archiveAll();
  expect(await files()).toEqual([expect.stringMatching(/-2\.parquet$/), expect.stringMatching(/site-\d+\.parquet$/)]);
  expect(Object.values(await archived()).toSorted()).toEqual([...Object.values(before), bitsOf(2)].toSorted());
  expect(await stored([key])).toEqual({});
});

test("a reading of the same hour that arrives meanwhile puts the month off; nothing is deleted", async () => {
  const key = await bareMeter(database);
  await write(key, APRIL, { 0: 1 });
  const work = archiving(meanwhile(() => write(key, APRIL, { 1: 2 })));
  while (!(await work.step()).isDone);
  expect(await files()).toEqual([expect.stringMatching(/\.part$/)]);
  const both = await stored([key]);
  expect(Object.keys(both)).toHaveLength(2);
  await archiveAll();
  expect(await archived()).toEqual(both);
  expect(await files()).toEqual([expect.stringMatching(/^2025-04.site-\d+\.parquet$/)]);
});

test("what was written but not recorded, because the process was killed, is not written twice", async () => {
  const key = await bareMeter(database);
  await write(key, APRIL, { 0: 1, 1: 2 });
  const before = await stored([key]);
  const killed: ArchiveFolder = {
    async write(...file) {
      const written = await archiveFolder(folder).write(...file);
      const keep = async () => {
        await written.keep();
        throw new Error("killed");
      };
      return { ...written, keep };
    },
  };
  await expect(archiveAll(killed)).rejects.toThrow("killed");
  expect(await stored([key])).toEqual(before);
  expect(await archiveAll()).toBe(2);
  expect(await archived()).toEqual(before);
  expect(await files()).toHaveLength(1);
});

test("a file that is there is never written over", async () => {
  const key = await bareMeter(database);
  await write(key, APRIL, { 0: 1 });
  const [id] = await siteIds();
  const theirs = join(folder, "2025-04", `${id}.parquet`);
  await mkdir(join(folder, "2025-04"));
  await writeFile(theirs, "somebody's");
  await archiveAll();
  expect(await readFile(theirs, "utf8")).toBe("somebody's");
  expect(await files()).toHaveLength(2);
});

test("without a place for the file, nothing is deleted", async () => {
  const key = await bareMeter(database);
  await write(key, APRIL, { 0: 1 });
  const before = await stored([key]);
  await writeFile(join(folder, "taken"), "");
  await expect(archiveAll(archiveFolder(join(folder, "taken")))).rejects.toThrow(/ENOTDIR|EEXIST/);
  expect(await stored([key])).toEqual(before);
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

test("states of charge of a month are in files of their own, and leave with it", async () => {
  const [first, second] = (await bareMeters(database, 2)) as [MeterKey, MeterKey];
  const none = cellReadings(first, APRIL, {});
  await writer.write(cellReadings(first, APRIL, { 0: 10 }), cellReadings(first, APRIL, { 9: 500, 19: 510.5 }, 10));
  await writer.write(none, cellReadings(second, MARCH, { 5: 7 }));
  await writer.write(none, cellReadings(second, MAY, { 0: 8 }));
  expect(await archiveAll()).toBe(1 + 2 + 1);
  const [id] = await siteIds();
  expect(await files()).toEqual([
    `2025-04/${id}.parquet`,
    `charge/2025-03/${id}.parquet`,
    `charge/2025-04/${id}.parquet`,
  ]);
  const connection = await (await DuckDBInstance.create()).connect();
  const read = await connection.runAndReadAll(
    `select meter_id, interval_seconds, kwh from read_parquet('${folder}/charge/*/*.parquet') order by "timestamp"`,
  );
  connection.closeSync();
  expect(read.getRowsJS()).toEqual([
    [`${id}-2`, 30, 7],
    [`${id}-1`, 300, 500],
    [`${id}-1`, 300, 510.5],
  ]);
  const left = await database.pool.query("select hour / 24 as day, kwh from charge_hours");
  expect(left.rows).toEqual([{ day: MAY, kwh: [8] }]);
  expect(await archiveAll()).toBe(0);
});
