import { Slots } from "../../platform/slots.js";
import { within } from "../../platform/within.js";
import { DispatchTracker } from "./dispatch-tracker.js";
import type { DispatchToMeasure, FinalVersion, LateNote, TrackerPorts } from "./measurement-ports.js";
import { MeasuringMemory, NoRoom } from "./measuring-memory.js";
import { isPreparing, Preparing } from "./preparing.js";

/** How long a dispatch is followed after somebody looked at it last. */
const KEPT_MS = 300_000;

/** A note may become visible a little after its time. */
const NOTES_OVERLAP_MS = 30_000;

/** Each reading holds one look-back at a time, some megabytes. */
const READ_AT_ONCE = 8;

/** A look waits so long for the first reading: well below the time after which an idle connection is cut. */
export const LOOK_WAIT_MS = 10_000;

interface Followed {
  /** The first reading of it; fails when it does. */
  ready: Promise<unknown>;
  /** Share of the sites that the latest reading of it has read. */
  progress: number;
  tracker: DispatchTracker | null;
  /** While it is read again. */
  rereading: Promise<void> | null;
  wantedUntilMs: number;
  /** When somebody looked last; before all times where only a worker follows it. */
  lookedAtMs: number;
  /** A participant's own test, once that is known. */
  isSelfMade: boolean;
  readonly listeners: Set<() => void>;
}

/** What a look found out about a dispatch. */
interface News {
  readonly modification: number | undefined;
  readonly notes: readonly LateNote[];
}

/** A reading that failed after a caller was told to retry. */
interface Untold {
  readonly error: unknown;
  readonly untilMs: number;
}

export interface LiveOptions {
  readonly onError: (error: unknown) => void;
  /** How long a look waits. */
  readonly waitMs: number;
  /** What all that is followed may take in memory. */
  readonly budgetBytes: number;
}

/** The dispatches that this process follows: those that are to be finished, and those that somebody looks at. */
export class LivePerformance {
  private readonly followed = new Map<string, Followed>();
  private readonly untold = new Map<string, Untold>();
  private readonly stopping = new AbortController();
  private readonly reading = new Slots(READ_AT_ONCE);
  private readonly memory: MeasuringMemory;
  /** What did not fit, by dispatch: it is not tried again before there is as much. */
  private readonly refused = new Map<string, number>();

  constructor(
    private readonly ports: TrackerPorts,
    private readonly options: LiveOptions,
  ) {
    this.memory = new MeasuringMemory(options.budgetBytes);
  }

  /** The dispatch as stored now, if it can be read soon; null if there is none with that id. Throws `NoRoom`. */
  async current(id: string): Promise<DispatchTracker | Preparing | null> {
    const failed = this.untold.get(id);
    this.untold.delete(id);
    // Later callers start a new read.
    if (failed !== undefined) throw failed.error;
    const whole = this.whole(id);
    const found = await within(whole, this.options.waitMs, () => new Preparing(id, this.progressOf(id)));
    if (isPreparing(found)) whole.catch((error: unknown) => this.keepUntold(id, error));
    return found;
  }

  /** Whether there is such a dispatch, without waiting until it is read. */
  async exists(id: string): Promise<boolean> {
    return this.tracker(id) !== null || (await this.ports.reader.modifications([id])).has(id);
  }

  /**
   * The dispatch as it is stored now, however long it takes to read; null where there is none of that id. Throws
   * `NoRoom`.
   */
  async whole(id: string): Promise<DispatchTracker | null> {
    const followed = this.look(id);
    await followed.ready;
    // Let go meanwhile, for another: this look gets it as it was read.
    if (followed.tracker === null || this.followed.get(id) !== followed) return followed.tracker;
    const modifications = await this.ports.reader.modifications([id]);
    if (followed.tracker.isOutdated(modifications.get(id))) await this.readAnew(id, followed);
    await followed.tracker?.update();
    return followed.tracker;
  }

