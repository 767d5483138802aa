import type { Within } from "../answer-once.js";
import type { LoopClock } from "../clock.js";
import { isDatabaseAway } from "../database-away.js";
import {
  type Follower,
  type FollowerFault,
  type FollowerStore,
  failureOf,
  lastOfEach,
  type Unseen,
} from "../follower.js";
import type { JournalEntry, StreamName } from "../journal.js";
import { Polling } from "../polling.js";
import type { Slots } from "../slots.js";
import { within as inTime } from "../within.js";

export interface FollowerPorts<Stores> {
  /** Commits what `work` does; rolls back, and closes the connection, if it throws. */
  readonly transact: <T>(work: (within: Within<Stores>, followers: FollowerStore) => Promise<T>) => Promise<T>;
  /** Something was followed: it may have made work that is due. */
  readonly followed: () => void;
  readonly clock: LoopClock;
  readonly log: { warn(details: object, message: string): void; error(details: object, message: string): void };
}

/** How long a transaction may last; an entry by itself may take longer before it counts as failed. */
const BATCH_MS = 2000;
const ENTRY_MS = 5000;
/** Nothing announces the work of another process that ended, or a database that is back. */
const AGAIN_MS = 1000;
/** Otherwise the tail wakes it. */
const RARELY_MS = 3_600_000;
/** A cursor moves this often although nothing of its kinds was appended: what it leaves behind is read each time. */
const MOVE_EVERY_MS = 600_000;

interface Followed extends Pick<Unseen, "hasMore" | "hasDueFault"> {
  readonly count: number;
}

/** One follower in a process. */
export class FollowerRun<Stores> {
  readonly polling: Polling;
  private readonly kinds: ReadonlySet<string>;
  private pauseMs = RARELY_MS;
  private lookedAt = new Date(0);
  /** Entries of a batch that failed are tried one by one: how many are left. */
  private oneByOne = 0;

  constructor(
    private readonly follower: Follower<Stores>,
    slots: Slots,
    private readonly ports: FollowerPorts<Stores>,
  ) {
    this.kinds = new Set(follower.kinds);
    this.polling = new Polling({
      look: () => slots.run(() => this.look()),
      onError: (error) =>
        ports.log.error({ err: error, follower: follower.name }, "a follower could not read; retrying"),
      clock: ports.clock,
      everyMs: () => this.pauseMs,
      restsFirst: true,
    });
  }

  changed(stream: StreamName): void {
    if (stream === this.follower.stream) this.polling.wake();
  }

  /** @param entries of the journal; a cursor in another stream only moves with them */
  take(entries: readonly JournalEntry[]): void {
    if (entries.some(({ kind }) => this.kinds.has(kind)) || this.isOld(this.lookedAt)) this.polling.wake();
  }

  /** One transaction, or two if something fails; returns whether there is more to do at once. */
  private async look(): Promise<boolean> {
    this.lookedAt = this.ports.clock.now();
    this.pauseMs = AGAIN_MS;
    const followed = await this.follow();
    if (followed === null) return false;
    if (followed.count > 0) this.ports.followed();
    const hasRetried = followed.hasDueFault && (await this.retry());
    this.pauseMs = RARELY_MS;
    return followed.hasMore || hasRetried;
  }

  /** null: another process is at it. */
  private async follow(): Promise<Followed | null> {
    let batch: readonly JournalEntry[] = [];
    try {
      return await this.ports.transact(async (within, followers) => {
        const unseen = await followers.take(this.follower.name, this.reading());
        if (unseen === null) return null;
        batch = unseen.entries;
        const hasMore = await this.followBatch(unseen, within, followers);
        this.oneByOne = Math.max(this.oneByOne - batch.length, 0);
        return { count: batch.length, hasDueFault: unseen.hasDueFault, hasMore };
      });
    } catch (error) {
      const [first] = batch;
      if (first === undefined || isDatabaseAway(error)) throw error;
      if (batch.length === 1) await this.setAside(first, error);
      this.oneByOne = batch.length === 1 ? Math.max(this.oneByOne - 1, 0) : batch.length;
      return { count: 0, hasMore: true, hasDueFault: false };
    }
  }

  private async followBatch(unseen: Unseen, within: Within<Stores>, followers: FollowerStore): Promise<boolean> {
    const { entries, again, next, hasMore, hasFaults, movedAt } = unseen;
    const { name } = this.follower;
    const now = this.ports.clock.now();
    if (entries.length === 0 && !hasMore && !this.isOld(movedAt)) return false;
    const held = hasFaults && entries.length > 0 ? await followers.hold(name, entries, now) : new Set<number>();
    const isWhole = await this.handle(
      entries.filter(({ seq }) => !held.has(seq)),
      within,
    );
    await followers.move(name, isWhole ? next : again, now);
    return hasMore || !isWhole;
  }

  /** Returns whether all is done. */
  private async handle(entries: readonly JournalEntry[], within: Within<Stores>): Promise<boolean> {
    if (entries.length === 0) return true;
    const { follower } = this;
    const batch = follower.by === "subject" ? lastOfEach(entries) : entries;
    const mostMs = entries.length > 1 ? BATCH_MS : ENTRY_MS;
    const done = await inTime(follower.handle(batch, within), mostMs, () => null);
    if (done === null) throw new Error(`took longer than ${mostMs / 1000} s`);
    return !done.more;
  }

  /** Leaves an entry behind, so that those of other subjects go on. */
  private async setAside(entry: JournalEntry, error: unknown): Promise<void> {
    const { name } = this.follower;
    const now = this.ports.clock.now();
    await this.ports.transact(async (_within, followers) => {
      const unseen = await followers.take(name, { ...this.reading(), most: 1 });
      // Another process may have followed it meanwhile.
      if (unseen === null || unseen.entries[0]?.seq !== entry.seq) return;
      await followers.setAside(name, entry, failureOf(error, 0, now));
      await followers.move(name, unseen.next, now);
    });
    this.warn(entry, error);
  }

  /** Tries the first entry of a subject again; returns whether there was one. */
  private async retry(): Promise<boolean> {
    const { name } = this.follower;
    const { transact, clock } = this.ports;
    const now = clock.now();
    let fault = null as FollowerFault | null;
    try {
      return await transact(async (within, followers) => {
        const unseen = await followers.take(name, { ...this.reading(), most: 1 });
        fault = unseen === null ? null : await followers.dueFault(name, now);
        if (fault === null) return false;
        if (await this.handle([fault.entry], within)) await followers.settle(name, fault.entry.seq, now);
        return true;
      });
    } catch (error) {
      const failed = fault;
      if (failed === null || isDatabaseAway(error)) throw error;
      const { entry, failures } = failed;
      await transact((_within, followers) => followers.failAgain(name, entry.seq, failureOf(error, failures, now)));
      this.warn(entry, error);
      return true;
    }
  }

  private reading() {
    const { stream, kinds, atOnce } = this.follower;
    return { stream, kinds, most: this.oneByOne > 0 ? 1 : atOnce, now: this.ports.clock.now() };
  }

  private isOld(at: Date): boolean {
    return this.ports.clock.now().getTime() - at.getTime() >= MOVE_EVERY_MS;
  }

  private warn({ kind, subject }: JournalEntry, error: unknown): void {
    this.ports.log.warn(
      { err: error, follower: this.follower.name, kind, subject },
      "a change could not be followed; trying again",
    );
  }
}
