import { setTimeout } from "node:timers/promises";

/** Runs `work` again and again, `everyMs` after its end, until the signal is aborted. A failure is told and does not end it. */
export const repeat = async (
  everyMs: number,
  signal: AbortSignal,
  work: () => Promise<number | void>,
  failed: (error: unknown) => void,
): Promise<void> => {
  while (!signal.aborted) {
    let waitMs = everyMs;
    try {
      waitMs = Math.max(everyMs, (await work()) ?? 0);
    } catch (error) {
      failed(error);
    }
    await rest(waitMs, signal);
  }
};

/** Resolves after `ms`, or as soon as the signal is aborted. */
export const rest = (ms: number, signal: AbortSignal): Promise<void> =>
  setTimeout(ms, undefined, { signal }).catch(() => {});
