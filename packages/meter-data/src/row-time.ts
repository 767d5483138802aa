import { quoted } from "./fault-list.js";
import type { TimeMapping } from "./mapping.js";
import { type Clock, clockOf, momentOf, rangeOf } from "./moment.js";
import type { Zone } from "./zone.js";

const DAY_MS = 86_400_000;
const MAX_SET_BACK_MS = 3_600_000;

/** `laterMs`: clocks show the time twice. */
export interface ReadTime {
  readonly atMs: number;
  readonly laterMs: number | null;
  /** What it is as the end of an interval by its clock: 03:00 twice, if clocks are set back then. null: the same. */
  readonly endedMs: readonly number[] | null;
  /** Clocks skip it, and `atMs` is when: from the first skipped time, or from one after it. */
  readonly skipped: "first" | "other" | null;
}

export interface RowTimes {
  /** What the mapping's label marks. */
  readonly time: ReadTime;
  /** End of the interval; null: not stated. */
  readonly end: ReadTime | null;
}

interface Fault {
  readonly fault: string;
  /** The columns have no time at all. */
  readonly isNone: boolean;
}
interface Local {
  readonly localMs: number;
  readonly offsetMs: number | null;
}

const examples: Readonly<Record<TimeMapping["format"], string>> = {
  year_first: "2026-07-01T18:00:00Z or 2026-07-01 18:00",
  day_first: "31/07/2026 18:00",
  month_first: "07/31/2026 18:00",
  month_name: "31 July 2026 18:00",
  compact: "202607311800",
  unix_seconds: "1785520800",
  unix_milliseconds: "1785520800000",
};

/**
 * Reads the times of lines.
 *
 * @param zone of times without an offset; null: they are refused
 */
export class RowTimeReader {
  constructor(
    private readonly mapping: TimeMapping,
    private readonly zone: Zone | null,
  ) {}

  read(cells: readonly string[]): RowTimes | Fault {
    const { columns, end_columns: endColumns, range } = this.mapping;
    if (range) return this.readRange(cells);
    const from = this.local(cells, columns);
    const time = this.instantOf(from, cells, columns);
    if ("fault" in time) return time;
    if (endColumns.length === 0) return { time, end: null };
    const to = this.local(cells, endColumns);
    const isSameDate = columns.length > 1 && columns[0] === endColumns[0];
    const end = this.instantOf(isSameDate ? behind(to, from) : to, cells, endColumns);
    return "fault" in end ? { ...end, isNone: false } : { time, end };
  }

  /** The date of a line of a matrix, as if it were UTC; NaN if it is none. */
  dateOf(cells: readonly string[]): number {
    const [at = 1] = this.mapping.columns;
    const found = momentOf(cells[at - 1] ?? "", this.mapping.format);
    return found === null ? Number.NaN : Math.floor(found.localMs / DAY_MS) * DAY_MS;
  }

  /** What a line's times are as if they were UTC, before any zone; null: none. */
  localOf(cells: readonly string[]): number | null {
    const { columns, range } = this.mapping;
    if (!range) return this.local(cells, columns)?.localMs ?? null;
    return this.localRange(cells)?.[0].localMs ?? null;
  }

  private readRange(cells: readonly string[]): RowTimes | Fault {
    const { columns } = this.mapping;
    const found = this.localRange(cells);
    if (found === null) {
      const text = quoted(textOf(cells, columns));
      return { fault: `the time is ${text}; give both ends of the interval, such as 00:00 - 00:15`, isNone: true };
    }
    const time = this.instantOf(found[0], cells, columns);
    if ("fault" in time) return time;
    const end = this.instantOf(found[1], cells, columns);
    return "fault" in end ? end : { time, end };
  }

  private localRange(cells: readonly string[]): readonly [Local, Local] | null {
    const { columns, format } = this.mapping;
    const [first = 1, second] = columns;
    const ends = rangeOf(cells[(second ?? first) - 1] ?? "");
    if (ends === null) return null;
    const date = second === undefined ? null : this.dateOf(cells);
    const from = date === null ? momentOf(ends[0], format) : onDate(date, clockOf(ends[0]));
    if (from === null) return null;
    const to = date === null ? momentOf(ends[1], format) : null;
    const end = to ?? onDate(Math.floor(from.localMs / DAY_MS) * DAY_MS, clockOf(ends[1]));
    if (end === null) return null;
    return [from, to === null ? (behind(end, from) ?? end) : end];
  }

  private local(cells: readonly string[], columns: readonly number[]): Local | null {
    const [first = 1, second] = columns;
    const { format, midnight } = this.mapping;
    const cell = cells[first - 1] ?? "";
    const date = momentOf(cell, format);
    if (date === null) return null;
    const whole =
      second === undefined
        ? date
        : onDate(Math.floor(date.localMs / DAY_MS) * DAY_MS, clockOf(cells[second - 1] ?? ""));
    if (whole === null || midnight === "begins_day" || whole.localMs % DAY_MS !== 0) return whole;
    return { ...whole, localMs: whole.localMs + DAY_MS };
  }

  private instantOf(local: Local | null, cells: readonly string[], columns: readonly number[]): ReadTime | Fault {
    if (local === null) {
      const text = quoted(textOf(cells, columns));
      return { fault: `the time is ${text}; give it like ${examples[this.mapping.format]}`, isNone: true };
    }
    const { localMs, offsetMs } = local;
    if (offsetMs !== null) return { atMs: localMs - offsetMs, laterMs: null, endedMs: null, skipped: null };
    if (this.zone === null) {
      const text = quoted(textOf(cells, columns));
      return { fault: `the time ${text} has no offset from UTC; add it, or state the file's time zone`, isNone: false };
    }
    const [atMs, laterMs = null] = this.zone.instantsOf(localMs);
    if (atMs !== undefined) return { atMs, laterMs, endedMs: endedOf(this.zone, localMs, laterMs), skipped: null };
    const change = this.zone.changeOver(localMs);
    return {
      atMs: change.atMs,
      laterMs: null,
      endedMs: null,
      skipped: localMs === change.firstSkippedMs ? "first" : "other",
    };
  }
}

const SECOND_MS = 1000;

/** The clock a moment earlier shows which of two ends an interval has. */
const endedOf = (zone: Zone, localMs: number, laterMs: number | null): readonly number[] | null => {
  const before = zone.instantsOf(localMs - SECOND_MS);
  const isSame = before.length === 0 || before.length === (laterMs === null ? 1 : 2);
  return isSame ? null : before.map((ms) => ms + SECOND_MS);
};

const onDate = (dateMs: number, clock: Clock | null): Local | null =>
  clock === null || Number.isNaN(dateMs) ? null : { localMs: dateMs + clock.ms, offsetMs: clock.offsetMs };

/** An end under the date of its start: 23:45 - 00:00 ends on the next day, 02:45 - 02:00 when clocks are set back. */
const behind = (to: Local | null, from: Local | null): Local | null =>
  to !== null && from !== null && from.localMs - to.localMs > MAX_SET_BACK_MS
    ? { ...to, localMs: to.localMs + DAY_MS }
    : to;

export const textOf = (cells: readonly string[], columns: readonly number[]): string =>
  columns.map((column) => cells[column - 1] ?? "").join(" ");

export const skippedFault = (text: string): string =>
  `clocks skip the time ${quoted(text)} in this time zone; give times with an offset from UTC`;
