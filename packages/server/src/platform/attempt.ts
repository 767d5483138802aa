/** Where webhooks may point besides public addresses over https (G33). */
export interface AddressPolicy {
  /** CIDRs that the operator allowed; they may be private. */
  readonly allowedNetworks: readonly string[];
  /** Only if the service itself listens on loopback. */
  readonly allowLoopback: boolean;
  readonly allowHttp: boolean;
}

/** One attempt, including all redirects (G30). */
export const ATTEMPT_MS = 10_000;
/** If the last attempt at a receiver took this long, its messages come after those for others. */
export const HUNG_MS = 2000;
export const MAX_REDIRECTS = 3;
export const MAX_RESPONSE_BYTES = 64 * 1024;
export const KEPT_RESPONSE_BYTES = 1024;

const successStatuses: readonly number[] = [200, 201, 202, 204]; // specification, Events 5
const redirectStatuses: readonly number[] = [301, 302]; // specification, Events 5; 303, 307 and 308 are failures

export const isSuccess = (status: number): boolean => successStatuses.includes(status);
export const isRedirect = (status: number): boolean => redirectStatuses.includes(status);

const retryDelaysSeconds = [2, 6, 18, 54] as const; // 1 try + 4 retries (G30)
const JITTER = 0.2;

/** Delay after a number of failures; null after the last try. `random` is in [0, 1); 0.5 means no jitter. */
export const delayAfterMs = (failures: number, random: number): number | null => {
  const seconds = retryDelaysSeconds[failures - 1];
  return seconds === undefined ? null : Math.round(seconds * 1000 * (1 + (2 * random - 1) * JITTER));
};

/** One request and its outcome. */
export interface Attempt {
  readonly at: Date;
  readonly status: number | null;
  readonly durationMs: number;
  readonly address: string | null;
  readonly error: string | null;
}

/** The start of a response, as text. */
export interface ResponseStart {
  /** Its Content-Type; null if it has none. */
  readonly responseType: string | null;
  /** At most `KEPT_RESPONSE_BYTES` of it were decoded; null without a response. */
  readonly responseBody: string | null;
}

/** The result of sending. */
export interface SentAttempt extends Attempt {
  readonly ok: boolean;
}

/** The same with the start of the response. */
export interface AnsweredAttempt extends SentAttempt, ResponseStart {}
