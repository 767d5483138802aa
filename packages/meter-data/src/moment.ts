import { decimalOf } from "./cells.js";
import type { TimeFormat } from "./mapping.js";
import { monthOf } from "./words.js";

const DAY_MS = 86_400_000;

/** A time as a file has it. */
export interface Moment {
  /** As if it were UTC. */
  readonly localMs: number;
  readonly hasClock: boolean;
  /** From UTC; null: not stated. */
  readonly offsetMs: number | null;
}

/** A clock time: milliseconds of its day, up to 24:00. */
export interface Clock {
  readonly ms: number;
  readonly offsetMs: number | null;
}

const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/;
const NUMERIC = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})(?!\d)/;
const COMPACT = /^((?:19|20)\d{2})(\d{2})(\d{2})(?=$|[T\s]|\d{4}(?:\d{2})?$)/;
const DAY_NAME_YEAR =
  /^(\d{1,2})(?:st|nd|rd|th|\.)?[\s/-]{0,3}(?:de )?(\p{L}{3,10})\.?[\s,/-]{0,3}(?:de )?(\d{4}|\d{2})(?!\d)/u;
const NAME_DAY_YEAR = /^(\p{L}{3,10})\.? {1,2}(\d{1,2})(?:st|nd|rd|th)?,? {1,2}(\d{4})(?!\d)/u;
const WEEKDAY = /^\p{L}{2,12}\.?,? {1,2}(?=\d|\p{L}{3,10}\.? {1,2}\d{1,2}\D)/u;
const CLOCK =
  /^(\d{1,2})(?:[:h.](\d{2})(?:[:.](\d{2})(?:[.,]\d{1,9})?)?)?(?: ?([ap])\.? ?m\.?)?(?: ?uhr)?(?: ?((?:UTC|GMT)?[+-]\d{2}(?::?\d{2})?|Z|UTC|GMT)(?: \([^()]{1,60}\))?)?$/i;

