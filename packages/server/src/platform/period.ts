import { invalid, type Refusal } from "./refusal.js";

/** A period of time; `end` is null while it is unknown. */
export interface Period {
  readonly start: Date;
  readonly end: Date | null;
}

export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** For availability, a dispatch without an end counts as 24 hours long (G18). */
const assumedEnd = (period: Period): number => period.end?.getTime() ?? period.start.getTime() + DAY_MS;

/** Whether two periods overlap; touching ends do not (G18). */
export const meets = (a: Period, b: Period): boolean =>
  a.start.getTime() < assumedEnd(b) && b.start.getTime() < assumedEnd(a);

export const sameMoment = (a: Date | null, b: Date | null): boolean => a?.getTime() === b?.getTime();

/** Refuses an end that is not after the start, and a period longer than `maxDays`. */
export const refusePeriod = (period: Period, maxDays: number, what: string): Refusal | null => {
  if (period.end === null) return null;
  const lengthMs = period.end.getTime() - period.start.getTime();
  if (lengthMs <= 0) return invalid("end_time must be after start_time");
  if (lengthMs > maxDays * DAY_MS) return invalid(`${what} lasts at most ${maxDays} days; choose an earlier end_time`);
  return null;
};
