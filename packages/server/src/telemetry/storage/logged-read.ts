import type { Queryable } from "../../platform/database/database.js";
import { memoryOfPool } from "../../platform/database/memory-of-pool.js";
import {
  type OneShard,
  oneShard,
  queryShard,
  rowsOfShards,
  type ShardParts,
} from "../../platform/database/shard-statement.js";
import { isDistributed, type OfSite } from "../../platform/database/shards.js";
import { turns } from "../../platform/turns.js";
import { decodeColumns, ENCODED_COLUMNS, type LogBatch } from "./log-batch.js";
import { LogOverlay, parseSnapshot, type Snapshot } from "./log-overlay.js";
import { LoggedReadings } from "./logged-readings.js";

/** A row of what is stored; what its members mean is the statement's own. */
export interface StoredRecord extends OfSite {
  readonly meter: number;
  readonly place: number;
  readonly version: string | null;
  readonly content: string | null;
}

/** What the log has that is not folded. */
export interface LogState {
  readonly readings: number;
  /** Since the oldest of them was appended, by the clock of the database; null: there are none. */
  readonly ageMs: number | null;
  /** Numbers of meters that it has readings of. */
  readonly meters: () => Iterable<number>;
  /** All transactions before it are over: what they appended can be folded. */
  readonly decided: number;
  /** Readings that those transactions appended. */
  readonly foldable: LogOverlay;
}

/** Records, and what the log adds to them; on a distributed database there is no log. */
export interface LoggedAnswer {
  readonly records: readonly StoredRecord[];
  readonly log: LogOverlay | null;
}

/** In place of a site: rows of the log, and the row that says what the statement saw. */
const BATCH = -1;
const SEEN = -2;

/** What a statement returns of the log, as further rows: batches that the snapshot in the parameter did not see. */
const logRows = (known: string): string => `
  select ${BATCH}, 0, 0, concat_ws(' ', xid, seq, floor(extract(epoch from at) * 1000)), ${ENCODED_COLUMNS}
  from (
    select * from telemetry_log
    where xid >= coalesce(pg_snapshot_xmin(${known}::pg_snapshot), '0')
      and pg_visible_in_snapshot(xid, ${known}::pg_snapshot) is not true
      and xid >= (select folded_below from telemetry_log_state)
    order by xid, seq
  ) as unseen
  union all
  select ${SEEN}, 0, 0, pg_current_snapshot()::text,
    json_build_object('foldedBelow', folded_below::text, 'own', pg_current_xact_id_if_assigned()::text,
      'serverStart', pg_postmaster_start_time(), 'nowMs', floor(extract(epoch from now()) * 1000))::text
  from telemetry_log_state`;

/**
 * A statement on hour rows that returns, in one snapshot, what the log has in addition.
 *
 * @param text SQL of `StoredRecord`s
 * @param parameters how many it has
 */
export const loggedRead = (name: string, parameters: number, text: (parts: ShardParts) => string): OneShard =>
  oneShard(name, (parts) =>
    parts.isPlain ? `${text(parts)} union all (${logRows(`$${parameters + 1}`)})` : text(parts),
  );

/** What a statement says it saw. */
interface Seen {
  readonly foldedBelow: string;
  /** The transaction of the statement, if it has written something. */
  readonly own: string | null;
  readonly serverStart: string;
  readonly nowMs: number;
}

/** Takes some milliseconds. */
const READINGS_A_TURN = 50_000;

/** A statement for what the log has that a snapshot did not see; null: for all of it. */
type Query = (known: string | null) => Promise<readonly StoredRecord[]>;

interface WholeAnswer extends LoggedAnswer {
  readonly state: LogState;
}

/** What a process knows of the log. */
class LogMemory {
  private logged = new LoggedReadings();
  /** What the newest statement saw, whose batches are in `logged`. */
  private seen: { readonly text: string; readonly snapshot: Snapshot } | null = null;
  private serverStart: string | null = null;

  /** @param isShared by all statements; what a transaction appended itself belongs to the memory of one statement */
  constructor(private readonly isShared: boolean) {}

  /**
   * Null: this memory does not serve the statement. It saw less than what is folded, as one of a transaction that began before;
   * its transaction may be undone; or the server is another one.
   */
  async ask(query: Query): Promise<WholeAnswer | null> {
    const { logged } = this;
    const rows = await query(this.seen?.text ?? null);
    const row = rows.findLast(({ site }) => site === SEEN);
    if (row === undefined) throw new Error("the log of readings does not say what it has; run the migrations");
    const seen = JSON.parse(row.content ?? "null") as Seen;
    if (this.isOf(seen, logged) && (await this.add(rows, seen)) && this.isOf(seen, logged))
      return this.answer(rows, row.version ?? "", seen);
    return null;
  }

