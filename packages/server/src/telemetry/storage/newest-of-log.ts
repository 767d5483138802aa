import type { Queryable } from "../../platform/database/database.js";
import { turns } from "../../platform/turns.js";
import type { LogState } from "./log-state.js";
import { logState } from "./logged-read.js";
import type { NewestReadings } from "./logged-readings.js";
import { encodeFloats, encodeInts } from "./number-arrays.js";

/** Parameters of statements with `NewestOfLog`: meters, and the cell and the power of each one's newest reading in the log. */
type NewestParameters = readonly [meters: Buffer, cells: Buffer, kw: Buffer];

/** Meters that have powers in the log, as many as asked for. */
export type SomeLogged = (most: number) => readonly number[];

/** Numbers of meters in their order, which may be chosen by what the log has. */
type AskMeters = (someLogged: SomeLogged) => Promise<readonly number[]>;

/**
 * The newest readings of meters in the log, for a statement that begins later: what is folded meanwhile it finds in rows.
 * Statements that took the log apart themselves would take seconds for some million readings.
 *
 * @param among which meters, asked only if the log has readings
 */
export const newestOfLog = async (db: Queryable, among: AskMeters): Promise<NewestParameters> => {
  const state = await logState(db);
  const asked = state === null || state.readings === 0 ? [] : state.newest(await among(someIn(state)));
  const pieces: NewestReadings[] = [];
  const othersTurn = turns();
  for (const piece of asked) {
    pieces.push(piece);
    await othersTurn();
  }
  const count = pieces.reduce((sum, piece) => sum + piece.meters.length, 0);
  const all = { meters: new Int32Array(count), cells: new Int32Array(count), kw: new Float64Array(count) };
  let at = 0;
  for (const piece of pieces) {
    all.meters.set(piece.meters, at);
    all.cells.set(piece.cells, at);
    all.kw.set(piece.kw, at);
    at += piece.meters.length;
  }
  return [encodeInts(all.meters), encodeInts(all.cells), encodeFloats(all.kw)];
};

const someIn =
  (log: LogState): SomeLogged =>
  (most) => {
    const found: number[] = [];
    for (const { meters } of log.newest(null)) {
      found.push(...meters);
      if (found.length >= most) break;
    }
    return found.slice(0, most);
  };

/** SQL for what `newestOfLog` has. */
interface NewestOfLog {
  /** The first query of a `with`. */
  readonly first: string;
  /** The newest reading of a meter in the log, as `at`, `kw` and true. */
  readonly of: (meter: string) => string;
  /** Condition: the log has a reading of the meter. */
  readonly has: (meter: string) => string;
}

/**
 * Meters are looked up by halving: joined, a planner that knows nothing of them may compare each with each.
 *
 * @param parameter the number of the first of its three parameters
 */
export const newestLoggedFrom = (parameter: number): NewestOfLog => ({
  first: `logged as materialized (
    select $${parameter}::int[] as meters, $${parameter + 1}::int[] as cells, $${parameter + 2}::float8[] as kw)`,
  of: (meter) => `
    select to_timestamp((select cells from logged)[nth] * 30), (select logged.kw from logged)[nth], true
    from (select ${placeOf(meter)} as nth offset 0) as place
    where (select meters from logged)[nth] = ${meter}`,
  has: (meter) => `(select meters from logged)[${placeOf(meter)}] = ${meter}`,
});

const placeOf = (meter: string): string => `width_bucket(${meter}, (select meters from logged))`;
