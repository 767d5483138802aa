import { type HourRow, hourRows, runsOf } from "@curtail/measure";
import type { Queryable } from "../../platform/database/database.js";
import type { GridReadings } from "../operations/grid-readings.js";
import type { ReadingStore } from "../operations/import-ports.js";
import { encodeStretches, type HourRowPart } from "./telemetry-encoding.js";

/** Readings of several uploads as one sorted set of rows; later ones replace earlier ones. */
export const rowsOf = (all: readonly GridReadings[]): HourRow[] => {
  const rows = hourRows();
  for (const { count, keys, source, lastCell, cellCount, powerKw } of all) {
    for (let index = 0; index < count; index++) {
      const key = keys[source[index] ?? -1];
      if (key === undefined) throw new Error(`reading ${index} has no meter after its check`);
      rows.add(key, lastCell[index] ?? 0, cellCount[index] ?? 0, powerKw[index] ?? 0);
    }
  }
  return rows.sorted();
};

/** Where rows are stored. */
export interface HourTable {
  readonly table: "telemetry_hours" | "charge_hours";
  readonly cells: "kw" | "kwh";
}
const POWERS: HourTable = { table: "telemetry_hours", cells: "kw" };
export const CHARGES: HourTable = { table: "charge_hours", cells: "kwh" };

/** Statements that store rows, to be run one after the other in one transaction. */
export const upsertPasses = (
  rows: readonly HourRow[],
  oid: number,
  to = POWERS,
): Array<(db: Queryable) => Promise<void>> =>
  passesOf(rows).map((pass) => (db) => upsert(db, encodeStretches(pass, oid), to));

/** A statement can update a row only once, so the second part of an hour goes into a second pass, and so on. */
const passesOf = (rows: readonly HourRow[]): HourRowPart[][] => {
  const passes: HourRowPart[][] = [];
  for (const row of rows) {
    for (const [index, run] of runsOf(row.cells).entries()) {
      const pass = (passes[index] ??= []);
      pass.push({ row, run });
    }
  }
  return passes;
};

/** The type of a row in statements. */
export const findHourType = async (db: Queryable): Promise<number> => {
  const { rows } = await db.query<{ oid: number }>("select 'telemetry_hour'::regtype::oid as oid");
  if (rows[0] === undefined) throw new Error("the type telemetry_hour is missing; run the migrations");
  return rows[0].oid;
};

// Rows are sorted by key: unsorted, concurrent uploads deadlock. Unchanged rows are skipped, so that a retry leaves no
// dead rows.
const upsert = async (db: Queryable, stretches: Buffer, { table, cells }: HourTable): Promise<void> => {
  const isPower = table === POWERS.table;
  const sent = `array_lower(excluded.${cells}, 1):array_upper(excluded.${cells}, 1)`;
  await db.query({
    name: isPower ? "upsert-telemetry" : "upsert-charges",
    text: `insert into ${table} as stored (site, meter, hour, ${cells})
           select site, meter, hour, kw from unnest($1::telemetry_hour[])
           on conflict (site, meter, hour) do update
           set ${cells}[${sent}] = excluded.${cells}
           where stored.${cells}[${sent}] is distinct from excluded.${cells}[${sent}]`,
    values: [stretches],
  });
};

/** Stores readings over the connection of a transaction. */
export const readingStore = (db: Queryable): ReadingStore => {
  let oid: Promise<number> | undefined;
  return {
    async store(readings) {
      oid ??= findHourType(db);
      for (const pass of upsertPasses(rowsOf([readings]), await oid)) await pass(db);
    },
  };
};
