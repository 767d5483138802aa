import type { RetryPolicy } from "./retry.js";

/** Address of an operation, and what may be done with a call of it. */
export interface Operation {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path below the address of the interface, parameters in braces: `/dispatches/{id}`. */
  readonly path: string;
  /** Takes no input. */
  readonly isBare?: true;
  /** Takes an Idempotency-Key: with one, the service carries the request out once, however often it is sent. */
  readonly isOnce?: true;
  /** Sending it again after an unknown outcome does no harm. */
  readonly isRepeatable?: true;
  /** Returns a file or a stream in place of JSON. */
  readonly isFile?: true;
}

/** Settings of one call. */
export interface CallSettings {
  /** Aborting it ends the call and its waits; the call then throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** Time until the reply of one attempt must be complete, in milliseconds, in place of the participant's. */
  readonly timeoutMs?: number;
  /** How this call is repeated, where it differs from the participant's; `{ attempts: 1 }` never repeats it. */
  readonly retry?: Partial<RetryPolicy>;
}

/** Settings of a call that returns server-sent events. */
export interface StreamSettings extends CallSettings {
  /** Id of the last event that was received: the stream continues after it. Default: it begins from scratch. */
  readonly lastEventId?: string;
}

/** Settings of a call that the service carries out once. */
export interface OnceOptions extends CallSettings {
  /**
   * 1 to 200 visible characters, new for each operation. Default: a new UUID, so that repeats of one call are safe.
   * Give your own to repeat a call after a restart.
   */
  readonly idempotencyKey?: string;
}
