import { jsonPieces } from "./long-json.js";
import { conflict, invalid, type Refusal, tooMany } from "./refusal.js";

/** A request to carry out once, however often it is sent (G57). */
export interface RequestClaim {
  /** Hash of holder, path and key. */
  readonly id: string;
  /** Who sent it: a key, a person or the operator. */
  readonly holder: string;
  /** Hash of query and body. */
  readonly requestHash: Buffer;
}

/** The record of an earlier request with the same key. */
export interface StoredAnswer {
  readonly requestHash: Buffer;
  /** Its answer as it was kept; null while it is unknown. */
  readonly answer: string | null;
}

const KEPT_HOURS = 24;

/** Keys claimed before this may be claimed again. */
export const claimableSince = (now: Date): Date => new Date(now.getTime() - KEPT_HOURS * 3_600_000);

/** Limits per holder; the oldest are removed first. */
export const KEPT_OF_HOLDER = { count: 10_000, bytes: 32 * 1024 * 1024 };

const MAX_KEY = 200;

/** Refuses an invalid key. */
export const refuseKey = (key: string): Refusal | null =>
  /^[\x21-\x7e]+$/.test(key) && key.length <= MAX_KEY
    ? null
    : invalid(`Idempotency-Key must be 1 to ${MAX_KEY} visible ASCII characters without spaces, such as a UUID`);

/** Pieces of the text that requests are compared by; member order makes no difference. */
export const canonical = (value: object): Iterable<string> => jsonPieces(value, sorted);

const sorted = (_name: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** Why an earlier request's answer does not answer this one. */
export const refuseReplay = (claim: RequestClaim, kept: StoredAnswer): Refusal | null => {
  if (!kept.requestHash.equals(claim.requestHash)) return anotherRequest;
  return kept.answer === null ? unknownOutcome : null;
};

const anotherRequest = invalid(
  "this Idempotency-Key was used for another request to this address in the last 24 hours; use a new key for each request",
);

const unknownOutcome = conflict(
  "an earlier request with this Idempotency-Key is unfinished or was interrupted, and may have taken effect; check before you send it again with a new key",
);

const WAIT_SECONDS = 5;

/** If the earlier one takes longer than a repeat waits for it. */
export const underWay = tooMany("an earlier request with this Idempotency-Key is still being processed", WAIT_SECONDS);
