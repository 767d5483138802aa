import type { Clock } from "./clock.js";
import { ErrorResponse, NoResponse } from "./failure.js";

/** When and how often a call is repeated. */
export interface RetryPolicy {
  /** Attempts in all; 1 never repeats. Default: 5. */
  readonly attempts: number;
  /** Upper limit of the first delay in milliseconds, doubled with each attempt. Default: 500. */
  readonly firstDelayMs: number;
  /** Upper limit of any delay in milliseconds. Default: 30,000. */
  readonly longestDelayMs: number;
  /** A Retry-After beyond this, in milliseconds, ends the call in place of waiting. Default: 300,000. */
  readonly longestRetryAfterMs: number;
}

export const defaultRetry: RetryPolicy = {
  attempts: 5,
  firstDelayMs: 500,
  longestDelayMs: 30_000,
  longestRetryAfterMs: 300_000,
};

/** A failure that may pass: too many requests, a reply in preparation, a fault of the service, or no response. */
export const isPassing = (error: unknown): error is ErrorResponse | NoResponse =>
  error instanceof NoResponse || (error instanceof ErrorResponse && isPassingStatus(error.status));

const isPassingStatus = (status: number): boolean => isNotCarriedOut(status) || status >= 500;

/** The service did nothing yet, so that any request may be sent again. */
const isNotCarriedOut = (status: number): boolean => status === 429 || status === 202;

/**
 * Milliseconds until the next attempt, with full jitter: a random share of a limit that doubles with each attempt. A
 * Retry-After is kept, and a share of the first delay added, so that clients that were refused together do not return
 * together.
 *
 * @param attempt number of the attempt that failed, from 1
 * @param random at least 0, below 1
 * @returns null if the call should fail
 */
export const delayAfter = (
  error: unknown,
  {
    attempt,
    isRepeatable,
    policy,
    random,
  }: {
    readonly attempt: number;
    readonly isRepeatable: boolean;
    readonly policy: RetryPolicy;
    readonly random: number;
  },
): number | null => {
  if (!isPassing(error) || attempt >= policy.attempts) return null;
  if (!isRepeatable && !(error instanceof ErrorResponse && isNotCarriedOut(error.status))) return null;
  if (error.retryAfter === null)
    return random * Math.min(policy.longestDelayMs, policy.firstDelayMs * 2 ** (attempt - 1));
  const retryAfterMs = error.retryAfter * 1000;
  return retryAfterMs > policy.longestRetryAfterMs ? null : retryAfterMs + random * policy.firstDelayMs;
};

export interface Retrying {
  readonly isRepeatable: boolean;
  readonly policy: RetryPolicy;
  readonly clock: Clock;
  /** At least 0, below 1. */
  readonly random: () => number;
  readonly signal?: AbortSignal | undefined;
}

/** Carries out an attempt until it succeeds or should not be repeated. */
export const retrying = async <T>(attemptOnce: () => Promise<T>, options: Retrying): Promise<T> => {
  const { isRepeatable, policy, clock, random, signal } = options;
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    try {
      return await attemptOnce();
    } catch (error) {
      signal?.throwIfAborted();
      const delayMs = delayAfter(error, { attempt, isRepeatable, policy, random: random() });
      if (delayMs === null) throw error;
      await clock.sleep(delayMs, signal);
    }
  }
};
