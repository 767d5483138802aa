import type { LoopClock } from "../../platform/clock.js";
import { Polling } from "../../platform/polling.js";
import type { LivePerformance } from "../operations/live/live-performance.js";
import type { UnfinishedDispatch } from "../operations/measurement-ports.js";

/**
 * How often to look for dispatches, and how long before their start to follow them: reading the look-backs takes a
 * while.
 */
const SEEK_EVERY_MS = 5000;
const AHEAD_MS = 600_000;

/** Tasks of worker processes only. */
export interface Finishing {
  /** Dispatches without a final result that start by then. */
  unfinished(startingBy: Date): Promise<readonly UnfinishedDispatch[]>;
  /** Stores the final results of those that are done. */
  finish(unfinished: readonly UnfinishedDispatch[]): Promise<void>;
}

export interface PerformanceWatchPorts {
  readonly live: LivePerformance;
  readonly clock: LoopClock;
  /** null if other processes do it. */
  readonly finishing: Finishing | null;
  /** Stores results of dispatches that ended long ago and are looked at in this process. */
  readonly finishLate: () => Promise<void>;
}

/** Updates live measurements once a second until stopped. */
export const performanceWatch = (
  { live, clock, finishing, finishLate }: PerformanceWatchPorts,
  onError: (error: unknown) => void,
): Polling => {
  let soughtAtMs = Number.NEGATIVE_INFINITY;
  let unfinished: readonly UnfinishedDispatch[] = [];
  const seek = async (among: Finishing): Promise<void> => {
    const nowMs = clock.now().getTime();
    // In either direction: setting back the database's clock must not stop the watch.
    if (Math.abs(nowMs - soughtAtMs) < SEEK_EVERY_MS) return;
    soughtAtMs = nowMs;
    unfinished = await among.unfinished(new Date(nowMs + AHEAD_MS));
    for (const { id } of unfinished) live.follow(id);
  };
  const look = async (): Promise<boolean> => {
    if (finishing !== null) await seek(finishing);
    await live.update();
    await finishing?.finish(unfinished);
    await finishLate();
    return false;
  };
  return new Polling({ look, onError, clock });
};
