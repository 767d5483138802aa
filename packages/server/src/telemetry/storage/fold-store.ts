import { hourRows, type MeterKey } from "@curtail/measure";
import type pg from "pg";
import { takeTurn } from "../../platform/database/advisory-locks.js";
import { inTransaction, type Queryable } from "../../platform/database/database.js";
import type { Folded, LogStore } from "../operations/fold-log.js";
import { kindOf, type LoggedKind, meterOf } from "./log-batch.js";
import type { LogOverlay } from "./log-overlay.js";
import { logState } from "./logged-read.js";
import { findHourType, foldRows } from "./upsert-hours.js";

/** A statement of the fold, and the rows made for it, take some milliseconds. */
const READINGS_AT_ONCE = 10_000;
/** A transaction of half a minute, whose work is not lost when a later one fails. */
const READINGS_OF_A_FOLD = 4_000_000;

const KINDS = ["power", "charge"] as const;

export const logStore = (pool: pg.Pool): LogStore => ({
  size: () => logState(pool),
  fold: (untilMs) =>
    inTransaction(pool, async (client) => ((await takeTurn(client, "folding")) ? foldIn(client, untilMs) : null)),
});

/** Since the oldest reading of the log was appended, without reading what the log has: it may be large. Null: it has none. */
export const oldestLoggedMs = async (db: Queryable): Promise<number | null> => {
  const { rows } = await db.query<{ age_ms: number }>({
    name: "oldest-logged",
    text: "select (extract(epoch from now() - at) * 1000)::float8 as age_ms from telemetry_log order by xid limit 1",
  });
  return rows[0]?.age_ms ?? null;
};

/** Each row is written by the same transaction that deletes what it was made of, so that every snapshot has one of both. */
const foldIn = async (db: Queryable, untilMs: number): Promise<Folded | null> => {
  const state = await logState(db);
  if (state === null) return null;
  const oldest = state.oldest(READINGS_OF_A_FOLD, untilMs);
  if (oldest.isEmpty) return { readings: 0, leavesMore: false };
  let [oid, readings]: [number | null, number] = [null, 0];
  for (const series of state.series()) {
    oid ??= await findHourType(db);
    for (const kind of KINDS)
      readings += await foldMeters(db, oldest.readings, await keysOf(db, series, kind), kind, oid);
  }
  await db.query({
    name: "delete-folded",
    text: `with gone as (delete from telemetry_log where xid < $1::xid8)
           update telemetry_log_state set folded_below = $1::xid8 where folded_below < $1::xid8`,
    values: [String(oldest.before)],
  });
  return { readings, leavesMore: oldest.isPart };
};

/** Meters that exist and have series of a kind among some, in the order in which uploads write rows. */
const keysOf = async (db: Queryable, series: readonly number[], kind: LoggedKind): Promise<readonly MeterKey[]> => {
  const meters = series.filter((each) => kindOf(each) === kind).map(meterOf);
  if (meters.length === 0) return [];
  const { rows } = await db.query<MeterKey>({
    name: "logged-meters",
    text: `select sites.key as site, meters.key as meter from meters join sites on sites.id = site_id
           where meters.key = any($1::int[]) order by 1, 2`,
    values: [meters],
  });
  return rows;
};

const foldMeters = async (
  db: Queryable,
  foldable: LogOverlay,
  keys: readonly MeterKey[],
  kind: LoggedKind,
  oid: number,
): Promise<number> => {
  let [rows, waiting, folded] = [hourRows(), 0, 0];
  for (const [place, key] of keys.entries()) {
    for (const { lastCell, cellCount, value } of foldable.readings(key.meter, kind)) {
      rows.add(key, lastCell, cellCount, value);
      waiting += 1;
    }
    if (waiting < READINGS_AT_ONCE && place < keys.length - 1) continue;
    if (waiting > 0) await foldRows(db, rows.sorted(), oid, kind);
    folded += waiting;
    [rows, waiting] = [hourRows(), 0];
  }
  return folded;
};
