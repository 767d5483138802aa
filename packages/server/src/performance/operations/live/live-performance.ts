import { Slots } from "../../../platform/slots.js";
import { within } from "../../../platform/within.js";
import type { FinalVersion } from "../../domain/version.js";
import type { LateNote } from "../late-ports.js";
import type { DispatchToMeasure, TrackerPorts } from "../measurement-ports.js";
import { DispatchTracker, type PartlyMeasured } from "./dispatch-tracker.js";
import { MeasuringMemory, NoRoom } from "./measuring-memory.js";
import { isPreparing, Preparing } from "./preparing.js";

/** How long a dispatch is followed after the last look at it. */
const KEPT_MS = 300_000;

/** A note may become visible a little after its timestamp. */
const NOTES_OVERLAP_MS = 30_000;

/** Results follow changes of other dispatches within a minute (M6). */
const EVENTS_EVERY_MS = 10_000;

/** Each read holds one look-back at a time, some megabytes. */
const READ_AT_ONCE = 8;

/** How long a look waits for the first read: well below the idle timeout of connections. */
export const LOOK_WAIT_MS = 10_000;

interface Followed {
  /** The first read; rejects if that fails. */
  ready: Promise<unknown>;
  /** What the current read has measured; null before its first site. */
  part: PartlyMeasured | null;
  tracker: DispatchTracker | null;
  /** Stamp of all dispatches under which the tracker has the current modification. */
  currentAt: string | null;
  /** Set while it is read again. */
  rereading: Promise<void> | null;
  followedUntilMs: number;
  /** Time of the last look; -Infinity if only a worker follows it. */
  lookedAtMs: number;
  /** Whether it is a participant's own test, once known. */
  isSelfMade: boolean;
  readonly listeners: Set<() => void>;
}

type Read = readonly [id: string, followed: Followed, tracker: DispatchTracker];

/** What the current look found out. */
interface News {
  readonly modification: number | undefined;
  readonly notes: readonly LateNote[];
  /** Stamp of all dispatches. */
  readonly stamp: string;
}

/** A read that failed after a caller was asked to retry. */
interface UnreportedFailure {
  readonly error: unknown;
  readonly untilMs: number;
}

export interface LiveOptions {
  readonly onError: (error: unknown) => void;
  /** How long a look waits. */
  readonly waitMs: number;
  /** Memory budget of all followed dispatches. */
  readonly budgetBytes: number;
}

/** The dispatches that this process follows: those to be finished, and those that somebody looks at. */
export class LivePerformance {
  private readonly followed = new Map<string, Followed>();
  private readonly unreported = new Map<string, UnreportedFailure>();
  private readonly stopping = new AbortController();
  private readonly reading = new Slots(READ_AT_ONCE);
  private readonly memory: MeasuringMemory;
  private stamp = { value: "", readAtMs: Number.NEGATIVE_INFINITY };
  /** Bytes that did not fit, by dispatch: not tried again before that much is free. */
  private readonly refused = new Map<string, number>();

  constructor(
    private readonly ports: TrackerPorts,
    private readonly options: LiveOptions,
  ) {
    this.memory = new MeasuringMemory(options.budgetBytes);
  }

  /** The dispatch as stored now, if it can be read soon; null for an unknown id. Throws `NoRoom`. */
  async current(id: string): Promise<DispatchTracker | Preparing | null> {
    const failed = this.unreported.get(id);
    this.unreported.delete(id);
    // Later callers start a new read.
    if (failed !== undefined) throw failed.error;
    const whole = this.whole(id);
    const found = await within(whole, this.options.waitMs, () => new Preparing(id, this.progressOf(id)));
    if (isPreparing(found)) whole.catch((error: unknown) => this.keepUnreported(id, error));
    return found;
  }

  /** Whether the dispatch exists, without waiting for the read. */
  async exists(id: string): Promise<boolean> {
    return this.tracker(id) !== null || (await this.ports.reader.modifications([id])).has(id);
  }

  /** The dispatch as stored now, however long it takes to read; null for an unknown id. Throws `NoRoom`. */
  async whole(id: string): Promise<DispatchTracker | null> {
    const followed = this.look(id);
    await followed.ready;
    // If it was evicted meanwhile, this caller gets it as it was read.
    if (followed.tracker === null || this.followed.get(id) !== followed) return followed.tracker;
    const modifications = await this.ports.reader.modifications([id]);
    if (followed.tracker.isOutdated(modifications.get(id))) await this.readAnew(id, followed);
    await followed.tracker?.update();
    return followed.tracker;
  }

