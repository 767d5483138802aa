import type { LoopClock } from "../../platform/clock.js";
import type { JournalEntry } from "../../platform/journal.js";
import { RARELY_MS } from "../../platform/timetable.js";
import {
  type Change,
  type ChangeViewer,
  changeOf,
  changesBetween,
  nextViewChange,
  type View,
  viewOf,
  type WatchedDispatch,
} from "../domain/change.js";

/** Dispatches that are not over, or changed since, with the watching accounts among theirs. */
export type ReadWatched = (accountIds: readonly string[], since: Date) => Promise<readonly WatchedDispatch[]>;

export interface ChangePorts {
  readonly dispatches: ReadWatched;
  readonly clock: Pick<LoopClock, "now" | "monotonicMs">;
  /** Makes it look at once. */
  readonly wake: () => void;
}

export interface ChangeListener {
  /** From now on it receives every change. */
  ready(): void;
  changed(changes: readonly Change[]): void;
}

interface Watching {
  /** What its listeners know of; null before the first look. */
  view: View | null;
  /** Dispatches with news of their evidence. */
  progress: Set<string>;
  hasNewAlarms: boolean;
  readonly listeners: Set<ChangeListener>;
}

/** How long a dispatch is watched after its end. */
const WATCHED_MS = 3_600_000;
/** Thousands of deliveries may be sent in a second: their progress is reported once. */
const PROGRESS_EVERY_MS = 1000;
/** After a look that failed. */
const RETRY_MS = 1000;

/** Notifies listeners of changes by any process, which are in the journal, and of those that time brings. */
export class LiveChanges {
  private readonly watched = new Map<ChangeViewer, Watching>();
  private progressAtMs = Number.NEGATIVE_INFINITY;
  private dispatches: readonly WatchedDispatch[] = [];
  /** Whether dispatches have to be read. */
  private isOutdated = false;

  constructor(private readonly ports: ChangePorts) {}

  /** Notifies `listener` of changes until the returned function is called. */
  listen(viewer: ChangeViewer, listener: ChangeListener): () => void {
    const known = this.watched.get(viewer);
    const watching = known ?? { view: null, progress: new Set(), hasNewAlarms: false, listeners: new Set() };
    this.watched.set(viewer, watching);
    watching.listeners.add(listener);
    if (watching.view === null) {
      this.isOutdated = true;
      this.ports.wake();
    } else listener.ready();
    return () => {
      watching.listeners.delete(listener);
      if (watching.listeners.size === 0 && this.watched.get(viewer) === watching) this.watched.delete(viewer);
    };
  }

  /** Entries that were committed, in their order. */
  take(entries: readonly JournalEntry[]): void {
    if (this.watched.size === 0) return;
    let isNews = false;
    for (const entry of entries) if (entry.environment === "production") isNews = this.note(entry) || isNews;
    if (isNews) this.ports.wake();
  }

  /** Anything may have changed. */
  reset(): void {
    this.isOutdated = true;
    for (const [viewer, watching] of this.watched) {
      watching.hasNewAlarms = viewer === null;
      for (const id of watching.view?.keys() ?? []) watching.progress.add(id);
    }
    this.ports.wake();
  }

  /** How long to rest after a look if nothing is committed: until the time changes what somebody sees. */
  restMs(): number {
    const watching = [...this.watched.values()];
    if (watching.length === 0) return RARELY_MS;
    if (this.isOutdated) return RETRY_MS;
    const { clock } = this.ports;
    const now = clock.now();
    const next = nextViewChange(this.dispatches, now);
    const rests = [RARELY_MS];
    if (next !== null) rests.push(next.getTime() - now.getTime());
    if (watching.some(({ progress }) => progress.size > 0))
      rests.push(this.progressAtMs + PROGRESS_EVERY_MS - clock.monotonicMs());
    return Math.min(...rests);
  }

  /** Reads once for all listeners, if dispatches changed; does nothing without any. */
  async look(): Promise<void> {
    // Listeners added during the read are included next time.
    const watched = [...this.watched];
    if (watched.length === 0) return;
    const { clock } = this.ports;
    const at = clock.now();
    if (this.isOutdated) await this.read(watched, at);
    const isDue = clock.monotonicMs() - this.progressAtMs >= PROGRESS_EVERY_MS;
    if (isDue) this.progressAtMs = clock.monotonicMs();
    for (const [viewer, watching] of watched) tell(watching, viewOf(this.dispatches, viewer, at), isDue);
  }

  private async read(watched: ReadonlyArray<[ChangeViewer, Watching]>, at: Date): Promise<void> {
    const accountIds = watched.flatMap(([viewer]) => viewer ?? []);
    this.isOutdated = false;
    try {
      this.dispatches = await this.ports.dispatches(accountIds, new Date(at.getTime() - WATCHED_MS));
    } catch (error) {
      this.isOutdated = true;
      throw error;
    }
  }

  /** false: the entry is about nothing that pages show. */
  private note({ kind, subject, accounts }: JournalEntry): boolean {
    const what = changeOf(kind);
    if (what === undefined) return false;
    if (what === "dispatch") this.isOutdated = true;
    for (const [viewer, watching] of this.watched) {
      if (what === "alarm" && viewer === null) watching.hasNewAlarms = true;
      const isConcerned = viewer === null || accounts === null || accounts.includes(viewer);
      if (what === "delivery" && isConcerned) watching.progress.add(subject);
    }
    return true;
  }
}

const tell = (watching: Watching, after: View, isProgressDue: boolean): void => {
  const { view: before, listeners } = watching;
  const news = newsOf(watching, after, isProgressDue || before === null);
  watching.view = after;
  if (before === null) for (const listener of listeners) listener.ready();
  const changes = before === null ? [] : [...changesBetween(before, after), ...news];
  if (changes.length > 0) for (const listener of listeners) listener.changed(changes);
};

/** What is known of by then. */
const newsOf = (watching: Watching, view: View, isProgressDue: boolean): readonly Change[] => {
  const alarms: readonly Change[] = watching.hasNewAlarms ? [{ what: "alarm" }] : [];
  watching.hasNewAlarms = false;
  if (!isProgressDue) return alarms;
  const ids = [...watching.progress].filter((id) => view.has(id));
  watching.progress = new Set();
  return [...alarms, ...ids.map((dispatchId) => ({ what: "delivery" as const, dispatchId }))];
};
