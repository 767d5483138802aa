import { nextDay, startOfDay } from "../format/local-time.js";
import { Temporal } from "../format/temporal.js";

/** A day of a calendar month, in the time zone of a site. */
export interface CalendarDay {
  /** `2026-11-20`. */
  readonly date: string;
  /** How much of the day is blocked, and how long it is. */
  readonly blockedMs: number;
  readonly lengthMs: number;
}

interface Period {
  readonly start_time: string;
  readonly end_time: string;
}

const WEEK_DAYS = 7;

/** Adds months to `2026-11`. */
export const monthAfter = (month: string, months: number): string =>
  Temporal.PlainYearMonth.from(month).add({ months }).toString();

/** The weeks of a month, from Monday; null for days of the months before and after. */
export const weeksOf = (month: string, blocks: readonly Period[], timeZone: string): (CalendarDay | null)[][] => {
  const sheet = Temporal.PlainYearMonth.from(month);
  const dates = Array.from({ length: sheet.daysInMonth }, (_, index) => sheet.toPlainDate({ day: index + 1 }));
  const days = dates.map((date) => dayOf(date.toString(), blocks, timeZone));
  const before = sheet.toPlainDate({ day: 1 }).dayOfWeek - 1;
  const cells = [...Array<null>(before).fill(null), ...days];
  const weeks = Math.ceil(cells.length / WEEK_DAYS);
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: WEEK_DAYS }, (_day, day) => cells[week * WEEK_DAYS + day] ?? null),
  );
};

const dayOf = (date: string, blocks: readonly Period[], timeZone: string): CalendarDay => {
  const [start = 0, end = start] = [date, nextDay(date)].map((day) => startOfDay(day, timeZone)?.getTime() ?? 0);
  const covered = blocks.map(({ start_time, end_time }) =>
    Math.max(0, Math.min(end, Date.parse(end_time)) - Math.max(start, Date.parse(start_time))),
  );
  // Overlapping blocks count once at most: no more than the day is blocked.
  const blockedMs = Math.min(
    end - start,
    covered.reduce((sum, ms) => sum + ms, 0),
  );
  return { date, blockedMs, lengthMs: end - start };
};