  /** Whether an answer belongs to what this memory knows of a server; of another server it forgets everything. */
  private isOf({ serverStart }: Seen, logged: LoggedReadings): boolean {
    if (logged !== this.logged) return false;
    if (this.serverStart === null || this.serverStart === serverStart) return true;
    this.logged = new LoggedReadings();
    this.seen = null;
    this.serverStart = null;
    return false;
  }

  /** Adds batches, in turns with others: there may be millions of readings. */
  private async add(rows: readonly StoredRecord[], { own, serverStart }: Seen): Promise<boolean> {
    if (this.isShared && own !== null) return false;
    this.serverStart = serverStart;
    const { logged } = this;
    let waiting = 0;
    const othersTurn = turns();
    for (const row of rows) {
      if (row.site !== BATCH) continue;
      const batch = batchOf(row);
      logged.add(batch);
      waiting += batch.count;
      if (waiting < READINGS_A_TURN) continue;
      waiting = 0;
      await othersTurn();
    }
    return true;
  }

  private answer(
    rows: readonly StoredRecord[],
    text: string,
    { foldedBelow: folded, own, nowMs }: Seen,
  ): WholeAnswer | null {
    const foldedBelow = Number(folded);
    if (foldedBelow < this.logged.foldedBelow) return null;
    this.logged.dropBelow(foldedBelow);
    const snapshot = parseSnapshot(text);
    if (this.seen === null || this.seen.snapshot.xmax <= snapshot.xmax) this.seen = { text, snapshot };
    const log = new LogOverlay(this.logged, { ...snapshot, own: Number(own ?? -1) }, foldedBelow);
    const records = rows.filter(({ site }) => site !== BATCH && site !== SEEN);
    return { records, log, state: this.stateAt(snapshot, foldedBelow, nowMs) };
  }

  private stateAt({ xmin }: Snapshot, foldedBelow: number, nowMs: number): LogState {
    const { logged } = this;
    return {
      readings: logged.count,
      ageMs: logged.oldestMs === null ? null : nowMs - logged.oldestMs,
      meters: () => logged.meters(),
      decided: xmin,
      foldable: new LogOverlay(logged, { xmin, xmax: xmin, open: new Set() }, foldedBelow),
    };
  }
}

const memoryOf = memoryOfPool(() => new LogMemory(true));

/** Asks with what is known of the log, and once more without where that does not serve the statement. */
const asked = async (db: Queryable, query: Query): Promise<WholeAnswer> => {
  const answer = (await memoryOf(db).ask(query)) ?? (await new LogMemory(false).ask(query));
  if (answer === null) throw new Error("the server of the database changed while the log of readings was read");
  return answer;
};

/**
 * What the statement returns for the items, and what of the log lies over it: to be used before anything else is awaited, as
 * what is folded meanwhile is forgotten.
 */
export const readLogged = async <T extends OfSite>(
  db: Queryable,
  statement: OneShard,
  items: readonly T[],
  values: (items: readonly T[]) => readonly unknown[],
): Promise<LoggedAnswer> => {
  if (await isDistributed(db))
    return { records: await rowsOfShards<StoredRecord, T>(db, statement, items, values), log: null };
  return asked(db, (known) => rowsOfShards<StoredRecord, T>(db, statement, items, (some) => [...values(some), known]));
};

const NOTHING = loggedRead(
  "log-state",
  0,
  () => "select 0 as site, 0 as meter, 0 as place, null::text as version, null::text as content where false",
);

/** The log as it is, for as long as nobody else folds it; null on a distributed database. */
export const logState = async (db: Queryable): Promise<LogState | null> => {
  if (await isDistributed(db)) return null;
  const { state } = await asked(db, async (known) => (await queryShard<StoredRecord>(db, NOTHING, null, [known])).rows);
  return state;
};

const batchOf = ({ version, content }: StoredRecord): LogBatch => {
  const [xid, seq, atMs] = (version ?? "").split(" ").map(Number);
  return { xid: xid ?? 0, seq: seq ?? 0, atMs: atMs ?? 0, ...decodeColumns(content ?? "") };
};
