import type { LivePerformance } from "../operations/live-performance.js";
import type { Clock } from "../operations/ports.js";
import { Polling } from "./polling.js";

/** Dispatches are looked for this often, and followed this long before they start: the look-backs take a while. */
const SEEK_EVERY_MS = 5000;
const AHEAD_MS = 600_000;

export interface PerformanceWatchPorts {
  readonly live: LivePerformance;
  readonly clock: Clock;
  /** Dispatches that start by then and are to be measured to their final result; none where another process does so. */
  readonly unfinished: (startingBy: Date) => Promise<readonly string[]>;
}

/** Keeps what is measured up to date, once a second, until it is stopped. */
export class PerformanceWatch {
  private soughtAtMs = Number.NEGATIVE_INFINITY;
  private readonly polling: Polling;

  constructor(
    private readonly ports: PerformanceWatchPorts,
    onError: (error: unknown) => void,
  ) {
    this.polling = new Polling(() => this.look(), onError);
  }

  start(): void {
    this.polling.start();
  }

  stop(): Promise<void> {
    return this.polling.stop();
  }

  private async look(): Promise<boolean> {
    await this.seek();
    await this.ports.live.update();
    return false;
  }

  private async seek(): Promise<void> {
    const nowMs = this.ports.clock.now().getTime();
    if (Math.abs(nowMs - this.soughtAtMs) < SEEK_EVERY_MS) return;
    this.soughtAtMs = nowMs;
    for (const id of await this.ports.unfinished(new Date(nowMs + AHEAD_MS))) this.ports.live.follow(id);
  }
}
