import { quoted } from "./fault-list.js";
import type { Zone } from "./zone.js";

const TIME = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?\s*(Z|[+-]\d{2}:?\d{2})?$/i;

/** `laterMs`: clocks show the time twice. */
export type ReadTime = { readonly atMs: number; readonly laterMs: number | null } | { readonly fault: string };

/**
 * Reads a time.
 *
 * @param zone of times without an offset; null: they are refused
 */
export const timeOf = (cell: string, zone: Zone | null): ReadTime => {
  const found = TIME.exec(cell);
  const localMs = found === null ? Number.NaN : localOf(found);
  if (found === null || Number.isNaN(localMs))
    return { fault: `the time is ${quoted(cell)}; give it like 2026-07-01T18:00:00Z or 2026-07-01 18:00` };
  const offset = found[7];
  if (offset !== undefined) return { atMs: localMs - offsetOf(offset), laterMs: null };
  if (zone === null)
    return { fault: `the time ${quoted(cell)} has no offset from UTC; add it, or state the file's time zone` };
  const [atMs, laterMs = null] = zone.instantsOf(localMs);
  return atMs === undefined
    ? { fault: `clocks skip the time ${quoted(cell)} in this time zone; give times with an offset from UTC` }
    : { atMs, laterMs };
};

const localOf = ([
  ,
  year = "",
  month = "",
  day = "",
  hour = "",
  minute = "",
  second = "0",
]: RegExpExecArray): number => {
  const ms = Date.UTC(+year, +month - 1, +day, +hour, +minute, +second);
  const date = new Date(ms);
  const isReal = date.getUTCMonth() === +month - 1 && date.getUTCDate() === +day;
  return isReal && +hour < 24 && +minute < 60 && +second < 60 ? ms : Number.NaN;
};

const offsetOf = (text: string): number => {
  if (text.toUpperCase() === "Z") return 0;
  const ms = (+text.slice(1, 3) * 60 + +text.slice(-2)) * 60_000;
  return text.startsWith("-") ? -ms : ms;
};
