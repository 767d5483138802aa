import { MISSED_INTERVALS } from "./ven.js";

/** How an account polls GET /dispatches, or a VEN of OpenADR 3 its events. */
export interface Polls {
  readonly lastAt: Date;
  /** Usual time between two polls; null after a single poll. */
  readonly intervalSeconds: number | null;
}

/** A pause this long does not change the interval. */
const PAUSE_SECONDS = 3600;
/** Weight of the latest interval in the moving average. */
const WEIGHT = 0.2;

export const afterPoll = (before: Polls | null, at: Date): Polls => {
  if (before === null) return { lastAt: at, intervalSeconds: null };
  const gapSeconds = (at.getTime() - before.lastAt.getTime()) / 1000;
  if (gapSeconds <= 0 || gapSeconds > PAUSE_SECONDS) return { ...before, lastAt: at };
  const usual = before.intervalSeconds ?? gapSeconds;
  return { lastAt: at, intervalSeconds: usual + (gapSeconds - usual) * WEIGHT };
};

/** How old and how inaccurate the stored value may be, so that a poll costs no write. */
const KEPT_MS = 60_000;
const KEPT_SHARE = 0.25;

/** Whether the stored value of polls is out of date. */
export const isWorthKeeping = (kept: Polls | null, now: Polls): boolean => {
  if (kept === null || now.lastAt.getTime() - kept.lastAt.getTime() >= KEPT_MS) return true;
  if (now.intervalSeconds === null) return false;
  return (
    kept.intervalSeconds === null ||
    Math.abs(now.intervalSeconds - kept.intervalSeconds) > kept.intervalSeconds * KEPT_SHARE
  );
};

/** How long somebody with this usual interval may be unseen: three intervals, and as long as the stored time may be old. */
export const silentMs = (intervalSeconds: number): number => intervalSeconds * MISSED_INTERVALS * 1000 + KEPT_MS;
