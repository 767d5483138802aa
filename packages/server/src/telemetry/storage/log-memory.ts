import { turns } from "../../platform/turns.js";
import { LogOverlay, parseSnapshot, type Snapshot } from "./log-overlay.js";
import {
  type BatchPlace,
  batchOf,
  type LoggedRows,
  type LogSeen,
  loggedRows,
  type StoredRecord,
  xidOf,
} from "./log-rows.js";
import { type LogState, stateOf } from "./log-state.js";
import { LoggedReadings } from "./logged-readings.js";

/** Records, and what the log adds to them; on a distributed database there is no log. */
export interface LoggedAnswer {
  readonly records: readonly StoredRecord[];
  readonly log: LogOverlay | null;
}

export interface WholeAnswer extends LoggedAnswer {
  readonly state: LogState;
}

/** How a memory asks the database. */
export interface LogQueries {
  /** The statement, with a page of what a snapshot did not see of the log; null: of all it has. */
  readonly statement: (known: string | null) => Promise<readonly StoredRecord[]>;
  /** Parameters of `LOG_PAGE`. */
  readonly page: (known: string | null, until: string | null, after: BatchPlace) => Promise<readonly StoredRecord[]>;
}

/**
 * Why a memory has no answer. `changed`: the log was folded meanwhile, or the server is another one; `apart`: the transaction
 * has appended something itself, which may be undone.
 */
type Refusal = "changed" | "apart";

/** Takes some milliseconds. */
const READINGS_A_TURN = 50_000;

/** More is appended while a page is read, not as much. */
const MOST_CATCHES = 20;

const NOBODYS = (): null => null;

const FIRST: BatchPlace = { xid: "0", seq: "0" };

/** What a process knows of the log. */
export class LogMemory {
  private logged = new LoggedReadings();
  /** What the newest statement saw, whose batches are in `logged`. */
  private seen: { readonly text: string; readonly snapshot: Snapshot } | null = null;
  private serverStart: string | null = null;
  private catching: Promise<Refusal | null> | null = null;

  /** @param isShared by all statements; what a transaction appended itself belongs to the memory of one statement */
  constructor(private readonly isShared: boolean) {}

  /** Where the log has more than a page that is not known, pages are taken in first, and the statement is asked again. */
  async ask(queries: LogQueries): Promise<WholeAnswer | Refusal> {
    for (let nth = 0; nth < MOST_CATCHES; nth++) {
      const { logged } = this;
      const rows = loggedRows(await queries.statement(this.seen?.text ?? null));
      if (rows.goesOnAfter === null) return (await this.add(rows, logged)) ?? this.answer(rows);
      const refusal = await this.catchUp(queries);
      if (refusal !== null) return refusal;
    }
    throw new Error("more is appended to the log of readings than can be read; try again later");
  }

  /** Those who ask meanwhile wait for the same pages, and ask again whatever became of them. */
  private async catchUp(queries: LogQueries): Promise<Refusal | null> {
    if (this.catching !== null) return this.catching.then(NOBODYS, NOBODYS);
    this.catching = this.takePages(queries);
    try {
      return await this.catching;
    } finally {
      this.catching = null;
    }
  }

  /** Takes in what one snapshot saw of the log; the database reads the next page meanwhile. */
  private async takePages({ page }: LogQueries): Promise<Refusal | null> {
    const { logged } = this;
    const known = this.seen?.text ?? null;
    let until: string | null = null;
    for (let next: Promise<readonly StoredRecord[]> | null = page(known, null, FIRST); next !== null; ) {
      const rows = loggedRows(await next);
      // Among what a transaction sees is what it appended.
      if (this.isShared && rows.seen.own !== null) return "apart";
      until ??= rows.seen.snapshot;
      next = rows.goesOnAfter === null ? null : page(known, until, rows.goesOnAfter);
      // Where this page ends it all, nobody waits for the next.
      next?.catch(() => {});
      const refusal = await this.add(rows, logged);
      if (refusal !== null) return refusal;
      // What was folded since the page before is in none.
      logged.dropBelow(rows.seen.foldedBelow);
    }
    this.see(until ?? "");
    return null;
  }

  /** Adds batches, in turns with others: there may be millions of readings. */
  private async add({ batches, seen }: LoggedRows, logged: LoggedReadings): Promise<Refusal | null> {
    if (!this.isOf(seen, logged)) return "changed";
    if (this.isShared && seen.own !== null && batches.some((row) => xidOf(row) === seen.own)) return "apart";
    let waiting = 0;
    const othersTurn = turns();
    for (const row of batches) {
      const batch = batchOf(row);
      logged.add(batch);
      waiting += batch.count;
      if (waiting < READINGS_A_TURN) continue;
      waiting = 0;
      await othersTurn();
    }
    return this.isOf(seen, logged) ? null : "changed";
  }

  /** Whether an answer belongs to what this memory knows of a server; of another server it forgets everything. */
  private isOf({ serverStart }: LogSeen, logged: LoggedReadings): boolean {
    if (logged !== this.logged) return false;
    this.serverStart ??= serverStart;
    if (this.serverStart === serverStart) return true;
    this.logged = new LoggedReadings();
    this.seen = null;
    this.serverStart = null;
    return false;
  }

  private answer({ records, seen }: LoggedRows): WholeAnswer | Refusal {
    const { snapshot: text, foldedBelow, own, nowMs } = seen;
    if (foldedBelow < this.logged.foldedBelow) return "changed";
    this.logged.dropBelow(foldedBelow);
    // To a transaction's own snapshot, what it will append may seem to be seen.
    if (own === null) this.see(text);
    const snapshot = parseSnapshot(text);
    const log = new LogOverlay(this.logged, { ...snapshot, own: own ?? -1 }, foldedBelow);
    return { records, log, state: stateOf(this.logged, { snapshot, foldedBelow, nowMs }) };
  }

  private see(text: string): void {
    const snapshot = parseSnapshot(text);
    if (this.seen === null || this.seen.snapshot.xmax <= snapshot.xmax) this.seen = { text, snapshot };
  }
}
