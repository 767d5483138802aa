import type { LoopClock } from "../../platform/clock.js";
import { Polling } from "../../platform/polling.js";
import type { LivePerformance } from "../operations/live-performance.js";
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
export class PerformanceWatch {
  private soughtAtMs = Number.NEGATIVE_INFINITY;
  private unfinished: readonly UnfinishedDispatch[] = [];
  private readonly polling: Polling;

  constructor(
    private readonly ports: PerformanceWatchPorts,
    onError: (error: unknown) => void,
  ) {
    this.polling = new Polling({ look: () => this.look(), onError, clock: ports.clock });
  }

  start(): void {
    this.polling.start();
  }

  stop(): Promise<void> {
    return this.polling.stop();
  }

  private async look(): Promise<boolean> {
    const { live, finishing, finishLate } = this.ports;
    if (finishing !== null) await this.seek(finishing);
    await live.update();
    await finishing?.finish(this.unfinished);
    await finishLate();
    return false;
  }

  private async seek(finishing: Finishing): Promise<void> {
    const nowMs = this.ports.clock.now().getTime();
    // In either direction: setting back the database's clock must not stop the watch.
    if (Math.abs(nowMs - this.soughtAtMs) < SEEK_EVERY_MS) return;
    this.soughtAtMs = nowMs;
    this.unfinished = await finishing.unfinished(new Date(nowMs + AHEAD_MS));
    for (const { id } of this.unfinished) this.ports.live.follow(id);
  }
}
