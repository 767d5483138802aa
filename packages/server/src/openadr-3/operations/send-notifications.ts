import type { MessageOutcome } from "../../dispatch/domain/message.js";
import { delayAfterMs, type SentAttempt } from "../../platform/attempt.js";
import type { ClaimedNotification } from "../domain/notification.js";

/** By the retry schedule of all webhooks (G30). `random` is in [0, 1). */
export const outcomeOf = (
  { failures, url }: ClaimedNotification,
  attempt: SentAttempt,
  { endedAt, random }: { readonly endedAt: Date; readonly random: number },
): MessageOutcome => {
  const { ok, status, durationMs, address, error } = attempt;
  const at = new Date(attempt.at.getTime() + durationMs);
  // The subscription may have another address by the next attempt.
  const made = { at, attempt, kept: { url, at: attempt.at.toISOString(), status, durationMs, address, error } };
  if (ok) return { state: "delivered", modification: null, ...made };
  const delayMs = delayAfterMs(failures + 1, random);
  if (delayMs === null) return { state: "failed", reason: "attempts_failed", error, ...made };
  return { state: "pending", nextAttemptAt: new Date(endedAt.getTime() + delayMs), error, ...made };
};
