import Holidays, { type HolidaysTypes } from "date-holidays";
import { type CalendarDay, calendarNames, partsOf } from "./calendars.js";
import { nearestTo } from "./nearest.js";
import { NERC, NERC_RULES } from "./nerc.js";

/** Days of a calendar; without such a calendar, the codes that are nearest to what was asked. */
export type DaysOf =
  | { readonly code: string; readonly name: string; readonly days: readonly CalendarDay[] }
  | { readonly nearest: readonly string[] };

/**
 * The days of public holidays of a calendar, substitute days included, in order. A holiday counts on a local day that it covers
 * at noon: one that begins at noon or later does not count, and one that begins at sunset counts from the next day.
 * @param code in any case
 * @param years the first and the last one
 */
export const daysOf = (code: string, [first, last]: readonly [first: number, last: number]): DaysOf => {
  const names = calendarNames();
  const found = names.find((each) => each.code.toLowerCase() === code.toLowerCase());
  if (found === undefined) return { nearest: nearestTo(code, names) };
  const library = libraryOf(found.code);
  // A substitute day may fall into the year before.
  const years = Array.from({ length: last - first + 3 }, (_, index) => first - 1 + index);
  // Before any call: the language of a call stays the library's first one.
  const languages = languagesOf(library);
  const days = years.flatMap((year) => daysOfYear(library, year, languages));
  return { ...found, days: joined(days.filter(({ date }) => date >= `${first}` && date < `${last + 1}`)) };
};

const libraryOf = (code: string): Holidays => {
  if (code !== NERC.code) {
    const [country, state, region] = partsOf(code);
    return new Holidays({ country, ...(state && { state }), ...(region && { region }) });
  }
  const library = new Holidays();
  for (const { rule, ...options } of NERC_RULES) library.setHoliday(rule, options);
  return library;
};

type Holiday = HolidaysTypes.Holiday;

interface Languages {
  readonly english: string;
  readonly local: string;
}

const languagesOf = (library: Holidays): Languages => {
  const [local = "en", ...others] = library.getLanguages();
  return { local, english: [local, ...others].find((each) => each.startsWith("en-")) ?? "en" };
};

const daysOfYear = (library: Holidays, year: number, { english, local }: Languages): CalendarDay[] => {
  const names = new Map(library.getHolidays(year, english).map((each) => [keyOf(each), each.name]));
  return library
    .getHolidays(year, local)
    .filter(({ type }) => type === "public")
    .flatMap((each) =>
      coveredBy(each).map((date) => ({ date, name: names.get(keyOf(each)) ?? each.name, localName: each.name })),
    );
};

const keyOf = ({ date, rule }: Holiday): string => `${date} ${rule}`;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Local days whose noon lies within a holiday. Local times are counted as if they were UTC. */
const coveredBy = ({ date, start, end }: Holiday): string[] => {
  // "2026-04-02 00:00:00 -0600" begins at 18:00 of the day before.
  const [day = "", time = "", shift = "+0000"] = date.split(" ");
  const startMs = Date.parse(`${day}T${time}Z`) + (Number(shift) / 100) * HOUR_MS;
  const endMs = startMs + end.getTime() - start.getTime();
  const noons = [];
  for (let noon = startOfDay(startMs) + DAY_MS / 2; noon < endMs; noon += DAY_MS) if (noon > startMs) noons.push(noon);
  return noons.map((noon) => new Date(noon).toISOString().slice(0, 10));
};

const startOfDay = (ms: number): number => Math.floor(ms / DAY_MS) * DAY_MS;

/** One item a date, in order. */
const joined = (days: readonly CalendarDay[]): CalendarDay[] => {
  const byDate = new Map<string, CalendarDay>();
  for (const day of days) {
    const before = byDate.get(day.date);
    byDate.set(day.date, before === undefined ? day : both(before, day));
  }
  return [...byDate.values()].toSorted((one, other) => (one.date < other.date ? -1 : 1));
};

const both = (one: CalendarDay, other: CalendarDay): CalendarDay => ({
  date: one.date,
  name: withName(one.name, other.name),
  localName: withName(one.localName, other.localName),
});

const withName = (names: string, name: string): string =>
  names.split(" / ").includes(name) ? names : `${names} / ${name}`;
