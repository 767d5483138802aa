import { randomUUID } from "node:crypto";
import type pg from "pg";
import { Batcher } from "../batcher.js";
import type { LoopClock } from "../clock.js";
import type { Cursor, JournalEntry, JournalKind, StreamName } from "../journal.js";
import { Polling } from "../polling.js";
import { JOURNAL_CHANNEL, onCommit } from "./commits.js";
import { cursorAt, readSeen, readTail } from "./journal-reader.js";

/** Follows the journal in memory; never throws. */
export interface TailReader {
  /** @param entries of any kind, in order of `seq` */
  take(entries: readonly JournalEntry[]): void;
  /** At once after a commit of this process, whose entries are yet to be read. */
  committed?(kinds: ReadonlySet<JournalKind>): void;
  /** Something was committed to another stream. */
  changed?(stream: StreamName): void;
  /** Anything may have changed. */
  reset(): void;
}

interface TailPorts {
  /** One connection, which listens to commits (`openJournalPool`). */
  readonly journal: pg.Pool;
  /** What this process commits over. */
  readonly pool: pg.Pool;
  readonly clock: LoopClock;
  readonly onError: (error: unknown) => void;
  /** How often to read if nothing is heard; default: once a second. */
  readonly everyMs?: number | undefined;
}

/** Even if no commit is announced. */
const EVERY_MS = 1000;
/** After a commit is announced, others are gathered for this long: at most twenty reads and twenty notifications a second. */
const GATHER_MS = 50;
/** Reading everything again is cheaper than following more. */
const MOST_ENTRIES = 1000;

/**
 * The one reader of the journal in a process: what is in memory follows it. It reads once a second, soon after a commit of
 * any process, and whenever it is asked. With each look of its own it finds whether there is news in the other stream.
 */
export class JournalTail {
  private readonly readers: TailReader[] = [];
  private readonly reading = new Batcher<null>({ work: () => this.read(), most: Number.POSITIVE_INFINITY });
  private readonly polling: Polling;
  private readonly stopHearing: () => void;
  /** Tells this process's notifications from those of others. */
  private readonly name = randomUUID();
  private cursor: Cursor | null = null;
  /** The snapshot at which the other stream was looked at. */
  private changesSince: string | null = null;
  private looks = false;
  /** The server's start and the connection that the cursor is of. */
  private source = "";
  private connections = 0;
  /** Nothing was committed between the latest two reads. */
  private isQuiet = false;
  /** When the latest read began. */
  private readMs = Number.NEGATIVE_INFINITY;
  /** Whether others have yet to be notified. */
  private hasCommitted = false;
  /** Whether a commit was announced that is not passed on yet. */
  private hasHeard = false;
  private gathering: Promise<void> | undefined;

  constructor(private readonly ports: TailPorts) {
    const { journal, pool, clock, onError, everyMs = EVERY_MS } = ports;
    journal.on("connect", (client) => {
      this.connections += 1;
      client.on("notification", ({ channel, payload }) => {
        if (channel === JOURNAL_CHANNEL) this.hear(payload);
      });
    });
    this.polling = new Polling({ look: () => this.look(), onError, clock, everyMs });
    this.stopHearing = onCommit(pool, (kinds) => {
      for (const reader of this.readers) reader.committed?.(kinds);
      this.hasCommitted = true;
      this.gather();
    });
  }

  /** Add readers before `start`. */
  feed(reader: TailReader): void {
    this.readers.push(reader);
  }

  /**
   * Calls `wake` when entries of these kinds were committed by any process, or may have been. It is only a hint: those of
   * this process are not read yet.
   */
  wakeOn(kinds: readonly JournalKind[], wake: () => void): void {
    const isAmong = (each: string): boolean => kinds.some((kind) => kind === each);
    this.feed({
      committed(committed) {
        if ([...committed].some(isAmong)) wake();
      },
      take(entries) {
        if (entries.some(({ kind }) => isAmong(kind))) wake();
      },
      reset: wake,
    });
  }

  /** The same for the other stream; it is there to be read then. */
  wakeOnChanges(wake: () => void): void {
    this.feed({ take() {}, changed: wake, reset: wake });
  }

  start(): void {
    this.polling.start();
  }

  /** Call when some process notifies of commits; its name is the payload. */
  hear(name?: string): void {
    if (name !== this.name) this.gather();
  }

  /** How long ago the readers had everything that was committed. */
  ageMs(): number {
    return this.ports.clock.monotonicMs() - this.readMs;
  }

  /** Afterwards the readers have everything that was committed before the call, by any process. Throws if it is not read in time. */
  catchUp(): Promise<void> {
    return this.reading.add(null);
  }

  async stop(): Promise<void> {
    this.stopHearing();
    await this.polling.stop();
    await this.gathering;
  }

  private look(): Promise<void> {
    this.looks = true;
    return this.catchUp();
  }

  private async read(): Promise<void> {
    const beganMs = this.ports.clock.monotonicMs();
    const { looks } = this;
    this.looks = false;
    this.isQuiet &&= !looks && (await this.isUnchanged());
    if (!this.isQuiet) await this.readNew(looks);
    this.readMs = beganMs;
  }

  /** Most answers are asked for while nothing is committed. */
  private async isUnchanged(): Promise<boolean> {
    const { seen, serverStart } = await readSeen(this.ports.journal);
    return seen === this.cursor?.seen && this.sourceOf(serverStart) === this.source;
  }

  /** After a failover the new server may lack what the old one had committed last. */
  private sourceOf(serverStart: string): string {
    return `${serverStart} ${this.connections}`;
  }

  private async readNew(looks: boolean): Promise<void> {
    const before = this.cursor?.seen;
    const { entries, cursor, hasMore, serverStart, hasChanges } = await readTail(this.ports.journal, this.cursor, {
      most: MOST_ENTRIES,
      changesSince: looks ? this.changesSince : null,
    });
    const source = this.sourceOf(serverStart);
    const isFollowed = source === this.source && !hasMore;
    this.source = source;
    this.cursor = cursor.page === null ? cursor : cursorAt(cursor.page);
    this.isQuiet = isFollowed && this.cursor.seen === before;
    if (looks || !isFollowed) this.changesSince = this.cursor.seen;
    this.tell(isFollowed ? entries : null);
    if (hasChanges) for (const reader of this.readers) reader.changed?.("openadr3_changes");
  }

  /** @param entries null: anything */
  private tell(entries: readonly JournalEntry[] | null): void {
    if (entries?.length === 0) return;
    for (const reader of this.readers) {
      if (entries === null) reader.reset();
      else reader.take(entries);
    }
  }

  private gather(): void {
    this.hasHeard = true;
    this.gathering ??= this.tellGathered();
  }

  private async tellGathered(): Promise<void> {
    while (this.hasHeard) {
      this.hasHeard = false;
      this.polling.wake();
      await this.notifyOthers();
      await this.ports.clock.sleep(GATHER_MS);
    }
    this.gathering = undefined;
  }

  /**
   * On a connection that holds no transaction: a notification makes its commit wait for those of others. One that is lost
   * costs a second: they read that often.
   */
  private async notifyOthers(): Promise<void> {
    if (!this.hasCommitted) return;
    this.hasCommitted = false;
    await this.ports.pool.query("select pg_notify($1, $2)", [JOURNAL_CHANNEL, this.name]).catch(() => {});
  }
}
