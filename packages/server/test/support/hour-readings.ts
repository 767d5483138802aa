import { CELLS_PER_HOUR, firstCellOfHour, type MeterKey } from "@curtail/measure";
import type { GridReadings } from "../../src/telemetry/operations/grid-readings.js";
import { telemetryReader } from "../../src/telemetry/storage/telemetry-reader.js";
import { cloneDatabase, type TestDatabase } from "./database.js";

const HOUR = 494_000;
let meters = 0;

export const newMeter = (): MeterKey => ({ site: 1, meter: ++meters });

/** A reading that ends at a cell of the hour, and fills that cell unless it says how many. */
export type Cell = readonly [key: MeterKey, place: number, kw: number, cellCount?: number];

export const readings = (...cells: Cell[]): GridReadings => ({
  count: cells.length,
  keys: cells.map(([key]) => key),
  source: Int32Array.from(cells, (_, index) => index),
  lastCell: Int32Array.from(cells, ([, place]) => firstCellOfHour(HOUR) + place),
  cellCount: Int32Array.from(cells, ([, , , count = 1]) => count),
  powerKw: Float64Array.from(cells, ([, , kw]) => kw),
});

/** Filled cells of a meter, counted from the first of the hour. */
export const stored = async ({ pool }: TestDatabase, key: MeterKey): Promise<Record<number, number>> => {
  const rows = await telemetryReader(pool).rows([key], HOUR, HOUR + 1);
  const cells = rows.flatMap((row) =>
    [...row.cells].map((kw, place) => [(row.hour - HOUR) * CELLS_PER_HOUR + place, kw] as const),
  );
  return Object.fromEntries(cells.filter(([, kw]) => !Number.isNaN(kw)));
};

/** The power that `failingDatabase` refuses. */
export const REFUSED_KW = 666;

/** A database that refuses one power, to stand for other failures half way. */
export const failingDatabase = async (): Promise<TestDatabase> => {
  const database = await cloneDatabase();
  // Meters of `newMeter`: a cluster stores readings of those that it knows.
  await database.pool.query("insert into telemetry_meters select 1, meter from generate_series(1, 1000) as meter");
  // No trigger, which a distributed table cannot have.
  await database.pool.query(
    `alter table telemetry_hours add constraint "refused by the test" check (${REFUSED_KW} <> all(kw))`,
  );
  return database;
};
