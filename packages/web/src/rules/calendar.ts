import { startOfDay } from "../format/local-time.js";

/** A day of a month's sheet, on a site's clocks. */
export interface CalendarDay {
  /** `2026-11-20`. */
  readonly date: string;
  /** Milliseconds of it that a block covers, and how many there are. */
  readonly blockedMs: number;
  readonly lengthMs: number;
}

interface Period {
  readonly start_time: string;
  readonly end_time: string;
}

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;

/** `2026-11` moved on by months. */
export const monthAfter = (month: string, months: number): string => {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 1 + months)).toISOString().slice(0, 7);
};

/** The weeks of a month, Monday first; null where a week reaches into the months beside it. */
export const weeksOf = (month: string, blocks: readonly Period[], timeZone: string): (CalendarDay | null)[][] => {
  const first = Date.parse(`${month}-01T00:00:00Z`);
  const count = Math.round((Date.parse(`${monthAfter(month, 1)}-01T00:00:00Z`) - first) / DAY_MS);
  const days = Array.from({ length: count }, (_, i) => dayOf(first + i * DAY_MS, blocks, timeZone));
  const before = (new Date(first).getUTCDay() + WEEK_DAYS - 1) % WEEK_DAYS;
  const cells = [...Array<null>(before).fill(null), ...days];
  const weeks = Math.ceil(cells.length / WEEK_DAYS);
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: WEEK_DAYS }, (_day, day) => cells[week * WEEK_DAYS + day] ?? null),
  );
};

const dayOf = (utcMs: number, blocks: readonly Period[], timeZone: string): CalendarDay => {
  const [date, next] = [utcMs, utcMs + DAY_MS].map((ms) => new Date(ms).toISOString().slice(0, 10));
  const [start = 0, end = start] = [date, next].map((day) => startOfDay(day ?? "", timeZone)?.getTime() ?? 0);
  const covered = blocks.map(({ start_time, end_time }) =>
    Math.max(0, Math.min(end, Date.parse(end_time)) - Math.max(start, Date.parse(start_time))),
  );
  // Overlapping blocks never cover more than the day.
  const blockedMs = Math.min(
    end - start,
    covered.reduce((sum, ms) => sum + ms, 0),
  );
  return { date: date ?? "", blockedMs, lengthMs: end - start };
};
