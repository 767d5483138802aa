/** A public holiday, or its substitute day. */
export interface CalendarDay {
  /** Local, `YYYY-MM-DD`. */
  readonly date: string;
  /** In English. */
  readonly name: string;
  readonly localName: string;
}

/** Days of a calendar as the library says. */
export interface FreshCalendar {
  /** `NERC`, `US`, `US-CA`. */
  readonly code: string;
  readonly name: string;
  /** Of the library. */
  readonly version: string;
  readonly fromYear: number;
  readonly toYear: number;
  readonly days: readonly CalendarDay[];
}

/** The calendar of a program: its days as they were confirmed, and what is corrected by hand. */
export interface HolidayCalendar extends FreshCalendar {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** A day that confirming would add or remove. */
export interface CalendarDifference extends CalendarDay {
  readonly change: "add" | "remove";
}

export interface CalendarUpdate {
  readonly fresh: FreshCalendar;
  readonly days: readonly CalendarDifference[];
}

/** Years that are stored before the year of a confirmation. */
const YEARS_BACK = 4;

/** The years that a program gets with a calendar. */
export const yearsAround = (year: number): readonly [first: number, last: number] => [year - 1, year + 1];

/** The days that count, in order. */
export const holidaysOf = ({
  days,
  added,
  removed,
}: Omit<HolidayCalendar, keyof FreshCalendar> & Pick<FreshCalendar, "days">): string[] => {
  const without = new Set(removed);
  const dates = days.map(({ date }) => date).filter((date) => !without.has(date));
  return [...new Set([...dates, ...added])].toSorted();
};

/** What the library says now that the calendar does not have; null: nothing. @param today local date */
export const updateOf = (calendar: HolidayCalendar, fresh: FreshCalendar, today: string): CalendarUpdate | null => {
  const isOpen = openFrom(calendar, today);
  const [before, after] = [calendar.days.filter(isOpen), fresh.days.filter(isOpen)];
  const days = [...changed("remove", before, after), ...changed("add", after, before)];
  if (days.length === 0 && fresh.toYear <= calendar.toYear) return null;
  return { fresh, days: days.toSorted((one, other) => (one.date < other.date ? -1 : 1)) };
};

/** The calendar with an update. Stored days before today stay, since measured results may have used them. */
export const withUpdate = (calendar: HolidayCalendar, { fresh }: CalendarUpdate, today: string): HolidayCalendar => {
  const isOpen = openFrom(calendar, today);
  const fromYear = Math.max(calendar.fromYear, Number(today.slice(0, 4)) - YEARS_BACK);
  const kept = calendar.days.filter((day) => !isOpen(day) && day.date >= `${fromYear}`);
  return {
    ...calendar,
    version: fresh.version,
    fromYear,
    toYear: Math.max(calendar.toYear, fresh.toYear),
    days: [...kept, ...fresh.days.filter(isOpen)],
  };
};

/** Whether a day may change: from today on, or in a year that is not stored yet. */
const openFrom =
  ({ toYear }: FreshCalendar, today: string) =>
  ({ date }: CalendarDay): boolean =>
    date >= today || date > `${toYear}-12-31`;

const changed = (
  change: CalendarDifference["change"],
  days: readonly CalendarDay[],
  others: readonly CalendarDay[],
): CalendarDifference[] => {
  const known = new Set(others.map(({ date }) => date));
  return days.filter(({ date }) => !known.has(date)).map((day) => ({ ...day, change }));
};
