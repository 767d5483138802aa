import type { Clock } from "../operations/clock.js";

/** How long a notice that was written meanwhile may go unseen. */
const LOOK_MS = 250;
/** One that is due and not taken is not looked at more often. */
const MIN_PAUSE_MS = 20;

export interface NoticeTiming {
  /** When the next notice that waits is due; null when none waits. */
  readonly nextDueAt: () => Promise<Date | null>;
  readonly clock: Clock;
  readonly wake: () => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Wakes a worker at the moment when a notice becomes due: a scenario that is played 600 times faster has no second to
 * lose. Answers what ends it.
 */
export const wakeWhenDue = ({ nextDueAt, clock, wake, onError }: NoticeTiming): (() => Promise<void>) => {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    const pauseMs = await untilDueMs().catch((error: unknown) => {
      onError(error);
      return LOOK_MS;
    });
    if (pauseMs <= 0) wake();
    if (!isStopped) timer = setTimeout(again, Math.min(Math.max(pauseMs, MIN_PAUSE_MS), LOOK_MS));
  };
  const untilDueMs = async (): Promise<number> => {
    const due = await nextDueAt();
    return due === null ? LOOK_MS : due.getTime() - clock.now().getTime();
  };
  let looking = look();
  const again = (): void => {
    looking = look();
  };
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await looking;
  };
};
