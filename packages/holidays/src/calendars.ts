import { createRequire } from "node:module";
import Holidays from "date-holidays";
import { NERC } from "./nerc.js";

/** A calendar that a program may choose. */
export interface CalendarName {
  /** `NERC`, or codes of ISO 3166 joined by hyphens: `US`, `US-CA`, `DE-BY-A`. */
  readonly code: string;
  /** In English: `United States of America, California`. */
  readonly name: string;
}

/** A day of a calendar. */
export interface CalendarDay {
  /** Local, `YYYY-MM-DD`. */
  readonly date: string;
  /** In English. Several holidays of one day are joined by ` / `. */
  readonly name: string;
  /** In the first language of the country. */
  readonly localName: string;
}

/** Of date-holidays. */
export const VERSION = (createRequire(import.meta.url)("date-holidays/package.json") as { readonly version: string })
  .version;

type Names = Readonly<Record<string, string>> | undefined;

/** All calendars: `NERC`, then countries by name, each followed by its states and their regions. */
export const calendarNames = (): CalendarName[] => {
  const library = new Holidays();
  const countries = Object.entries(library.getCountries("en"))
    .map(([code, name]) => ({ code, name }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return [NERC, ...countries.flatMap((country) => [country, ...statesOf(library, country)])];
};

const statesOf = (library: Holidays, country: CalendarName): CalendarName[] =>
  within(country, library.getStates(country.code, "en")).flatMap((state) => {
    const [, code] = partsOf(state.code);
    return [state, ...within(state, library.getRegions(country.code, code, "en"))];
  });

const within = (whole: CalendarName, names: Names): CalendarName[] =>
  Object.entries(names ?? {}).map(([code, name]) => ({
    code: `${whole.code}-${code}`,
    name: `${whole.name}, ${name}`,
  }));

/** Country, state and region; a region's code may have hyphens. */
export const partsOf = (code: string): readonly [country: string, state: string, region: string] => {
  const [country = "", state = "", ...region] = code.split("-");
  return [country, state, region.join("-")];
};
