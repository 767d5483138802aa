import type { SentAttempt } from "../../platform/attempt.js";
import { delayAfterMs } from "../../platform/attempt.js";
import type { Lease } from "../../platform/lease.js";
import type { Ven } from "../domain/ven.js";

/** An event to send to a VEN. */
export interface DuePush {
  readonly dispatchId: string;
  readonly modificationNumber: number;
  readonly failures: number;
}

/** A VEN with events to push; no other worker pushes to it until the lease ends. */
export interface ClaimedPush {
  readonly ven: Ven;
  readonly leasedUntil: Date;
  readonly due: readonly DuePush[];
}

/** The outcome of a push. */
export interface PushRecord extends DuePush {
  readonly isDone: boolean;
  /** null once delivered or given up. */
  readonly nextAttemptAt: Date | null;
}

export interface PushQueue {
  /** VENs with events that are due, new or again. */
  claim(claim: Lease): Promise<readonly ClaimedPush[]>;
  /** With a lease that another worker took over, or when called again, only stores the attempt. */
  record(push: ClaimedPush, attempt: SentAttempt, records: readonly PushRecord[]): Promise<void>;
}

/** Outcome of each event in the message, by the retry schedule of webhooks. */
export const outcomesOf = (
  { due }: ClaimedPush,
  attempt: SentAttempt,
  { endedAt, random }: { readonly endedAt: Date; readonly random: () => number },
): PushRecord[] =>
  due.map((push) => {
    if (attempt.ok) return { ...push, isDone: true, nextAttemptAt: null };
    const failures = push.failures + 1;
    const delayMs = delayAfterMs(failures, random());
    const nextAttemptAt = delayMs === null ? null : new Date(endedAt.getTime() + delayMs);
    return { ...push, failures, isDone: false, nextAttemptAt };
  });
