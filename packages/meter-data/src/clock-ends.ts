import type { TwiceShown } from "./csv-doubled-hour.js";
import type { IntervalColumns } from "./interval-columns.js";
import type { ReadTime } from "./row-time.js";

/** A line whose time is another one if it is what clocks show at the end of its interval. */
export interface ClockEnd {
  /** Place among the intervals of its series. */
  readonly at: number;
  readonly laterMs: number | null;
  readonly endedMs: readonly number[];
}

export const clockEndOf = (at: number, { laterMs, endedMs }: ReadTime): ClockEnd[] =>
  endedMs === null ? [] : [{ at, laterMs, endedMs }];

/** Lines at the edges of an hour that clocks show twice. */
interface Night {
  readonly first: ClockEnd[];
  readonly last: ClockEnd[];
}

/** Clocks are set back once a year. */
const MAX_NIGHTS = 200;

/**
 * Set back from 03:00 to 02:00, clocks show 02:00 twice, but two of their hours end at 03:00. Which of the two is there
 * twice shows whether a file's ends are instants or clock times. Reads ends that are clock times as such.
 *
 * @returns the lines whose times may be either of two
 */
export const readClockEnds = (
  rows: IntervalColumns,
  twice: readonly TwiceShown[],
  ends: readonly ClockEnd[],
  note: (line: number) => void,
): readonly TwiceShown[] => {
  const nights = nightsOf(ends);
  if (nights.size > MAX_NIGHTS) return twice;
  let found: readonly TwiceShown[] = twice;
  const counts = countsOf(rows, twice);
  for (const [changeMs, { first, last }] of nights) {
    const [one, other] = last;
    if (one === undefined || other === undefined || last.length > 2 || first.length > 1) continue;
    const [, laterMs = changeMs] = one.endedMs;
    if (!isTwice(counts, 2 * changeMs - laterMs, changeMs)) continue;
    for (const { at } of last) rows.startMs[at] = changeMs;
    const known = found.filter(({ at }) => at !== first[0]?.at);
    found = [...known, ...last.map(({ at }) => ({ at, laterMs }))].toSorted((a, b) => a.at - b.at);
    note(rows.line[one.at] ?? 1);
  }
  return found;
};

/** By when clocks are set back. */
const nightsOf = (ends: readonly ClockEnd[]): Map<number, Night> => {
  const nights = new Map<number, Night>();
  for (const end of ends) {
    const changeMs = end.laterMs ?? end.endedMs[0] ?? 0;
    const night = nights.get(changeMs) ?? { first: [], last: [] };
    nights.set(changeMs, night);
    (end.laterMs === null ? night.last : night.first).push(end);
  }
  return nights;
};

const countsOf = ({ startMs }: IntervalColumns, twice: readonly TwiceShown[]): Map<number, number> => {
  const counts = new Map<number, number>();
  for (const { at } of twice) counts.set(startMs[at] ?? 0, (counts.get(startMs[at] ?? 0) ?? 0) + 1);
  return counts;
};

/** Whether each time between these is there twice. */
const isTwice = (counts: ReadonlyMap<number, number>, fromMs: number, toMs: number): boolean => {
  for (const [ms, count] of counts) if (ms > fromMs && ms < toMs && count !== 2) return false;
  return true;
};
