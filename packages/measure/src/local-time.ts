const SECONDS_PER_DAY = 86_400;

/** Local time of one IANA time zone. Instants are Unix seconds; a local day is its number since 1970-01-01. */
export interface LocalTime {
  readonly timezone: string;
  /** Local day of an instant. */
  dayOf(seconds: number): number;
  /** Local clock time in seconds since midnight: 0 to 86,399. */
  secondOfDay(seconds: number): number;
  /** First instant of a local day; the next day's is 23, 24 or 25 hours later, depending on daylight saving time. */
  startOf(day: number): number;
}

const known = new Map<string, LocalTime>();

/**
 * Local time of an IANA time zone such as `America/New_York`, cached for the life of the process. Throws a RangeError
 * if the runtime does not know the zone.
 */
export const localTime = (timezone: string): LocalTime => {
  const found = known.get(timezone) ?? buildLocalTime(timezone);
  known.set(timezone, found);
  return found;
};

const MOST_KNOWN_DATES = 10_000;
const dates = new Map<number, string>();

/** A local day as `YYYY-MM-DD`. */
export const dateOf = (day: number): string => {
  // All sites of a dispatch ask for the same days.
  const found = dates.get(day);
  if (found !== undefined) return found;
  if (dates.size >= MOST_KNOWN_DATES) dates.clear();
  const date = new Date(day * SECONDS_PER_DAY * 1000).toISOString().slice(0, 10);
  dates.set(day, date);
  return date;
};

const numbers = new Map<string, number>();

/** Number of the local day `YYYY-MM-DD`. Throws a RangeError for anything else. */
export const dayOfDate = (date: string): number => {
  const found = numbers.get(date);
  if (found !== undefined) return found;
  if (!isDate(date)) throw new RangeError(`"${date}" is not a date; give it as YYYY-MM-DD`);
  if (numbers.size >= MOST_KNOWN_DATES) numbers.clear();
  const day = utcDay(date);
  numbers.set(date, day);
  return day;
};

/** Whether the text is a day of the calendar, YYYY-MM-DD. */
export const isDate = (text: string): boolean => {
  const day = utcDay(text);
  return Number.isInteger(day) && dateOf(day) === text;
};

const utcDay = (date: string): number => Date.parse(`${date}T00:00:00Z`) / (SECONDS_PER_DAY * 1000);

const two = (value: number): string => String(Math.floor(Math.abs(value))).padStart(2, "0");

/** An instant as local time with its offset, to the second: `2026-07-01T14:05:00-04:00`. */
export const localTimestamp = (ms: number, time: LocalTime): string => {
  const seconds = Math.floor(ms / 1000);
  const local = time.dayOf(seconds) * SECONDS_PER_DAY + time.secondOfDay(seconds);
  const minutes = Math.round((local - seconds) / 60);
  const offset = `${minutes < 0 ? "-" : "+"}${two(minutes / 60)}:${two(minutes % 60)}`;
  return `${new Date(local * 1000).toISOString().slice(0, 19)}${offset}`;
};

const buildLocalTime = (timezone: string): LocalTime => {
  const offsetAt = offsets(timezone);
  const starts = new Map<number, number>();
  const dayOf = (seconds: number) => Math.floor((seconds + offsetAt(seconds)) / SECONDS_PER_DAY);
  return {
    timezone,
    dayOf,
    secondOfDay(seconds) {
      const local = seconds + offsetAt(seconds);
      return local - Math.floor(local / SECONDS_PER_DAY) * SECONDS_PER_DAY;
    },
    startOf(day) {
      // Midnight itself may be skipped or repeated, so the first instant is searched for, not computed.
      const nominal = day * SECONDS_PER_DAY;
      const start = starts.get(day) ?? firstSecond(nominal - FARTHEST, nominal + FARTHEST, (at) => dayOf(at) >= day);
      starts.set(day, start);
      return start;
    },
  };
};

// No zone is further than 14 hours from UTC.
const FARTHEST = 15 * 3600;

/** First whole second in (from, to] that meets the condition; it must hold at `to` and, once true, stay true. */
const firstSecond = (from: number, to: number, claim: (at: number) => boolean): number => {
  let [no, yes] = [from, to];
  while (yes - no > 1) {
    const middle = Math.floor((no + yes) / 2);
    if (claim(middle)) yes = middle;
    else no = middle;
  }
  return yes;
};

/** Offset from UTC during one UTC day; from `changeAt` on it is `after`. */
interface DayOffsets {
  readonly before: number;
  readonly after: number;
  readonly changeAt: number;
}

/** Offset of local time from UTC in seconds. A query of Intl costs microseconds, so each UTC day is queried once. */
const offsets = (timezone: string): ((seconds: number) => number) => {
  const ask = askIntl(timezone);
  const days = new Map<number, DayOffsets>();
  const read = (utcDay: number): DayOffsets => {
    const from = utcDay * SECONDS_PER_DAY;
    const before = ask(from);
    const after = ask(from + SECONDS_PER_DAY - 1);
    const changeAt =
      before === after ? from : firstSecond(from, from + SECONDS_PER_DAY - 1, (at) => ask(at) !== before);
    return { before, after, changeAt };
  };
  return (seconds) => {
    const utcDay = Math.floor(seconds / SECONDS_PER_DAY);
    let day = days.get(utcDay);
    if (day === undefined) {
      day = read(utcDay);
      days.set(utcDay, day);
    }
    return seconds < day.changeAt ? day.before : day.after;
  };
};

const askIntl = (timezone: string): ((seconds: number) => number) => {
  const format = formatOf(timezone);
  return (seconds) => {
    const at = Math.floor(seconds);
    const part: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(at * 1000)) part[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
    return Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - at;
  };
};

const formatOf = (timezone: string): Intl.DateTimeFormat => {
  try {
    return new Intl.DateTimeFormat("en-US", {
      timeZone: timezone,
      calendar: "gregory",
      numberingSystem: "latn",
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  } catch (cause) {
    throw new RangeError(`"${timezone}" is not a time zone; give an IANA name such as America/New_York`, { cause });
  }
};
