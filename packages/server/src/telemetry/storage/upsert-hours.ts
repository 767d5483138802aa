import { type HourRow, hourRows, runsOf } from "@curtail/measure";
import type { Queryable } from "../../platform/database/database.js";
import { oneShard, queryShard, type ShardParts } from "../../platform/database/shard-statement.js";
import { groupsByShard, type ShardGroup } from "../../platform/database/shards.js";
import type { Hours } from "../domain/hours.js";
import type { GridReadings } from "../operations/grid-readings.js";
import type { ReadingStore } from "../operations/import-ports.js";
import { appendToLog, overlapsLog } from "./log-append.js";
import type { LoggedKind, UploadedReadings } from "./log-batch.js";
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

/** Where rows of a kind are stored. */
const insert = (kind: LoggedKind, rows: string): string =>
  kind === "charge"
    ? `insert into charge_hours as stored (site, meter, hour, kwh) select site, meter, hour, kw from ${rows} ${setting("kwh")}`
    : `insert into telemetry_hours as stored (site, meter, hour, kw) select site, meter, hour, kw from ${rows} ${setting("kw")}`;

const ROWS = "unnest($1::telemetry_hour[])";

/** Stores nothing while the log has readings of the hours, which would count as later, and says so. */
const uploaded =
  (kind: LoggedKind) =>
  ({ sent, isPlain }: ShardParts): string => {
    if (!isPlain) return insert(kind, sent(ROWS));
    return `
      with log as materialized (select ${overlapsLog("$2", "$3")} as is_refused),
        stored as (${insert(kind, `${sent(ROWS)} where not (select is_refused from log)`)})
      select is_refused from log`;
  };
const UPLOADED = {
  power: oneShard("upsert-telemetry", uploaded("power")),
  charge: oneShard("upsert-charges", uploaded("charge")),
};

/** Stores what the log had. */
const folded =
  (kind: LoggedKind) =>
  ({ sent }: ShardParts): string =>
    insert(kind, sent(ROWS));
const FOLDED = {
  power: oneShard("fold-telemetry", folded("power")),
  charge: oneShard("fold-charges", folded("charge")),
};

interface Refusal {
  readonly is_refused?: boolean;
}

/** Returns whether nothing was stored because of the log. */
type Pass = (db: Queryable) => Promise<boolean>;

/** Statements that store rows of a kind in one shard, to be run one after the other in one transaction. */
export const upsertPasses = (
  { items, sites }: Pick<ShardGroup<HourRow>, "items" | "sites">,
  oid: number,
  kind: LoggedKind = "power",
): Pass[] => {
  const hours = sites === null ? hoursOf(items) : null;
  const limits = hours === null ? [] : [hours.from, hours.to];
  return passesOf(items).map((pass) => async (db) => {
    const values = [encodeStretches(pass, oid), ...limits];
    const { rows } = await queryShard<Refusal>(db, UPLOADED[kind], sites, values);
    return rows[0]?.is_refused === true;
  });
};

const hoursOf = (rows: readonly HourRow[]): Hours => {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const { hour } of rows) {
    from = Math.min(from, hour);
    to = Math.max(to, hour);
  }
  return { from, to };
};

/** Stores readings over the connection of a transaction, or appends them to the log while it has some of their hours. */
const store = async (db: Queryable, readings: GridReadings, oid: number): Promise<void> => {
  const passes = (await groupsByShard(db, rowsOf([readings]))).flatMap((group) => upsertPasses(group, oid));
  await runPasses(db, passes, { powers: [readings], charges: [] });
};

/** Runs statements that store readings, within a transaction if there are several; all are appended to the log if one is refused. */
export const runPasses = async (db: Queryable, passes: readonly Pass[], of: UploadedReadings): Promise<void> => {
  let isRefused = false;
  for (const pass of passes) if (await pass(db)) isRefused = true;
  if (isRefused) await appendToLog(db, of);
};

/** Stores rows of a kind in the transaction that folds the log. */
export const foldRows = async (
  db: Queryable,
  rows: readonly HourRow[],
  oid: number,
  kind: LoggedKind,
): Promise<void> => {
  for (const pass of passesOf(rows)) await queryShard(db, FOLDED[kind], null, [encodeStretches(pass, oid)]);
};

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
      await store(db, readings, await oid);
    },
  };
};
