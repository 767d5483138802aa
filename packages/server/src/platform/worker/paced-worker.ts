import type { LoopClock } from "../clock.js";
import { Polling } from "../polling.js";

export interface Step {
  /** Whether there is nothing left to do for now. */
  readonly isDone: boolean;
}

export interface PacedWork<S extends Step> {
  /** A piece of the work, of some milliseconds; never runs twice at once. */
  readonly step: () => Promise<S>;
  readonly clock: LoopClock;
  /** Share of the time that may be spent working, above 0 and up to 1. */
  readonly share: number;
  /** Rest once everything is done. */
  readonly idleMs: number;
  /** Whether to rest before the first step. */
  readonly restsFirst?: boolean;
  readonly observe: (step: S) => void;
  readonly onError: (error: unknown) => void;
}

/** Works step by step in the background, with rests in between, until stopped. */
export class PacedWorker<S extends Step> {
  private readonly stopping = new AbortController();
  private readonly polling: Polling;

  constructor(private readonly work: PacedWork<S>) {
    const { onError, clock, idleMs, restsFirst = false } = work;
    this.polling = new Polling({ look: () => this.look(), onError, clock, everyMs: idleMs, restsFirst });
  }

  start(): void {
    this.polling.start();
  }

  /** Call when there may be something to do. */
  wake(): void {
    this.polling.wake();
  }

  /** Waits for the current step. */
  stop(): Promise<void> {
    this.stopping.abort();
    return this.polling.stop();
  }

  /** The database's work is counted as well: the time of a step is that of both. */
  private async look(): Promise<boolean> {
    const { step, clock, share, observe } = this.work;
    const beganMs = clock.monotonicMs();
    const done = await step();
    observe(done);
    if (done.isDone) return false;
    const workedMs = clock.monotonicMs() - beganMs;
    await clock.sleep(workedMs * (1 / share - 1), this.stopping.signal);
    return true;
  }
}
