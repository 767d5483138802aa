import type { operator } from "@curtail/contract";

type Delivery = Pick<operator.Delivery, "next_attempt_at">;

/** More than clocks differ, mostly. */
const SOON_MS = 60_000;

/** When the next of all attempts is; null where none is to come. */
export const nextAttemptMs = (deliveries: readonly Delivery[]): number | null => {
  const times = deliveries.flatMap(({ next_attempt_at: at }) => (at === null ? [] : [Date.parse(at)]));
  return times.length === 0 ? null : Math.min(...times);
};

/** Whether an attempt is about to be made, or was due already. */
export const isSoon = (attemptMs: number, now: Date): boolean => attemptMs - now.getTime() < SOON_MS;

/** How long until the next attempt; 0 while it is being made, null where none is to come. */
export const untilAttemptMs = ({ next_attempt_at: at }: Delivery, now: Date): number | null =>
  at === null ? null : Math.max(0, Date.parse(at) - now.getTime());