/** Reads a clock time; a number alone counts hours, four digits are hours and minutes. null: it is none. */
export const clockOf = (text: string): Clock | null => {
  if (/^\d{4}(?:\d{2})?$/.test(text)) return clockFrom(+text.slice(0, 2), +text.slice(2, 4), +text.slice(4), null);
  const found = CLOCK.exec(text);
  if (found === null) return null;
  const [, hour = "", minute = "0", second = "0", half, offset] = found;
  let hours = +hour;
  if (half !== undefined) {
    if (hours < 1 || hours > 12) return null;
    hours = (hours % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  }
  return clockFrom(hours, +minute, +second, offset === undefined ? null : offsetOf(offset));
};

const clockFrom = (hours: number, minutes: number, seconds: number, offsetMs: number | null): Clock | null => {
  const ms = (hours * 3600 + minutes * 60 + seconds) * 1000;
  return minutes < 60 && seconds < 60 && ms <= DAY_MS ? { ms, offsetMs } : null;
};

/** Reads a time or a date in this format; null: it is none. */
export const momentOf = (text: string, format: TimeFormat): Moment | null => {
  switch (format) {
    case "unix_seconds":
      return /^[12]\d{9}(?:\.\d{1,9})?$/.test(text) ? instant(decimalOf(text) * 1000) : null;
    case "unix_milliseconds":
      return /^[12]\d{12}$/.test(text) ? instant(Number(text)) : null;
    case "year_first":
      return usualMoment(text) ?? written(text, format);
    default:
      return written(text, format);
  }
};

const instant = (localMs: number): Moment => ({ localMs: Math.round(localMs), hasClock: true, offsetMs: 0 });

/** `2026-07-31T18:00:00Z`, read without a pattern: a file may have a million. null: it is of another form, or none. */
const usualMoment = (text: string): Moment | null => {
  const isDate = text.charCodeAt(4) === HYPHEN && text.charCodeAt(7) === HYPHEN && text.charCodeAt(13) === COLON;
  if (!isDate || (text[10] !== "T" && text[10] !== " ")) return null;
  const hasSeconds = text.charCodeAt(16) === COLON;
  const second = hasSeconds ? twoDigits(text, 17) : 0;
  const [hour, minute] = [twoDigits(text, 11), twoDigits(text, 14)];
  const dayMs = dateMs(twoDigits(text, 0) * 100 + twoDigits(text, 2), twoDigits(text, 5), twoDigits(text, 8));
  if (Number.isNaN(dayMs) || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59)
    return null;
  const localMs = dayMs + (hour * 3600 + minute * 60 + second) * 1000;
  const end = hasSeconds ? 19 : 16;
  if (text.length === end) return { localMs, hasClock: true, offsetMs: null };
  if (text.length === end + 1 && text[end] === "Z") return { localMs, hasClock: true, offsetMs: 0 };
  const [, offset] = REST.exec(text.slice(end)) ?? [];
  return offset === undefined ? null : { localMs, hasClock: true, offsetMs: offsetOf(offset) };
};

const HYPHEN = 45;
const COLON = 58;
const ZERO = 48;
const REST = /^(?:\.\d{1,9})? ?(Z|[+-]\d{2}:?\d{2})$/i;

/** -1: they are none. */
const twoDigits = (text: string, at: number): number => {
  const [tens, ones] = [text.charCodeAt(at) - ZERO, text.charCodeAt(at + 1) - ZERO];
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1;
};

const written = (text: string, format: TimeFormat): Moment | null => {
  const date = dateOf(text, format) ?? dateOf(text.replace(WEEKDAY, ""), format);
  if (date === null || Number.isNaN(date.dayMs)) return null;
  const rest = date.rest.replace(/^(?:T|,? {1,3})/, "");
  if (rest === "") return { localMs: date.dayMs, hasClock: false, offsetMs: null };
  // A date is followed by a clock time only if something is between them, or both are compact.
  if (rest === date.rest && format !== "compact") return null;
  if (/^\d{1,2}$/.test(rest)) return null;
  const clock = clockOf(rest);
  return clock === null ? null : { localMs: date.dayMs + clock.ms, hasClock: true, offsetMs: clock.offsetMs };
};

const dateOf = (text: string, format: TimeFormat): { readonly dayMs: number; readonly rest: string } | null => {
  const [found, year, month, day] = partsOf(text, format);
  return found === undefined ? null : { dayMs: dateMs(year, month, day), rest: text.slice(found.length) };
};

type Parts = readonly [found: string | undefined, year: number, month: number, day: number];
const none: Parts = [undefined, 0, 0, 0];

const partsOf = (text: string, format: TimeFormat): Parts => {
  if (format === "month_name") return namedParts(text);
  const pattern = format === "year_first" ? YEAR_FIRST : format === "compact" ? COMPACT : NUMERIC;
  const found = pattern.exec(text);
  if (found === null) return none;
  const [whole, a = "", b = "", c = ""] = found;
  if (format === "day_first") return [whole, yearOf(c), +b, +a];
  return format === "month_first" ? [whole, yearOf(c), +a, +b] : [whole, +a, +b, +c];
};

const namedParts = (text: string): Parts => {
  const [whole, day = "", name = "", year = ""] = DAY_NAME_YEAR.exec(text) ?? [];
  if (whole !== undefined) return [whole, yearOf(year), monthOf(name), +day];
  const [other, month = "", date = "", years = ""] = NAME_DAY_YEAR.exec(text) ?? [];
  return other === undefined ? none : [other, +years, monthOf(month), +date];
};

const yearOf = (text: string): number => (text.length === 2 ? 2000 + +text : +text);

/** Midnight of a date as if it were UTC; NaN if it does not exist. */
const dateMs = (year: number, month: number, day: number): number => {
  if (!(year >= 1000 && month >= 1 && month <= 12 && day >= 1)) return Number.NaN;
  return day <= 28 || day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
    ? Date.UTC(year, month - 1, day)
    : Number.NaN;
};

/** `Z`, `UTC`, `+02:00`, or `GMT+0200` as browsers write it. */
const offsetOf = (named: string): number => {
  const text = named.replace(/^[a-z]+/i, "");
  if (text === "") return 0;
  const ms = (+text.slice(1, 3) * 60 + (text.length > 3 ? +text.slice(-2) : 0)) * 60_000;
  return text.startsWith("-") ? -ms : ms;
};

const BETWEEN = /\s+(?:-|–|—|to|bis|tot|à|a|al|hasta|until|till)\s+|(?<=\d)\s*[–—]\s*(?=\d)|(?<=\d[zZ]?)\/(?=\d{4}-)/;
const CLOCKS = /^(\d{1,2}[:h]\d{2}(?::\d{2})?)-(\d{1,2}[:h]\d{2}(?::\d{2})?)$/;

/** Both ends of `a to b`; null: it is no range. */
export const rangeOf = (text: string): readonly [string, string] | null => {
  const clocks = CLOCKS.exec(text);
  if (clocks !== null) return [clocks[1] ?? "", clocks[2] ?? ""];
  const [from, to, ...more] = text.split(BETWEEN);
  return from === undefined || to === undefined || more.length > 0 ? null : [from.trim(), to.trim()];
};
