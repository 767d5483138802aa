import { say } from "@curtail/words/page";
import { DATE_LOCALE, HOUR } from "./locale.js";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const formats = new Map<string, Intl.DateTimeFormat>();

const formatOf = (name: string, options: Intl.DateTimeFormatOptions, timeZone: string | undefined) => {
  const key = `${name} ${timeZone ?? ""}`;
  const known =
    formats.get(key) ??
    new Intl.DateTimeFormat(DATE_LOCALE, timeZone === undefined ? options : { ...options, timeZone });
  formats.set(key, known);
  return known;
};

/** `5:07 pm`: where a region has twelve hours, its letters are small, and stay on the line of the figures. */
export const withSmallLetters = (time: string): string =>
  time.replace(/\s(AM|PM)\b/, (letters) => `\u00a0${letters.trim().toLowerCase()}`);

const asDate = (at: string | Date): Date => (typeof at === "string" ? new Date(at) : at);

/** `14:05`, in the given zone or the viewer's. */
export const clock = (at: string | Date, timeZone?: string): string =>
  withSmallLetters(formatOf("clock", { hour: HOUR, minute: "2-digit" }, timeZone).format(asDate(at)));

/** `Nov 2026`. */
export const monthOf = (at: Date, timeZone: string): string =>
  formatOf("month", { month: "short", year: "numeric" }, timeZone).format(at);

/** `Fri 20 Nov`, or `Sat 20 Dec 2025` in another year. */
export const dayOf = (at: Date, timeZone: string, now = new Date()): string =>
  dayName(at, timeZone, yearOf(at, timeZone) !== yearOf(now, timeZone));

/** `14:05:30`. */
export const clockWithSeconds = (at: Date, timeZone: string): string =>
  withSmallLetters(formatOf("seconds", { hour: HOUR, minute: "2-digit", second: "2-digit" }, timeZone).format(at));

/** The end of an interval of a chart: `Fri 20 Nov, 14:05:30`, without seconds from a minute on; of a day, the day. */
export const cursorTime = (end: Date, stepSeconds: number, timeZone: string, now = new Date()): string => {
  const withYear = yearOf(end, timeZone) !== yearOf(now, timeZone);
  // A day ends when the next one begins; the shortest has 23 hours.
  if (stepSeconds >= 82_800) return dayName(new Date(end.getTime() - 1000), timeZone, withYear);
  const time = stepSeconds < 60 ? clockWithSeconds(end, timeZone) : clock(end, timeZone);
  return `${dayName(end, timeZone, withYear)}, ${time}`;
};

/** The viewer's time zone, for times that belong to no site or program. */
export const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** `Fri 20 Nov, 14:05`, or `Sat 20 Dec 2025, 14:05` in another year. */
export const dayAndClock = (at: string | Date, timeZone?: string, now = new Date()): string =>
  `${dayName(at, timeZone, yearOf(at, timeZone) !== yearOf(now, timeZone))}, ${clock(at, timeZone)}`;

/**
 * `Fri 20 Nov, 14:05 – 18:05`. Years are shown unless both days are of the current year, UTC offsets if the clocks
 * change in between. An end of null means open-ended.
 */
export const period = (
  start: string | Date,
  end: string | Date | null,
  timeZone?: string,
  now = new Date(),
): string => {
  const withYear = [start, end ?? start].some((at) => yearOf(at, timeZone) !== yearOf(now, timeZone));
  const day = (at: string | Date) => dayName(at, timeZone, withYear);
  if (end === null) return say("{day}, {time}, no end set yet", { day: day(start), time: clock(start, timeZone) });
  const clockOf = offsetOf(start, timeZone) === offsetOf(end, timeZone) ? clock : clockAndOffset;
  const until = clockOf(end, timeZone);
  return `${day(start)}, ${clockOf(start, timeZone)} – ${isSameDay(start, end, timeZone) ? until : `${day(end)}, ${until}`}`;
};

export const isSameDay = (a: string | Date, b: string | Date, timeZone?: string): boolean =>
  dayName(a, timeZone, true) === dayName(b, timeZone, true);

const dayName = (at: string | Date, timeZone: string | undefined, withYear: boolean): string => {
  const weekday = formatOf("weekday", { weekday: "short" }, timeZone).format(asDate(at));
  const day = { day: "numeric", month: "short" } as const;
  const date = withYear ? formatOf("year day", { ...day, year: "numeric" }, timeZone) : formatOf("day", day, timeZone);
  return `${weekday} ${date.format(asDate(at))}`;
};

const yearOf = (at: string | Date, timeZone: string | undefined): string =>
  formatOf("year", { year: "numeric" }, timeZone).format(asDate(at));

const offsetOf = (at: string | Date, timeZone: string | undefined): string =>
  formatOf("offset", { timeZoneName: "longOffset" }, timeZone)
    .formatToParts(asDate(at))
    .find(({ type }) => type === "timeZoneName")?.value ?? "";

const clockAndOffset = (at: string | Date, timeZone?: string): string =>
  `${clock(at, timeZone)} ${offsetOf(at, timeZone)}`;

const toTheSecond = {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: HOUR,
  minute: "2-digit",
  second: "2-digit",
} as const;

/** `20 Nov 2026, 14:05:30 GMT+1`, for evidence, where seconds and the zone matter. */
export const exact = (at: string | Date, timeZone?: string): string =>
  withSmallLetters(formatOf("exact", { ...toTheSecond, timeZoneName: "short" }, timeZone).format(asDate(at)));

/** `20 Nov 2026, 14:05:30`, where the name of the zone follows. */
export const exactIn = (at: string, timeZone: string): string =>
  withSmallLetters(formatOf("exact in", toTheSecond, timeZone).format(asDate(at)));

/** `2 h 05 min`, `45 s`; never negative. */
export const duration = (ms: number): string => {
  const rest = Math.max(0, ms);
  if (rest < MINUTE_MS) return `${Math.floor(rest / 1000)} s`;
  if (rest < HOUR_MS) return `${Math.floor(rest / MINUTE_MS)} min`;
  if (rest >= DAY_MS)
    return say("{days} d {hours} h", {
      days: Math.floor(rest / DAY_MS),
      hours: Math.floor((rest % DAY_MS) / HOUR_MS),
    });
  return `${Math.floor(rest / HOUR_MS)} h ${twoDigits(Math.floor((rest % HOUR_MS) / MINUTE_MS))} min`;
};

/** `12 s ago`, or `never`. */
export const ago = (at: string | null | undefined, now: Date): string =>
  at === null || at === undefined
    ? say("never")
    : say("{duration} ago", { duration: duration(now.getTime() - asDate(at).getTime()) });

/** `0:42`, `12:05`, `3:02:07`, from a day on `2 d 5 h`; never negative. */
export const elapsed = (ms: number): string => {
  if (ms >= DAY_MS) return duration(ms);
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  return `${hours === 0 ? minutes : `${hours}:${twoDigits(minutes)}`}:${twoDigits(seconds % 60)}`;
};

/** Time left until a moment: `0:04:59`. */
export const countdown = (to: string, now: Date): string => {
  const seconds = Math.max(0, Math.round((asDate(to).getTime() - now.getTime()) / 1000));
  return `${Math.floor(seconds / 3600)}:${twoDigits(Math.floor((seconds % 3600) / 60))}:${twoDigits(seconds % 60)}`;
};

const twoDigits = (n: number): string => String(n).padStart(2, "0");
