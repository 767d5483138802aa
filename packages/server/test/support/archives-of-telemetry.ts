import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CELL_SECONDS, cellEndMs, firstCellOfHour, type MeterKey } from "@curtail/measure";
import { DuckDBInstance } from "@duckdb/node-api";
import { type ArchiveFolder, archiveFolder } from "../../src/platform/files/archive-folder.js";
import { Archiving } from "../../src/telemetry/operations/archive-telemetry.js";
import { archiveStore } from "../../src/telemetry/storage/archive-store.js";
import { telemetryReader } from "../../src/telemetry/storage/telemetry-reader.js";
import { TelemetryWriter } from "../../src/telemetry/storage/telemetry-writer.js";
import { cellReadings } from "./bare-meters.js";
import { cloneDatabase, type TestDatabase } from "./database.js";

// Months that are not kept any more: written to files, then deleted, and never anything in between.
export const NOW = new Date("2026-06-10T12:00:00Z");
const KEEP_DAYS = 400;
const dayOf = (date: string): number => Date.parse(date) / 86_400_000;
/** In the newest month that is archived: the first that is kept is May. */
export const APRIL = dayOf("2025-04-07");
export const MARCH = dayOf("2025-03-31");
export const MAY = dayOf("2025-05-01");

export let database: TestDatabase;
export let writer: TelemetryWriter;
export let folder: string;

export const prepareEach = async () => {
  database = await cloneDatabase();
  writer = new TelemetryWriter(database.servicePool);
  folder = await mkdtemp(join(tmpdir(), "curtail-archive-"));
};
export const clearEach = async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
};

export const archiving = (into: ArchiveFolder = archiveFolder(folder)) =>
  new Archiving({ store: archiveStore(database.servicePool, into, () => NOW), now: () => NOW, keepDays: KEEP_DAYS });

/** Archives everything; answers the number of readings. */
export const archiveAll = async (into?: ArchiveFolder): Promise<number> => {
  const work = archiving(into);
  let readings = 0;
  for (let step = await work.step(); !step.isDone; step = await work.step()) readings += step.readings;
  return readings;
};

export const write = (key: MeterKey, day: number, powers: Readonly<Record<number, number>>, cells = 1): Promise<void> =>
  writer.write(cellReadings(key, day, powers, cells));

/** By meter and the end of each 30-second cell, the power in the bits of a double. */
type Cells = Record<string, string>;

export const bitsOf = (kw: number): string => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(kw);
  return bytes.toString("hex");
};

export const stored = async (keys: readonly MeterKey[]): Promise<Cells> => {
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
export const archivedRows = async (): Promise<Archived[]> => {
  const connection = await (await DuckDBInstance.create()).connect();
  const read = await connection.runAndReadAll(
    `select epoch_ms("timestamp") as at, meter_id as id, interval_seconds as seconds, kw
     from read_parquet('${folder}/*/*.parquet') order by meter_id, "timestamp"`,
  );
  connection.closeSync();
  return read.getRowObjectsJS() as unknown as Archived[];
};

export const archived = async (): Promise<Cells> =>
  Object.fromEntries(
    (await archivedRows()).flatMap(({ at, id, seconds, kw }) =>
      Array.from({ length: seconds / CELL_SECONDS }, (_, nth) => [
        `${id} ${Number(at) - nth * CELL_SECONDS * 1000}`,
        bitsOf(kw),
      ]),
    ),
  );

export const siteIds = async (): Promise<string[]> => {
  const { rows } = await database.pool.query<{ id: string }>("select id from sites order by key");
  return rows.map(({ id }) => id);
};

export const files = async (): Promise<string[]> =>
  (await readdir(folder, { recursive: true })).filter((name) => name.includes(".")).toSorted();
