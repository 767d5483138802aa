import { performance } from "node:perf_hooks";
import { harmless } from "../human-form.js";
import { reasonOf } from "./participant-failure.js";

/** What is posted to a program. */
export interface Post {
  readonly body: string;
  /** Those of one attempt. */
  readonly headers: (nowMs: number) => Record<string, string>;
}

/** One attempt to forward something. */
export interface Attempt {
  readonly attempt: number;
  readonly status: number | null;
  /** Why there is no status. */
  readonly error: string | null;
  readonly durationMs: number;
  /** Time until the next attempt; null if it succeeded. */
  readonly retryMs: number | null;
}

/** As the service does (docs/webhooks.md); it then gives up, while this waits for the developer's program. */
const RETRY_MS = [2000, 6000, 18_000, 54_000] as const;
const LONGEST_RETRY_MS = 54_000;
const SUCCESS = [200, 201, 202, 204];
const TIMEOUT_MS = 10_000;

export interface Forwarding {
  readonly target: string;
  readonly signal: AbortSignal;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly onAttempt: (attempt: Attempt) => void;
}

/** Posts something until the target accepts it; throws the signal's reason if it is aborted. */
export const forward = async (what: Post, forwarding: Forwarding): Promise<void> => {
  const { signal, wait, onAttempt } = forwarding;
  for (let attempt = 1; ; attempt++) {
    const sentMs = performance.now();
    const outcome = await post(what, forwarding);
    signal.throwIfAborted();
    const isAccepted = outcome.status !== null && SUCCESS.includes(outcome.status);
    const retryMs = isAccepted ? null : (RETRY_MS[attempt - 1] ?? LONGEST_RETRY_MS);
    onAttempt({ ...outcome, attempt, retryMs, durationMs: Math.round(performance.now() - sentMs) });
    if (retryMs === null) return;
    await wait(retryMs, signal);
    signal.throwIfAborted();
  }
};

const post = async (
  { body, headers }: Post,
  { target, signal }: Forwarding,
): Promise<Pick<Attempt, "status" | "error">> => {
  try {
    const response = await fetch(target, {
      method: "POST",
      headers: headers(Date.now()),
      body,
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    return { status: response.status, error: null };
  } catch (error) {
    return { status: null, error: reasonOf(error) };
  }
};

/**
 * `dispatch.create dis_… #0: 200 in 12 ms`
 *
 * @param what the part before the colon
 */
export const attemptLine = (what: string, attempt: Attempt): string => {
  const { status, error, durationMs, retryMs } = attempt;
  const outcome = status === null ? (error ?? "no answer") : String(status);
  const next = retryMs === null ? "" : `; attempt ${attempt.attempt + 1} in ${retryMs / 1000} s`;
  return `${harmless(what)}: ${harmless(outcome)} in ${durationMs} ms${next}`;
};
