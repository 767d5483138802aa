import { type HourRow, hourRows, runsOf } from "@curtail/measure";
import type { Queryable } from "../../platform/database/database.js";
import { oneShard, queryShard } from "../../platform/database/shard-statement.js";
import { groupsByShard, type ShardGroup } from "../../platform/database/shards.js";
import type { GridReadings } from "../operations/grid-readings.js";
import type { ReadingStore } from "../operations/import-ports.js";
import { encodeStretches, type HourRowPart } from "./telemetry-encoding.js";
import { commitInTwoPhases } from "./two-phases.js";

/**
 * Readings of several uploads as one set of rows, later ones in place of earlier ones. It is sorted by key: unsorted, concurrent
 * uploads deadlock.
 */
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

/** Unchanged rows are skipped, so that a retry leaves no dead rows. */
const setting = (cells: "kw" | "kwh"): string => {
  const sent = `array_lower(excluded.${cells}, 1):array_upper(excluded.${cells}, 1)`;
  return `on conflict (site, meter, hour) do update
    set ${cells}[${sent}] = excluded.${cells}
    where stored.${cells}[${sent}] is distinct from excluded.${cells}[${sent}]`;
};

const POWERS = oneShard(
  "upsert-telemetry",
  ({ sent }) => `
    insert into telemetry_hours as stored (site, meter, hour, kw)
    select site, meter, hour, kw from ${sent("unnest($1::telemetry_hour[])")}
    ${setting("kw")}`,
);

/** Where states of charge are stored. */
export const CHARGES = oneShard(
  "upsert-charges",
  ({ sent }) => `
    insert into charge_hours as stored (site, meter, hour, kwh)
    select site, meter, hour, kw from ${sent("unnest($1::telemetry_hour[])")}
    ${setting("kwh")}`,
);

type Pass = (db: Queryable) => Promise<unknown>;

/** Statements that store rows of one shard, to be run one after the other in one transaction. */
export const upsertPasses = (
  { items, sites }: Pick<ShardGroup<HourRow>, "items" | "sites">,
  oid: number,
  to = POWERS,
): Pass[] => passesOf(items).map((pass) => (db) => queryShard(db, to, sites, [encodeStretches(pass, oid)]));

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

/** Stores readings over the connection of a transaction. */
export const readingStore = (db: Queryable): ReadingStore => {
  let oid: Promise<number> | undefined;
  return {
    async store(readings) {
      oid ??= findHourType(db);
      await commitInTwoPhases(db);
      for (const group of await groupsByShard(db, rowsOf([readings])))
        for (const pass of upsertPasses(group, await oid)) await pass(db);
    },
  };
};
