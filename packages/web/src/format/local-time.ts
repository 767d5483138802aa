import type { Temporal as Types } from "temporal-polyfill";
import { Temporal } from "./temporal.js";

/** `2026-11-20T14:05` on the clocks of a time zone, for a datetime-local field. */
export const toLocalInput = (at: Date, timeZone: string): string =>
  zoned(at, timeZone).toPlainDateTime().toString({ smallestUnit: "minute" });

/** `2026-11-20` on the clocks of a time zone. */
export const localDay = (at: Date, timeZone: string): string => zoned(at, timeZone).toPlainDate().toString();

/**
 * The moment at which the clocks of a zone show this time. null if they never do, as in the hour that is skipped in
 * spring. In the hour that occurs twice in autumn, the first of the two.
 */
export const fromLocalInput = (local: string, timeZone: string): Date | null => {
  const typed = parsed(Temporal.PlainDateTime, local);
  const first = typed?.toZonedDateTime(timeZone, { disambiguation: "earlier" });
  // For a skipped time, Temporal returns another one.
  return first !== undefined && typed?.equals(first.toPlainDateTime()) ? dateOf(first) : null;
};

/** Whether the clocks of a zone show this time twice. */
export const isTwice = (local: string, timeZone: string): boolean => {
  const first = fromLocalInput(local, timeZone);
  const last = parsed(Temporal.PlainDateTime, local)?.toZonedDateTime(timeZone, { disambiguation: "later" });
  return first !== null && first.getTime() !== last?.epochMilliseconds;
};

/** The start of a day, `2026-11-20`, on the clocks of a zone: later than midnight if they skip it. null for other text. */
export const startOfDay = (day: string, timeZone: string): Date | null => {
  const start = parsed(Temporal.PlainDate, day)?.toZonedDateTime(timeZone);
  return start === undefined ? null : dateOf(start);
};

/** The day after, `2026-11-21`; text that is not a day is returned as it is. */
export const nextDay = (day: string): string => daysAfter(day, 1);

/** The day a number of days later, or earlier if it is negative. */
export const daysAfter = (day: string, days: number): string =>
  parsed(Temporal.PlainDate, day)?.add({ days }).toString() ?? day;

const zoned = (at: Date, timeZone: string): Types.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone);

const dateOf = ({ epochMilliseconds }: Types.ZonedDateTime): Date => new Date(epochMilliseconds);

/** undefined for text that is not a date or time, such as that of an empty field. */
const parsed = <T>({ from }: { from: (text: string) => T }, text: string): T | undefined => {
  try {
    return from(text);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
};
