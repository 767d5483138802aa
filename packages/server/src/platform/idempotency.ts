import { conflict, invalid, type Refusal, tooMany } from "./refusal.js";

/** A request that is to be carried out once, however often it is sent (G57). */
export interface Claim {
  /** Hash of holder, path and key. */
  readonly id: string;
  /** Who sends it: a key, a person, or the operator. */
  readonly holder: string;
  /** Of query and body. */
  readonly requestHash: Buffer;
}

/** What is known of an earlier request with the same key. */
export interface KeptAnswer {
  readonly requestHash: Buffer;
  /** Its answer as JSON; null while that is not known. */
  readonly answer: string | null;
}

const KEPT_HOURS = 24;

/** Keys claimed before then may be claimed again. */
export const claimableSince = (now: Date): Date => new Date(now.getTime() - KEPT_HOURS * 3_600_000);

/** Of one holder; the oldest are removed first. */
export const KEPT_OF_HOLDER = { count: 10_000, bytes: 32 * 1024 * 1024 };

const MAX_KEY = 200;

/** Why a header is no key. */
export const refuseKey = (key: string): Refusal | null =>
  /^[\x21-\x7e]+$/.test(key) && key.length <= MAX_KEY
    ? null
    : invalid(`Idempotency-Key must be 1 to ${MAX_KEY} visible ASCII characters without spaces, such as a UUID`);

/** What a request is compared by: member order makes no difference. */
export const canonical = (value: unknown): string => JSON.stringify(value, sorted) ?? "";

const sorted = (_name: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** Why an earlier request's answer is not this one's. */
export const refuseReplay = (claim: Claim, kept: KeptAnswer): Refusal | null => {
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

/** Where the one before takes longer than a repeat waits for it. */
export const underWay = tooMany("an earlier request with this Idempotency-Key is still being processed", WAIT_SECONDS);