  /**
   * Calls `listener` after every change, and when the dispatch is no longer followed, until the returned function is
   * called.
   */
  listen(id: string, listener: () => void): () => void {
    const { listeners } = this.look(id);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  /** The tracker of a followed dispatch that has been read, without waiting. */
  tracker(id: string): DispatchTracker | null {
    return this.followed.get(id)?.tracker ?? null;
  }

  /** What is measured of a dispatch that is read for the first time; null before its first site, and once it is read. */
  part(id: string): PartlyMeasured | null {
    const followed = this.followed.get(id);
    return followed === undefined || followed.tracker !== null ? null : followed.part;
  }

  /** Those that have been read. */
  trackers(): readonly DispatchTracker[] {
    return [...this.followed.values()].flatMap(({ tracker }) => tracker ?? []);
  }

  /** The tracker if there is one, without waiting; otherwise the dispatch is read soon if there is room. */
  trackerNow(id: string): DispatchTracker | null {
    this.follow(id);
    return this.tracker(id);
  }

  /** Whether the dispatch is followed, read or not. */
  isFollowed(id: string): boolean {
    return this.followed.has(id);
  }

  /** Follows a dispatch for a while; reads it if nobody has and there is room without evicting another. */
  follow(id: string): void {
    if ((this.refused.get(id) ?? 0) <= this.memory.freeBytes) this.begin(id);
  }

  /** The same for a reader: others may be evicted for it. */
  private look(id: string): Followed {
    const followed = this.begin(id);
    followed.lookedAtMs = this.ports.clock.now().getTime();
    return followed;
  }

  private begin(id: string): Followed {
    const followedUntilMs = this.ports.clock.now().getTime() + KEPT_MS;
    const known = this.followed.get(id);
    if (known !== undefined) {
      known.followedUntilMs = followedUntilMs;
      return known;
    }
    const followed: Followed = {
      ready: Promise.resolve(),
      part: null,
      tracker: null,
      currentAt: null,
      rereading: null,
      followedUntilMs,
      lookedAtMs: Number.NEGATIVE_INFINITY,
      isSelfMade: false,
      listeners: new Set(),
    };
    followed.ready = this.read(id, followed).then((tracker) => {
      followed.tracker = tracker;
      followed.part = null;
      // However long the read takes: callers that were asked to retry must find it.
      followed.followedUntilMs = this.ports.clock.now().getTime() + KEPT_MS;
      if (tracker === null) this.evict(id);
    });
    this.followed.set(id, followed);
    followed.ready.catch((error: unknown) => {
      this.evict(id);
      this.reportError(error);
    });
    return followed;
  }

  /** Makes room for a dispatch that is about to be read; throws if evicting the others would not free enough. */
  private admit(followed: Followed, dispatch: DispatchToMeasure, bytes: number): void {
    const { id, isSelfMade } = dispatch;
    if (this.followed.get(id) !== followed) throw new NoRoom(id, false);
    followed.isSelfMade = isSelfMade;
    const victims = followed.lookedAtMs > 0 ? this.evictable(id, isSelfMade) : [];
    const going = this.memory.victimsFor(bytes, victims);
    if (going === null) {
      this.refused.set(id, bytes);
      throw new NoRoom(id, bytes > this.memory.budgetBytes);
    }
    for (const victim of going) this.evict(victim);
    this.refused.delete(id);
    // During a new read, the previous one is kept.
    this.memory.set(id, this.memory.of(id) + bytes);
  }

  /**
   * Dispatches that may be evicted for another: first those without listeners, least recently looked at first, then own
   * tests.
   */
  private evictable(forId: string, isSelfMade: boolean): string[] {
    const read = [...this.followed].filter(([id, { tracker }]) => id !== forId && tracker !== null);
    const byLook = read.toSorted(([, a], [, b]) => a.lookedAtMs - b.lookedAtMs);
    const idle = byLook.filter(([, { listeners }]) => listeners.size === 0);
    const tests = byLook.filter(([, each]) => !isSelfMade && each.isSelfMade && each.listeners.size > 0);
    return [...idle, ...tests].map(([id]) => id);
  }

  /** Listeners learn that the dispatch is no longer followed. */
  private evict(id: string): void {
    const followed = this.followed.get(id);
    this.followed.delete(id);
    this.memory.set(id, 0);
    if (followed !== undefined) tell(followed);
  }

  /** Updates every dispatch, and drops those without readers. */
  async update(): Promise<void> {
    const nowMs = this.ports.clock.now().getTime();
    for (const [id, { followedUntilMs, listeners, tracker }] of this.followed) {
      if (followedUntilMs < nowMs && listeners.size === 0 && tracker !== null) this.evict(id);
    }
    for (const [id, { untilMs }] of this.unreported) if (untilMs < nowMs) this.unreported.delete(id);
    // Those read during the query would be newer than its result, and would be taken for outdated.
    const read = [...this.followed].flatMap(([id, followed]) =>
      followed.tracker === null ? [] : [[id, followed, followed.tracker] satisfies Read],
    );
    if (read.length === 0) return;
    const modifications = await this.modificationsOf(read);
    const notes = await this.newNotes();
    const stamp = this.eventsStamp(nowMs);
    for (const [id, followed, tracker] of read) {
      if (this.tracker(id) !== tracker) continue;
      // A dispatch that fails to update holds up no other.
      await this.updateOne(id, followed, { modification: modifications.get(id), notes, stamp }).catch(
        (error: unknown) => this.reportError(error),
      );
    }
  }

  /** Reads those that may have changed; the others are as they were read. */
  private async modificationsOf(read: readonly Read[]): Promise<ReadonlyMap<string, number>> {
    const stamp = this.ports.reader.knownStamp();
    const doubtful = read.filter(([, { currentAt }]) => currentAt !== stamp);
    const found = doubtful.length === 0 ? null : await this.ports.reader.modifications(doubtful.map(([id]) => id));
    const modifications = new Map<string, number>(
      read.map(([id, , { dispatch }]) => [id, dispatch.modificationNumber]),
    );
    for (const [id, followed] of doubtful) {
      const current = found?.get(id);
      if (current === modifications.get(id)) followed.currentAt = stamp;
      else if (current === undefined) modifications.delete(id);
      else modifications.set(id, current);
    }
    return modifications;
  }

  private async updateOne(id: string, followed: Followed, { modification, notes, stamp }: News): Promise<void> {
    // A thousand sites take seconds to read: meanwhile the others are updated, and this one keeps its old state.
    if (followed.tracker?.isOutdated(modification) === true)
      this.readAnew(id, followed).catch((error: unknown) => this.reportError(error));
    await followed.tracker?.reread(notes, stamp);
    await followed.tracker?.update();
    // Includes changes that a request found since the last look.
    tell(followed);
  }

  /** A final result was stored: read it from storage, unless somebody listens here. */
  finished(id: string, version: FinalVersion): void {
    this.refused.delete(id);
    const followed = this.followed.get(id);
    if (followed === undefined) return;
    followed.tracker?.finalise(version);
    if (followed.listeners.size === 0) this.evict(id);
    else tell(followed);
  }

  /** Notes of late readings since the previous look or, if the dispatch was read since, since that read. */
  private async newNotes(): Promise<readonly LateNote[]> {
    const nowMs = this.ports.clock.now().getTime();
    const trackers = this.trackers();
    if (trackers.length === 0) return [];
    const sinceMs = Math.min(...trackers.map((tracker) => tracker.notesSinceMs));
    const followed = {
      sites: [...new Set(trackers.flatMap(({ siteNumbers }) => [...siteNumbers]))],
      dispatchIds: trackers.map(({ dispatch }) => dispatch.id),
    };
    const notes = await this.ports.late.settledSince(followed, new Date(sinceMs));
    for (const tracker of trackers) tracker.notesSinceMs = nowMs - NOTES_OVERLAP_MS;
    return notes;
  }

  /** The stamp of all dispatches as it was at most some seconds ago: where many are issued, events are not read for each. */
  private eventsStamp(nowMs: number): string {
    if (Math.abs(nowMs - this.stamp.readAtMs) >= EVENTS_EVERY_MS)
      this.stamp = { value: this.ports.reader.knownStamp(), readAtMs: nowMs };
    return this.stamp.value;
  }

  /** Aborts current reads and waits for their end. */
  async stop(): Promise<void> {
    this.stopping.abort();
    const all = [...this.followed.values()];
    await Promise.allSettled(all.map(({ ready, rereading }) => rereading ?? ready));
  }

  private reportError(error: unknown): void {
    // Callers learn that there is no room; dispatches without callers are read once there is.
    if (!this.stopping.signal.aborted && !(error instanceof NoRoom)) this.options.onError(error);
  }

  private progressOf(id: string): number {
    const part = this.followed.get(id)?.part ?? null;
    return part === null ? 0 : part.results.length / part.dispatch.sites.length;
  }

  private keepUnreported(id: string, error: unknown): void {
    this.unreported.set(id, { error, untilMs: this.ports.clock.now().getTime() + KEPT_MS });
  }

  private async read(id: string, followed: Followed): Promise<DispatchTracker | null> {
    const tracker = await this.reading.run(() =>
      DispatchTracker.read(this.ports, id, {
        signal: this.stopping.signal,
        admit: (dispatch, bytes) => this.admit(followed, dispatch, bytes),
        onProgress: (part) => {
          followed.part = part;
          if (followed.tracker === null) tell(followed);
        },
      }),
    );
    this.unreported.delete(id);
    return tracker;
  }

  private readAnew(id: string, followed: Followed): Promise<void> {
    if (followed.rereading === null) followed.part = null;
    const before = this.memory.of(id);
    followed.rereading ??= this.read(id, followed)
      .then((tracker) => {
        followed.tracker = tracker;
        if (this.followed.get(id) !== followed) return;
        this.memory.set(id, this.memory.of(id) - before);
        tell(followed);
      })
      .catch((error: unknown) => {
        if (this.followed.get(id) === followed) this.memory.set(id, before);
        // The previous read is outdated, so nobody may see it instead.
        if (error instanceof NoRoom && this.followed.get(id) === followed) this.evict(id);
        throw error;
      })
      .finally(() => {
        followed.rereading = null;
      });
    return followed.rereading;
  }
}

const tell = ({ listeners }: Followed): void => {
  for (const listener of listeners) listener();
};
