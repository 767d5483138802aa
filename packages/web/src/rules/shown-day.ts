import { say } from "@curtail/words/page";
import { daysAfter, localDay, startOfDay } from "../format/local-time.js";

/** A day of a time zone, as long as its clocks make it. */
export interface ShownDay {
  /** `2026-11-20`. */
  readonly day: string;
  readonly today: string;
  readonly isToday: boolean;
  readonly start: Date;
  readonly end: Date;
}

/** The day of an address; today without one, for text that is no day, and for days to come. */
export const shownDay = (asked: string | undefined, timeZone: string, now: Date): ShownDay => {
  const today = localDay(now, timeZone);
  const isPast = asked !== undefined && asked < today && startOfDay(asked, timeZone) !== null;
  const day = isPast ? asked : today;
  const starts = (each: string) => startOfDay(each, timeZone) ?? now;
  return { day, today, isToday: !isPast, start: starts(day), end: starts(daysAfter(day, 1)) };
};

/** The day before or after, for the address; null: today, which the address leaves out. */
export const stepped = ({ day, today }: ShownDay, by: -1 | 1): string | null => {
  const to = daysAfter(day, by);
  return to < today ? to : null;
};

/** Why a day has no curve; a reading of it is not long enough to draw one. */
export const noCurveWords = ({ isToday, start, end }: ShownDay, lastReadingAt: string | null): string => {
  const isOfDay = lastReadingAt !== null && start <= new Date(lastReadingAt) && new Date(lastReadingAt) <= end;
  if (isOfDay) return say("Too few readings for a curve. It begins with a few minutes of readings.");
  return isToday
    ? say("No readings today. The participant's systems have not sent any.")
    : say("No readings that day.");
};
