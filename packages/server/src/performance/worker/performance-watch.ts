import type { LoopClock } from "../../platform/clock.js";
import { Polling } from "../../platform/polling.js";
import type { LivePerformance } from "../operations/live-performance.js";
import type { UnfinishedDispatch } from "../operations/measurement-ports.js";

/** Dispatches are looked for this often, and followed this long before they start: the look-backs take a while. */
const SEEK_EVERY_MS = 5000;
const AHEAD_MS = 600_000;

/** What only a worker does. */
export interface Finishing {
  /** Dispatches that start by then and have no final result. */
  unfinished(startingBy: Date): Promise<readonly UnfinishedDispatch[]>;
  /** Keeps the final results of those that are done. */
  finish(unfinished: readonly UnfinishedDispatch[]): Promise<void>;
  /** Corrects final results by what came late. */
  correct(): Promise<void>;
}

export interface PerformanceWatchPorts {
  readonly live: LivePerformance;
  readonly clock: LoopClock;
  /** null where other processes see to it. */
  readonly finishing: Finishing | null;
}

/** Keeps what is measured up to date, once a second, until it is stopped. */
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
    const { live, finishing } = this.ports;
    if (finishing !== null) await this.seek(finishing);
    await live.update();
    await finishing?.finish(this.unfinished);
    return false;
  }

  private async seek(finishing: Finishing): Promise<void> {
    const nowMs = this.ports.clock.now().getTime();
    // In either direction: a database's clock that was set back must not stop the watch.
    if (Math.abs(nowMs - this.soughtAtMs) < SEEK_EVERY_MS) return;
    this.soughtAtMs = nowMs;
    this.unfinished = await finishing.unfinished(new Date(nowMs + AHEAD_MS));
    for (const { id } of this.unfinished) this.ports.live.follow(id);
    await finishing.correct();
  }
}
