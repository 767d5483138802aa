import { DAY_MS } from "../../../platform/period.js";
import type { DispatchTracker } from "../live/dispatch-tracker.js";
import type { LivePerformance } from "../live/live-performance.js";
import { FOLLOWED_DAYS, type UnfinishedDispatch } from "../measurement-ports.js";
import {
  archivedSites,
  type FinishPorts,
  finishInPieces,
  finishPerformance,
  mayBeFinal,
} from "./finish-performance.js";

/** A dispatch that is incomplete and does not fit into memory is measured again after this long. */
const PIECES_AGAIN_MS = 300_000;

/** Stores the final results of followed dispatches that are complete or overdue. */
export const finishDispatches = async (ports: FinishPorts, live: LivePerformance, ids: readonly string[]) => {
  for (const id of ids) {
    const tracker = live.tracker(id);
    const version = tracker === null ? null : await finishPerformance(ports, tracker);
    if (version !== null) live.finished(id, version);
  }
};

/**
 * Stores the final results of dispatches that ended so long ago that nobody follows them, once somebody looks at one
 * (M6); not where its readings are archived in part.
 */
export class LateFinishing {
  private readonly unkeepable = new WeakSet<DispatchTracker>();

  constructor(
    private readonly ports: FinishPorts,
    private readonly live: LivePerformance,
  ) {}

  async finish(): Promise<void> {
    const nowMs = this.ports.clock.now().getTime();
    for (const tracker of this.live.trackers()) {
      if (!isLeftUnfinished(tracker, nowMs) || this.unkeepable.has(tracker)) continue;
      const { dispatch } = tracker;
      const archived = await archivedSites(this.ports, dispatch, dispatch.sites);
      if (archived.size > 0) this.unkeepable.add(tracker);
      else await finishDispatches(this.ports, this.live, [dispatch.id]);
    }
  }
}

const isLeftUnfinished = ({ dispatch, isFinal }: DispatchTracker, nowMs: number): boolean => {
  const { endMs, cancelledMs, startMs, isVoid, isSelfMade } = dispatch;
  const tookPlace = !isVoid && (cancelledMs === null || cancelledMs > startMs);
  const isOld = endMs !== null && endMs <= nowMs - FOLLOWED_DAYS * DAY_MS;
  return !isFinal && !isSelfMade && tookPlace && isOld;
};

/** Finishes dispatches that do not fit into memory, one at a time, in the background. */
export class PiecewiseFinishing {
  private working: Promise<void> | null = null;
  private readonly againAtMs = new Map<string, number>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly ports: FinishPorts,
    private readonly live: LivePerformance,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Starts with the first one due, unless one is in progress. */
  begin(unfinished: readonly UnfinishedDispatch[]): void {
    const nowMs = this.ports.clock.now().getTime();
    for (const [id, atMs] of this.againAtMs) if (atMs <= nowMs) this.againAtMs.delete(id);
    if (this.working !== null || this.stopping.signal.aborted) return;
    const due = unfinished.find(
      ({ id, endMs }) => mayBeFinal(endMs, nowMs) && !this.live.isFollowed(id) && !this.againAtMs.has(id),
    );
    if (due === undefined) return;
    this.againAtMs.set(due.id, nowMs + PIECES_AGAIN_MS);
    this.working = this.finish(due.id).finally(() => {
      this.working = null;
    });
  }

  /** Aborts the current one; another process, or the next start, begins it again. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.working;
  }

  private async finish(id: string): Promise<void> {
    try {
      const version = await finishInPieces(this.ports, id, this.stopping.signal);
      if (version !== null) this.live.finished(id, version);
    } catch (error) {
      if (!this.stopping.signal.aborted) this.onError(error);
    }
  }
}
