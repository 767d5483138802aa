import { dayTypeOf } from "./day.js";
import type { Period } from "./load-series.js";
import { intervalsOfDay } from "./local-interval.js";
import { dateOf, dayOfDate, type LocalTime, localTime } from "./local-time.js";
import type { DayType } from "./method.js";

/** The days on which to try a method, and the dispatch to assume on each. */
export interface TrialTerms {
  /** IANA name of the time zone that days and times are in. */
  readonly timezone: string;
  readonly dayType: Exclude<DayType, "holiday">;
  readonly holidays: readonly string[];
  /** Local days with a dispatch of the site, and those that an operator excluded. */
  readonly eventDays: readonly string[];
  /** Local time of the start, in minutes since midnight. */
  readonly startMinute: number;
  /** Length of the dispatch in minutes. */
  readonly minutes: number;
  /** Number of days at most. */
  readonly days: number;
  /** Only days before the local day of this instant are tried, in Unix milliseconds. */
  readonly nowMs: number;
}

/** A dispatch to assume, by the local day of its start. */
export interface TrialDay extends Period {
  readonly date: string;
}

/** How many days before today are looked through. */
export const TRIAL_LOOKBACK_DAYS = 366;

/**
 * The latest days of the type, latest first. A dispatch over midnight needs all of its days to be before today, without
 * a dispatch, and no holidays. A day whose clock skips the start is left out.
 */
export const trialDays = (terms: TrialTerms): TrialDay[] => {
  const time = localTime(terms.timezone);
  const holidays = new Set(terms.holidays.map(dayOfDate));
  const excluded = new Set([...holidays, ...terms.eventDays.map(dayOfDate)]);
  const today = time.dayOf(terms.nowMs / 1000);
  const found: TrialDay[] = [];
  for (let day = today - 1; day >= today - TRIAL_LOOKBACK_DAYS && found.length < terms.days; day--) {
    if (dayTypeOf(day, holidays) !== terms.dayType || excluded.has(day)) continue;
    const period = periodOn(day, terms, time);
    if (period === null) continue;
    const last = time.dayOf((period.endMs - 1) / 1000);
    if (last < today && !hasAny(excluded, day, last)) found.push({ date: dateOf(day), ...period });
  }
  return found;
};

const MINUTE_MS = 60_000;

const periodOn = (day: number, { startMinute, minutes }: TrialTerms, time: LocalTime): Period | null => {
  const start = intervalsOfDay(day, 60, time).find(({ slot }) => slot === startMinute);
  if (start === undefined) return null;
  const startMs = start.startSeconds * 1000;
  return { startMs, endMs: startMs + minutes * MINUTE_MS };
};

const hasAny = (days: ReadonlySet<number>, first: number, last: number): boolean => {
  for (let day = first; day <= last; day++) if (days.has(day)) return true;
  return false;
};