  /** Calls `listener` after every change, and when the dispatch is no longer followed, until the answer is called. */
  listen(id: string, listener: () => void): () => void {
    const { listeners } = this.look(id);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  /** What is followed and has been read, without waiting. */
  tracker(id: string): DispatchTracker | null {
    return this.followed.get(id)?.tracker ?? null;
  }

  /** What is followed and has been read, without waiting; what is not will be soon, if there is room. */
  atHand(id: string): DispatchTracker | null {
    this.follow(id);
    return this.tracker(id);
  }

  /** Whether the dispatch is followed, read or not. */
  isFollowed(id: string): boolean {
    return this.followed.has(id);
  }

  /** Follows a dispatch for a while, and reads it if nobody has and there is room without letting another go. */
  follow(id: string): void {
    if ((this.refused.get(id) ?? 0) <= this.memory.freeBytes) this.begin(id);
  }

  /** The same for somebody who looks: others may have to go for it. */
  private look(id: string): Followed {
    const followed = this.begin(id);
    followed.lookedAtMs = this.ports.clock.now().getTime();
    return followed;
  }

  private begin(id: string): Followed {
    const wantedUntilMs = this.ports.clock.now().getTime() + KEPT_MS;
    const known = this.followed.get(id);
    if (known !== undefined) {
      known.wantedUntilMs = wantedUntilMs;
      return known;
    }
    const followed: Followed = {
      ready: Promise.resolve(),
      progress: 0,
      tracker: null,
      rereading: null,
      wantedUntilMs,
      lookedAtMs: Number.NEGATIVE_INFINITY,
      isSelfMade: false,
      listeners: new Set(),
    };
    followed.ready = this.read(id, followed).then((tracker) => {
      followed.tracker = tracker;
      // Independent of its duration: callers that were told to retry must find it.
      followed.wantedUntilMs = this.ports.clock.now().getTime() + KEPT_MS;
      if (tracker === null) this.letGo(id);
    });
    this.followed.set(id, followed);
    followed.ready.catch((error: unknown) => {
      this.letGo(id);
      this.tellError(error);
    });
    return followed;
  }

  /** Makes room for a dispatch that is about to be read; throws where those that stay leave too little. */
  private admit(followed: Followed, dispatch: DispatchToMeasure, bytes: number): void {
    const { id, isSelfMade } = dispatch;
    if (this.followed.get(id) !== followed) throw new NoRoom(id, false);
    followed.isSelfMade = isSelfMade;
    const victims = followed.lookedAtMs > 0 ? this.leastWanted(id, isSelfMade) : [];
    const going = this.memory.victimsFor(bytes, victims);
    if (going === null) {
      this.refused.set(id, bytes);
      throw new NoRoom(id, bytes > this.memory.budgetBytes);
    }
    for (const victim of going) this.letGo(victim);
    this.refused.delete(id);
    // During a new read, the previous one is kept.
    this.memory.set(id, this.memory.of(id) + bytes);
  }

  /**
   * Those that may go for another: first those that nobody listens to, least recently looked at first, then own tests.
   */
  private leastWanted(forId: string, isSelfMade: boolean): string[] {
    const read = [...this.followed].filter(([id, { tracker }]) => id !== forId && tracker !== null);
    const byLook = read.toSorted(([, a], [, b]) => a.lookedAtMs - b.lookedAtMs);
    const idle = byLook.filter(([, { listeners }]) => listeners.size === 0);
    const tests = byLook.filter(([, each]) => !isSelfMade && each.isSelfMade && each.listeners.size > 0);
    return [...idle, ...tests].map(([id]) => id);
  }

  /** Listeners find that nothing is followed any more. */
  private letGo(id: string): void {
    const followed = this.followed.get(id);
    this.followed.delete(id);
    this.memory.set(id, 0);
    if (followed !== undefined) tell(followed);
  }

  /** Updates every dispatch, and drops those without readers. */
  async update(): Promise<void> {
    const nowMs = this.ports.clock.now().getTime();
    for (const [id, { wantedUntilMs, listeners, tracker }] of this.followed) {
      if (wantedUntilMs < nowMs && listeners.size === 0 && tracker !== null) this.letGo(id);
    }
    for (const [id, { untilMs }] of this.untold) if (untilMs < nowMs) this.untold.delete(id);
    // What is read meanwhile is newer than what is asked now: it would be taken for outdated.
    const read = [...this.followed].flatMap(([id, followed]) =>
      followed.tracker === null ? [] : [[id, followed, followed.tracker] as const],
    );
    if (read.length === 0) return;
    const modifications = await this.ports.reader.modifications(read.map(([id]) => id));
    const notes = await this.newNotes();
    for (const [id, followed, tracker] of read) {
      if (this.tracker(id) !== tracker) continue;
      // A dispatch that cannot be brought up to date holds up no other.
      await this.updateOne(id, followed, { modification: modifications.get(id), notes }).catch((error: unknown) =>
        this.tellError(error),
      );
    }
  }

  private async updateOne(id: string, followed: Followed, { modification, notes }: News): Promise<void> {
    // A thousand sites take seconds to read: meanwhile the others go on, and this one as it was.
    if (followed.tracker?.isOutdated(modification) === true)
      this.readAnew(id, followed).catch((error: unknown) => this.tellError(error));
    await followed.tracker?.reread(notes);
    await followed.tracker?.update();
    // Also of what a request found since the last look.
    tell(followed);
  }

  /** There is a final result now: it is read from storage, unless somebody listens here. */
  finished(id: string, version: FinalVersion): void {
    this.refused.delete(id);
    const followed = this.followed.get(id);
    if (followed === undefined) return;
    followed.tracker?.becomes(version);
    if (followed.listeners.size === 0) this.letGo(id);
    else tell(followed);
  }

  /** Notes of late readings since the look before; of a dispatch that was read since then, since that. */
  private async newNotes(): Promise<readonly LateNote[]> {
    const nowMs = this.ports.clock.now().getTime();
    const trackers = [...this.followed.values()].flatMap(({ tracker }) => tracker ?? []);
    if (trackers.length === 0) return [];
    const sinceMs = Math.min(...trackers.map((tracker) => tracker.notesSinceMs));
    const ids = trackers.map(({ dispatch }) => dispatch.id);
    const notes = await this.ports.late.settledSince(ids, new Date(sinceMs));
    for (const tracker of trackers) tracker.notesSinceMs = nowMs - NOTES_OVERLAP_MS;
    return notes;
  }

  /** Aborts current reads, and waits until they have ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    const all = [...this.followed.values()];
    await Promise.allSettled(all.map(({ ready, rereading }) => rereading ?? ready));
  }

  private tellError(error: unknown): void {
    // Callers learn that there is no room; dispatches without callers are read when there is.
    if (!this.stopping.signal.aborted && !(error instanceof NoRoom)) this.options.onError(error);
  }

  private progressOf(id: string): number {
    return this.followed.get(id)?.progress ?? 0;
  }

  private keepUntold(id: string, error: unknown): void {
    this.untold.set(id, { error, untilMs: this.ports.clock.now().getTime() + KEPT_MS });
  }

  private async read(id: string, followed: Followed): Promise<DispatchTracker | null> {
    const tracker = await this.reading.run(() =>
      DispatchTracker.read(this.ports, id, {
        signal: this.stopping.signal,
        admit: (dispatch, bytes) => this.admit(followed, dispatch, bytes),
        onProgress: (progress) => {
          followed.progress = progress;
        },
      }),
    );
    this.untold.delete(id);
    return tracker;
  }

  private readAnew(id: string, followed: Followed): Promise<void> {
    if (followed.rereading === null) followed.progress = 0;
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
        // What was read before is outdated: nobody is to see it instead.
        if (error instanceof NoRoom && this.followed.get(id) === followed) this.letGo(id);
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
