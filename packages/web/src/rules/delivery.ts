import type { operator } from "@curtail/contract";

type Delivery = Pick<operator.Delivery, "next_attempt_at">;

/** Usually more than the difference between the clocks of browser and service. */
const SOON_MS = 60_000;

/** The time of the next attempt of all; null if there is none. */
export const nextAttemptMs = (deliveries: readonly Delivery[]): number | null => {
  const times = deliveries.flatMap(({ next_attempt_at: at }) => (at === null ? [] : [Date.parse(at)]));
  return times.length === 0 ? null : Math.min(...times);
};

/** Whether an attempt is about to be made or overdue. */
export const isSoon = (attemptMs: number, now: Date): boolean => attemptMs - now.getTime() < SOON_MS;

/** Time until the next attempt; 0 while it is being made, null if there is none. */
export const untilAttemptMs = ({ next_attempt_at: at }: Delivery, now: Date): number | null =>
  at === null ? null : Math.max(0, Date.parse(at) - now.getTime());
