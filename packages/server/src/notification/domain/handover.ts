import type { ClaimedMessage, MessageKept, MessageOutcome } from "../../dispatch/domain/message.js";

const firstDelaysSeconds = [5, 15, 30, 60] as const;
const LATER_DELAY_SECONDS = 120;
const MAX_HOURS = 6;
/** Failures after which a person should look at the receiver. */
export const ALARMING_HANDOVERS = 3;

/** Delay after a number of failures to hand a message over; null once it is six hours old: then a person has heard otherwise. */
export const handoverDelayAfterMs = (failures: number, ageMs: number): number | null =>
  ageMs >= MAX_HOURS * 3_600_000 ? null : (firstDelaysSeconds[failures - 1] ?? LATER_DELAY_SECONDS) * 1000;

export const isAlarmingHandover = (failures: number): boolean => failures >= ALARMING_HANDOVERS;

/** What is wrong with the message itself; any other status may pass, or is a fault of the settings. */
const refusals: readonly number[] = [400, 410, 413, 422];
export const isRefusingStatus = (status: number | null): boolean => status !== null && refusals.includes(status);

/** What an attempt to hand a message over came to, if it was not taken. */
export interface FailedHandover {
  /** It will never take this message. */
  readonly isRefused: boolean;
  readonly error: string | null;
  readonly kept?: MessageKept;
}

/** Whether a message that was not taken is offered again, and when. */
export const outcomeOfFailure = (
  { failures, createdAt }: Pick<ClaimedMessage, "failures" | "createdAt">,
  { isRefused, ...failure }: FailedHandover,
  at: Date,
): MessageOutcome => {
  if (isRefused) return { state: "failed", at, reason: "refused", ...failure };
  const delayMs = handoverDelayAfterMs(failures + 1, at.getTime() - createdAt.getTime());
  if (delayMs === null) return { state: "failed", at, reason: "expired", ...failure };
  return { state: "pending", at, nextAttemptAt: new Date(at.getTime() + delayMs), ...failure };
};
