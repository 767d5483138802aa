import type { LoopClock } from "../../platform/clock.js";

/** How long a notice written meanwhile may go unnoticed. */
const LOOK_MS = 250;
/** Shortest pause, for a due notice that nobody claims. */
const MIN_PAUSE_MS = 20;

export interface NoticeTiming {
  /** When the next pending notice is due; null if there is none. */
  readonly nextDueAt: () => Promise<Date | null>;
  readonly clock: Pick<LoopClock, "now" | "sleep">;
  readonly wake: () => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Wakes a worker at the moment a notice becomes due: a scenario played 600 times faster has no second to lose. Returns
 * a function that stops it.
 */
export const wakeWhenDue = (timing: NoticeTiming): (() => Promise<void>) => {
  const stopping = new AbortController();
  const looking = lookUntil(stopping.signal, timing);
  return () => {
    stopping.abort();
    return looking;
  };
};

const lookUntil = async (stopping: AbortSignal, timing: NoticeTiming): Promise<void> => {
  while (!stopping.aborted) {
    const pauseMs = await untilDueMs(timing).catch((error: unknown) => {
      timing.onError(error);
      return LOOK_MS;
    });
    if (pauseMs <= 0) timing.wake();
    await timing.clock.sleep(Math.min(Math.max(pauseMs, MIN_PAUSE_MS), LOOK_MS), stopping);
  }
};

const untilDueMs = async ({ nextDueAt, clock }: NoticeTiming): Promise<number> => {
  const due = await nextDueAt();
  return due === null ? LOOK_MS : due.getTime() - clock.now().getTime();
};
