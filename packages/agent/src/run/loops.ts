import { setTimeout } from "node:timers/promises";

/** A run of a loop; it may return how long the next one must wait, in milliseconds. */
type Work = () => Promise<number | void>;
type OnFailure = (error: unknown) => void;

/** Runs `work` again and again, `everyMs` after its end, until the signal is aborted. A failure is reported and does not end it. */
export const repeat = async (everyMs: number, signal: AbortSignal, work: Work, failed: OnFailure): Promise<void> => {
  while (!signal.aborted) await rest(Math.max(everyMs, await run(work, failed)), signal);
};

/** Ends the rest between two runs early. */
export class Waker {
  private isWoken = false;
  private nap = new AbortController();

  readonly wake = (): void => {
    this.isWoken = true;
    this.nap.abort();
  };

  /** Resolves after `ms`; at once if it was woken since the last rest. */
  async rest(ms: number): Promise<void> {
    this.nap = new AbortController();
    if (!this.isWoken) await rest(ms, this.nap.signal);
    this.isWoken = false;
  }
}

export interface Rhythm {
  readonly everyMs: number;
  /** Not sooner than this, however often it is woken. */
  readonly leastMs: number;
  readonly waker: Waker;
}

/** Like `repeat`, but the waker makes the next run follow sooner. It waits at least as long as `work` says. */
export const repeatWoken = async (
  { everyMs, leastMs, waker }: Rhythm,
  signal: AbortSignal,
  work: Work,
  failed: OnFailure,
): Promise<void> => {
  signal.addEventListener("abort", waker.wake, { once: true });
  while (!signal.aborted) {
    const mustMs = Math.max(leastMs, await run(work, failed));
    await rest(mustMs, signal);
    await waker.rest(Math.max(0, everyMs - mustMs));
  }
};

const run = async (work: Work, failed: OnFailure): Promise<number> => {
  try {
    return (await work()) ?? 0;
  } catch (error) {
    failed(error);
    return 0;
  }
};

/** Resolves after `ms`, or as soon as the signal is aborted. */
export const rest = (ms: number, signal: AbortSignal): Promise<void> =>
  setTimeout(ms, undefined, { signal }).catch(() => {});
