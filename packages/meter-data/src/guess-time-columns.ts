import type { Findings } from "./findings.js";
import { markOf } from "./guess-time-label.js";
import { momentOf } from "./moment.js";
import { formatsOf, type Sample, shareOf } from "./table-sample.js";
import { type TimeKinds, timeKindsOf } from "./time-kinds.js";
import { tokensOf } from "./words.js";

export interface TimeColumns {
  readonly columns: readonly number[];
  readonly endColumns: readonly number[];
  readonly range: boolean;
  /** Columns of times that are not read. */
  readonly others: readonly number[];
}

type Chosen = Omit<TimeColumns, "others">;

/** Finds the columns of times, from 1; null if there are none. */
export const timeColumnsOf = (sample: Sample, findings: Findings): TimeColumns | null => {
  const kinds = timeKindsOf(sample);
  const found = chosen(sample, kinds);
  if (found === null) return null;
  const used = [...found.columns, ...found.endColumns];
  findings.reasons.push(reasonFor(sample, found));
  const all = Object.values(kinds).flat();
  return { ...found, others: all.filter((column) => !used.includes(column)) };
};

const one = (column: number | undefined): number[] => (column === undefined ? [] : [column]);

const chosen = (sample: Sample, kinds: TimeKinds): Chosen | null => {
  const { times, dates, clocks, ranges, clockRanges, hours } = kinds;
  if (ranges.length > 0) return { columns: one(ranges[0]), endColumns: [], range: true };
  const [date] = dates;
  if (date !== undefined && clockRanges.length > 0)
    return { columns: [date, clockRanges[0] ?? 0], endColumns: [], range: true };
  const clock = clocks.length > 0 ? clocks : hours;
  const stamped = clock.length === 0 ? times : times.filter((column) => isStamp(sample, column, clocks));
  if (stamped.length > 0) {
    const [start, end] = startAndEnd(sample, stamped);
    return { columns: [start], endColumns: one(end), range: false };
  }
  return onDays(sample, [...dates, ...times], clock);
};

/** Dates, and clock times in another column if there are any. */
const onDays = (sample: Sample, days: readonly number[], clock: readonly number[]): Chosen | null => {
  if (days.length === 0) return null;
  if (clock.length === 0) return { columns: [days[0] ?? 1], endColumns: [], range: false };
  const [start, end] = startAndEnd(sample, clock);
  const [startDay, endDay = startDay] = startAndEnd(sample, days);
  return { columns: [startDay, start], endColumns: end === undefined ? [] : [endDay, end], range: false };
};

/** Times that say more than the clock time of their line. */
const isStamp = (sample: Sample, column: number, clocks: readonly number[]): boolean =>
  !isMidnightOnly(sample, column) && !isSteadier(sample, column, clocks);

/** An export of dates with 00:00 behind them. */
const isMidnightOnly = ({ rows }: Sample, column: number): boolean =>
  shareOf(
    rows,
    column - 1,
    (cell) => /[ T]0?0:00(?::00(?:\.0+)?)?(?: AM|Z)?$/i.test(cell) || / 12:00(?::00)? AM$/i.test(cell),
  ) === 1;

/** A time that changes less often than the clock time of its line: when the line was written, for example. */
const isSteadier = ({ rows }: Sample, column: number, [clock]: readonly number[]): boolean => {
  const distinct = (of: number) => new Set(rows.map((cells) => cells[of - 1] ?? "")).size;
  return clock !== undefined && distinct(column) * 2 <= Math.min(distinct(clock), rows.length);
};

/** Of several columns, by their names: those of UTC or with an offset first. */
const startAndEnd = (sample: Sample, columns: readonly number[]): [number, number | undefined] => {
  const marked = (mark: "start" | "end") => columns.filter((column) => markOf(sample.names[column - 1] ?? "") === mark);
  const best = (of: readonly number[]) =>
    of.find((column) => shareOf(sample.rows, column - 1, hasOffset) === 1 || isUtc(sample.names[column - 1] ?? "")) ??
    of[0];
  const [start, end] = [best(marked("start")), best(marked("end"))];
  if (start !== undefined) return [start, end];
  return [end ?? best(columns) ?? 1, undefined];
};

const hasOffset = (cell: string): boolean => {
  const [format] = formatsOf(cell);
  return format !== undefined && momentOf(cell, format)?.offsetMs !== null;
};

export const isUtc = (name: string): boolean => tokensOf(name).some((word) => word === "utc" || word === "gmt");

const nameOf = ({ names }: Sample, column: number): string => {
  const name = names[column - 1] ?? "";
  return name === "" ? `column ${column}` : `column ${column} ("${name.slice(0, 60)}")`;
};

const reasonFor = (sample: Sample, { columns, endColumns, range }: Chosen): string => {
  const shown = columns.map((column) => nameOf(sample, column)).join(" and ");
  if (range) return `${shown}: times from one to another`;
  if (endColumns.length === 0) return `${shown}: times`;
  return `${shown}: starts, and ${endColumns.map((column) => nameOf(sample, column)).join(" and ")}: ends of intervals`;
};
