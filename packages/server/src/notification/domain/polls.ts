/** How an account polls GET /dispatches. */
export interface Polls {
  readonly lastAt: Date;
  /** What lies between two polls, as a rule; null while it polled once. */
  readonly intervalSeconds: number | null;
}

/** An account that paused that long is assumed to keep its interval. */
const PAUSE_SECONDS = 3600;
/** How much the latest interval counts beside those before. */
const WEIGHT = 0.2;

export const afterPoll = (before: Polls | null, at: Date): Polls => {
  if (before === null) return { lastAt: at, intervalSeconds: null };
  const gapSeconds = (at.getTime() - before.lastAt.getTime()) / 1000;
  if (gapSeconds <= 0 || gapSeconds > PAUSE_SECONDS) return { ...before, lastAt: at };
  const usual = before.intervalSeconds ?? gapSeconds;
  return { lastAt: at, intervalSeconds: usual + (gapSeconds - usual) * WEIGHT };
};

/** How old, and how far off, what is kept may be: a poll costs no write. */
const KEPT_MS = 60_000;
const KEPT_SHARE = 0.25;

/** Whether what is kept of an account's polls says too little of them by now. */
export const isWorthKeeping = (kept: Polls | null, now: Polls): boolean => {
  if (kept === null || now.lastAt.getTime() - kept.lastAt.getTime() >= KEPT_MS) return true;
  if (now.intervalSeconds === null) return false;
  return (
    kept.intervalSeconds === null ||
    Math.abs(now.intervalSeconds - kept.intervalSeconds) > kept.intervalSeconds * KEPT_SHARE
  );
};
