import { quote } from "../quote.js";
import { invalid, isRefusal, type Refusal, type Result } from "../refusal.js";
import { formatTimestamp, parseTimestamp, wholeSecond } from "../timestamp.js";

/** A timestamp of a request; a refusal names the member. */
const moment = (name: string, text: string): Result<Date> => {
  const ms = parseTimestamp(text);
  if (Number.isNaN(ms)) {
    return invalid(`${name} is "${quote(text)}"; give RFC 3339 with an offset, for example 2026-07-01T18:00:00Z`);
  }
  // Outside these years, databases and other systems disagree on what is meant.
  return ms < 0 || ms > MAX_MS ? invalid(`${name} is ${quote(text)}; give a time between 1970 and 9999`) : new Date(ms);
};

const MAX_MS = Date.UTC(9999, 11, 31);

type Moments<T> = { [K in keyof T]: Date | Exclude<T[K], string> };

/** Parses all timestamps of a request; null or absent members stay as they are. */
export const moments = <T extends Record<string, string | null | undefined>>(texts: T): Result<Moments<T>> => {
  const entries: Array<[string, Date | null | undefined]> = [];
  for (const [name, text] of Object.entries(texts)) {
    const parsed: Date | null | undefined | Refusal = typeof text === "string" ? moment(name, text) : text;
    if (isRefusal(parsed)) return parsed;
    entries.push([name, parsed]);
  }
  return Object.fromEntries(entries) as Moments<T>;
};

/** The same, truncated to seconds: participants get times of dispatches and blocks in whole seconds (G58). */
export const seconds = <T extends Record<string, string | null | undefined>>(texts: T): Result<Moments<T>> => {
  const times = moments(texts);
  if (isRefusal(times)) return times;
  const cut = Object.entries(times).map(([name, at]) => [name, at instanceof Date ? wholeSecond(at) : at]);
  return Object.fromEntries(cut) as Moments<T>;
};

/** A moment that may be missing, as it is answered. */
export const momentToWire = (moment: Date | null): string | null => (moment === null ? null : formatTimestamp(moment));

/** The `+` of an offset arrives as a space if it was not encoded (G24). */
export const spaceAsPlus = <T extends string | undefined>(text: T) => text?.replace(/ (?=\d\d:\d\d$)/, "+") as T;
