import type { Outcome, SentAttempt } from "../../platform/attempt.js";
import { delayAfterMs } from "../../platform/attempt.js";
import type { Clock } from "../../platform/clock.js";
import type { Claim } from "../../platform/lease.js";
import type { ClaimedNotification } from "../domain/notification.js";

export interface NotificationRecord {
  readonly notification: ClaimedNotification;
  readonly attempt: SentAttempt;
  readonly outcome: Outcome;
}

/** The outbox of webhook subscriptions, shared by any number of workers. */
export interface NotificationQueue {
  /**
   * Claims one notification of each subscription, its oldest that is due, and of each object its oldest only: what waits
   * for a retry holds up nothing but later notifications of the same object.
   */
  claim(claim: Claim): Promise<readonly ClaimedNotification[]>;
  /** Under a lease that another worker took over, only stores the attempt. */
  record(record: NotificationRecord): Promise<void>;
}

/** By the retry schedule of all webhooks (G30). */
export const outcomeOf = (
  { failures }: ClaimedNotification,
  { ok }: SentAttempt,
  { clock, random }: { readonly clock: Clock; readonly random: () => number },
): Outcome => {
  if (ok) return { state: "delivered" };
  const delayMs = delayAfterMs(failures + 1, random());
  return delayMs === null
    ? { state: "failed" }
    : { state: "pending", nextAttemptAt: new Date(clock.now().getTime() + delayMs) };
};
