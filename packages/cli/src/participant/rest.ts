/** A longer wait is a mistake, and one of more than 2^31 ms would be none: timers then fire at once. */
const LONGEST_MS = 3_600_000;

/**
 * How long to rest after an answer, in milliseconds.
 *
 * @param leastMs without a wish of the service
 * @param retryAfterSeconds what it asks for; null: nothing
 */
export const restAfter = (leastMs: number, retryAfterSeconds: number | null): number =>
  Math.max(leastMs, Math.min((retryAfterSeconds ?? 0) * 1000, LONGEST_MS));
