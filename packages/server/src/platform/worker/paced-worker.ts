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
  readonly observe?: (step: S) => void;
  readonly onError: (error: unknown) => void;
}

/** Works step by step in the background, with rests in between, until stopped. */
export class PacedWorker<S extends Step> extends Polling {
  constructor({ step, share, idleMs, observe, clock, ...loop }: PacedWork<S>) {
    // The database's work is counted as well: the time of a step is that of both.
    const look = async (stopping: AbortSignal): Promise<boolean> => {
      const beganMs = clock.monotonicMs();
      const done = await step();
      observe?.(done);
      if (done.isDone) return false;
      await clock.sleep((clock.monotonicMs() - beganMs) * (1 / share - 1), stopping);
      return true;
    };
    super({ ...loop, clock, look, everyMs: idleMs });
  }
}
