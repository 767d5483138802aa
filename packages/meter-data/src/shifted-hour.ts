import { type Run, runsOf, type TwiceShown } from "./csv-doubled-hour.js";
import type { IntervalColumns } from "./interval-columns.js";

/**
 * A portal that counts the hours of the night in which clocks are set back names the second hour from 01:00 02:00, if they are
 * set back to 01:00: the hour behind the doubled one is there twice, and the doubled one once. Reads the first of both as
 * the one that clocks show again.
 *
 * @returns the lines whose times may still be either of two
 */
export const readShiftedHour = (
  rows: IntervalColumns,
  twice: readonly TwiceShown[],
  note: (line: number) => void,
): readonly TwiceShown[] => {
  if (twice.length === 0) return twice;
  const shiftMs = (twice[0]?.laterMs ?? 0) - (rows.startMs[twice[0]?.at ?? 0] ?? 0);
  const shifted = runsOf(twice, rows).filter((run) => isShifted(rows, run, shiftMs));
  for (const { from, to } of shifted) {
    note(rows.line[to] ?? 1);
    for (let at = to; at < 2 * to - from; at++) rows.startMs[at] = (rows.startMs[at] ?? 0) - shiftMs;
  }
  return twice.filter(({ at }) => !shifted.some(({ from, to }) => at >= from && at < to));
};

/** Whether the lines after these are those of the hour behind, in the same order, and then again. */
const isShifted = ({ count, startMs }: IntervalColumns, { from, to }: Run, shiftMs: number): boolean => {
  const length = to - from;
  if (to + 2 * length > count) return false;
  for (let at = from; at < to; at++) {
    const behindMs = (startMs[at] ?? 0) + 2 * shiftMs;
    if (startMs[at + length] !== behindMs || startMs[at + 2 * length] !== behindMs) return false;
  }
  return true;
};
