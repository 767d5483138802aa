import type { LoopClock } from "../../platform/clock.js";
import {
  type Change,
  changesBetween,
  type Progress,
  type Snapshot,
  type View,
  type Viewer,
  viewOf,
  type WatchedDispatch,
} from "../domain/change.js";

/** Dispatches that are not over, or changed since; of all watching accounts together. */
export interface ChangeReader {
  dispatches(accountIds: readonly string[], since: Date): Promise<readonly WatchedDispatch[]>;
  progress(accountIds: readonly string[], since: Date): Promise<readonly Progress[]>;
  alarms(): Promise<string>;
}

export interface ChangePorts {
  readonly reader: ChangeReader;
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
  /** The last view of its listeners; null before the first look. */
  view: View | null;
  readonly listeners: Set<ChangeListener>;
}

/** How long a dispatch is watched after its end. */
const WATCHED_MS = 3_600_000;
/** Thousands of deliveries may be sent in a second: their progress is reported once. */
const PROGRESS_EVERY_MS = 1000;

/** Notifies listeners of changes by any process: each look compares the current state with the previous one. */
export class LiveChanges {
  private readonly watched = new Map<Viewer, Watching>();
  private progressAtMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly ports: ChangePorts) {}

  /** Notifies `listener` of changes until the returned function is called. */
  listen(viewer: Viewer, listener: ChangeListener): () => void {
    const watching = this.watched.get(viewer) ?? { view: null, listeners: new Set() };
    this.watched.set(viewer, watching);
    watching.listeners.add(listener);
    if (watching.view === null) this.ports.wake();
    else listener.ready();
    return () => {
      watching.listeners.delete(listener);
      if (watching.listeners.size === 0 && this.watched.get(viewer) === watching) this.watched.delete(viewer);
    };
  }

  /** Reads once for all listeners; does nothing without any. */
  async look(): Promise<void> {
    // Listeners added during the read are included next time.
    const watched = [...this.watched];
    if (watched.length === 0) return;
    const isDue = this.ports.clock.monotonicMs() - this.progressAtMs >= PROGRESS_EVERY_MS;
    const snapshot = await this.read(watched, isDue);
    for (const [viewer, watching] of watched) {
      const heeded = isDue || watching.view === null ? snapshot : { ...snapshot, progress: null };
      const view = viewOf(heeded, viewer, watching.view);
      tell(watching, view);
      watching.view = view;
    }
  }

  private async read(watched: ReadonlyArray<[Viewer, Watching]>, isDue: boolean): Promise<Snapshot> {
    const { reader, clock } = this.ports;
    const accountIds = watched.flatMap(([viewer]) => viewer ?? []);
    const at = clock.now();
    const since = new Date(at.getTime() - WATCHED_MS);
    const asksProgress = isDue || watched.some(([, { view }]) => view === null);
    const dispatches = await reader.dispatches(accountIds, since);
    const alarms = await reader.alarms();
    const progress = asksProgress ? await reader.progress(accountIds, since) : null;
    if (isDue) this.progressAtMs = clock.monotonicMs();
    return { at, dispatches, progress, alarms };
  }
}

const tell = ({ view: before, listeners }: Watching, after: View): void => {
  const changes = before === null ? [] : changesBetween(before, after);
  for (const listener of listeners) {
    if (before === null) listener.ready();
    else if (changes.length > 0) listener.changed(changes);
  }
};
