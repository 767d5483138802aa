/** Time and waiting; tests replace it. */
export interface Clock {
  /** Milliseconds of Unix time. */
  readonly now: () => number;
  /** Waits; throws the signal's reason if it is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** Longest delay of `setTimeout`. */
const LONGEST_MS = 2 ** 31 - 1;

/** The time of this machine, and timers. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        reject(reasonOf(signal));
      };
      const done = () => {
        signal?.removeEventListener("abort", stop);
        resolve();
      };
      const timer = setTimeout(done, Math.min(Math.max(ms, 0), LONGEST_MS));
      if (signal?.aborted === true) stop();
      else signal?.addEventListener("abort", stop, { once: true });
    }),
};

/** Why a signal was aborted, as an error. */
const reasonOf = (signal: AbortSignal | undefined): Error =>
  signal?.reason instanceof Error ? signal.reason : new Error("aborted", { cause: signal?.reason });
