import { DispatchTracker } from "./dispatch-tracker.js";
import type { FinalVersion, LateNote, TrackerPorts } from "./measurement-ports.js";
import { isPreparing, Preparing, within } from "./preparing.js";

/** How long a dispatch is followed after somebody looked at it last. */
const KEPT_MS = 300_000;

/** A note may become visible a little after its time. */
const NOTES_OVERLAP_MS = 30_000;

/** A look waits so long for the first reading: well below the time after which an idle connection is cut. */
export const LOOK_WAIT_MS = 10_000;

interface Followed {
  /** The first reading of it; fails when it does. */
  readonly ready: Promise<unknown>;
  /** Share of the sites that the latest reading of it has read. */
  progress: number;
  tracker: DispatchTracker | null;
  /** While it is read anew. */
  rereading: Promise<void> | null;
  wantedUntilMs: number;
  readonly listeners: Set<() => void>;
}

/** What a look found out about a dispatch. */
interface News {
  readonly modification: number | undefined;
  readonly notes: readonly LateNote[];
}

/** A reading that failed after somebody was told that it goes on. */
interface Untold {
  readonly error: unknown;
  readonly untilMs: number;
}

export interface LiveOptions {
  readonly onError: (error: unknown) => void;
  /** How long a look waits. */
  readonly waitMs: number;
}

/** The dispatches that this process follows: those that are to be finished, and those that somebody looks at. */
export class LivePerformance {
  private readonly followed = new Map<string, Followed>();
  private readonly untold = new Map<string, Untold>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly ports: TrackerPorts,
    private readonly options: LiveOptions,
  ) {}

  /** The dispatch as it is stored now, if that can be told soon; null where there is none of that id. */
  async current(id: string): Promise<DispatchTracker | Preparing | null> {
    const failed = this.untold.get(id);
    this.untold.delete(id);
    // Whoever asks after this one has it read again.
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

  /** The dispatch as it is stored now, however long it takes to read; null where there is none of that id. */
  async whole(id: string): Promise<DispatchTracker | null> {
    const followed = this.follow(id);
    await followed.ready;
    if (followed.tracker === null) return null;
    const modifications = await this.ports.reader.modifications([id]);
    if (followed.tracker.isOutdated(modifications.get(id))) await this.readAnew(id, followed);
    await followed.tracker?.update();
    return followed.tracker;
  }

  /** Calls `listener` after every change, until the answer is called. */
  listen(id: string, listener: () => void): () => void {
    const { listeners } = this.follow(id);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  /** What is followed and has been read, without waiting. */
  tracker(id: string): DispatchTracker | null {
    return this.followed.get(id)?.tracker ?? null;
  }

  /** What is followed and has been read, without waiting; what is not will be, soon. */
  atHand(id: string): DispatchTracker | null {
    this.follow(id);
    return this.tracker(id);
  }

  /** Follows a dispatch for a while, and reads it if nobody has. */
  follow(id: string): Followed {
    const wantedUntilMs = this.ports.clock.now().getTime() + KEPT_MS;
    const known = this.followed.get(id);
    if (known !== undefined) {
      known.wantedUntilMs = wantedUntilMs;
      return known;
    }
    const followed: Followed = {
      ready: this.read(id, (progress) => {
        followed.progress = progress;
      }).then((tracker) => {
        followed.tracker = tracker;
        // However long that took: whoever was told to ask again is to find it.
        followed.wantedUntilMs = this.ports.clock.now().getTime() + KEPT_MS;
        if (tracker === null) this.followed.delete(id);
      }),
      progress: 0,
      tracker: null,
      rereading: null,
      wantedUntilMs,
      listeners: new Set(),
    };
    this.followed.set(id, followed);
    followed.ready.catch((error: unknown) => {
      this.followed.delete(id);
      this.tellError(error);
    });
    return followed;
  }

  /** Brings every dispatch up to date, and lets go of those that nobody wants any more. */
  async update(): Promise<void> {
    const nowMs = this.ports.clock.now().getTime();
    for (const [id, { wantedUntilMs, listeners, tracker }] of this.followed) {
      if (wantedUntilMs < nowMs && listeners.size === 0 && tracker !== null) this.followed.delete(id);
    }
    for (const [id, { untilMs }] of this.untold) if (untilMs < nowMs) this.untold.delete(id);
    if (this.followed.size === 0) return;
    const modifications = await this.ports.reader.modifications([...this.followed.keys()]);
    const notes = await this.newNotes();
    for (const [id, followed] of this.followed) {
      if (followed.tracker === null) continue;
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
    const followed = this.followed.get(id);
    if (followed === undefined) return;
    if (followed.listeners.size === 0) this.followed.delete(id);
    followed.tracker?.becomes(version);
    tell(followed);
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

  /** Gives up what is being read, and waits until nobody reads any more. */
  async stop(): Promise<void> {
    this.stopping.abort();
    const all = [...this.followed.values()];
    await Promise.allSettled(all.map(({ ready, rereading }) => rereading ?? ready));
  }

  private tellError(error: unknown): void {
    if (!this.stopping.signal.aborted) this.options.onError(error);
  }

  private progressOf(id: string): number {
    return this.followed.get(id)?.progress ?? 0;
  }

  private keepUntold(id: string, error: unknown): void {
    this.untold.set(id, { error, untilMs: this.ports.clock.now().getTime() + KEPT_MS });
  }

  private async read(id: string, onProgress: (progress: number) => void): Promise<DispatchTracker | null> {
    const tracker = await DispatchTracker.read(this.ports, id, { signal: this.stopping.signal, onProgress });
    this.untold.delete(id);
    return tracker;
  }

  private readAnew(id: string, followed: Followed): Promise<void> {
    if (followed.rereading === null) followed.progress = 0;
    followed.rereading ??= this.read(id, (progress) => {
      followed.progress = progress;
    })
      .then((tracker) => {
        followed.tracker = tracker;
        tell(followed);
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
