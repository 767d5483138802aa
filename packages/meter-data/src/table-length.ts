import { type IntervalColumns, lengthFault, STEP } from "./interval-columns.js";
import type { Intervals } from "./meter-data.js";

/** Rows in a line with the same other distance: intervals of another length, rather than gaps. */
const RUN = 4;
/** So many lines in a row that are closer together are shorter intervals: one odd line is none. */
const SHORT_RUN = 12;
const MAX_NAMED = 5;

export interface Distances {
  /** In seconds; null if there is one time only. */
  readonly usual: number | null;
  /** The first row of a run of rows that are further apart, each as far as the next. */
  readonly run: { readonly line: number; readonly seconds: number } | null;
  /** Some may be in runs of shorter intervals. */
  readonly hasShorter: boolean;
}

/** The commonest distance of times; of several, the shortest. One odd row does not change it. */
export const distancesOf = ({
  count,
  startMs,
  line,
}: Pick<IntervalColumns, "count" | "startMs" | "line">): Distances => {
  const times = startMs.slice(0, count).sort();
  const counts = new Map<number, number>();
  for (let at = 1; at < count; at++) {
    const distance = (times[at] ?? 0) - (times[at - 1] ?? 0);
    if (distance > 0) counts.set(distance, (counts.get(distance) ?? 0) + 1);
  }
  let [usual, most] = [0, 0];
  for (const [distance, times] of counts)
    if (times > most || (times === most && distance < usual)) [usual, most] = [distance, times];
  if (most === 0) return { usual: null, run: null, hasShorter: false };
  const hasShorter = [...counts].some(([distance, times]) => times >= SHORT_RUN && isPart(distance, usual));
  const at = counts.size > 1 ? runIn(times, usual) : -1;
  const seconds = ((times[at + 1] ?? 0) - (times[at] ?? 0)) / 1000;
  return {
    usual: usual / 1000,
    run: at < 0 ? null : { line: line[startMs.indexOf(times[at] ?? 0)] ?? 1, seconds },
    hasShorter,
  };
};

/** Whether this distance may be the length of shorter intervals. In milliseconds. */
const isPart = (distance: number, usual: number): boolean =>
  distance < usual && usual % distance === 0 && lengthFault(distance / 1000) === null;

const runIn = (times: Float64Array, usual: number): number => {
  let [run, before] = [0, 0];
  for (let at = 1; at < times.length; at++) {
    const distance = (times[at] ?? 0) - (times[at - 1] ?? 0);
    if (distance === 0) continue;
    run = distance === before ? run + 1 : 1;
    before = distance;
    if (distance > usual && run === RUN) return at - RUN;
  }
  return -1;
};

/** A run of rows that are shorter than most. */
interface ShortRun {
  readonly line: number;
  readonly count: number;
  readonly seconds: number;
}

/**
 * Gives rows that follow each other closer than most, in runs, their own length. At the edge of a run, a row that is as far
 * from its other neighbour as most are, or further since lines are missing, has the usual length.
 *
 * @param isEnd times are those of ends
 * @param usual length of most, in seconds
 */
export function* readShorter(rows: IntervalColumns, usual: number, isEnd: boolean): Generator<undefined, ShortRun[]> {
  const places = Array.from({ length: rows.count }, (_, at) => at).toSorted(
    (a, b) => timeOf(rows, a) - timeOf(rows, b),
  );
  yield;
  const runs: ShortRun[] = [];
  const distance = (at: number): number => timeOf(rows, places[at] ?? -1) - timeOf(rows, places[at - 1] ?? -1);
  for (let from = 1; from < places.length; ) {
    let to = from + 1;
    while (distance(to) === distance(from)) to += 1;
    if (to - from >= SHORT_RUN && isPart(distance(from), usual * 1000)) {
      const seconds = distance(from) / 1000;
      const [first, last] = [from - 1, to - 1];
      const skipsFirst = isEnd && distance(first) >= usual * 1000;
      const skipsLast = !isEnd && distance(to) >= usual * 1000;
      const mine = places.slice(first + (skipsFirst ? 1 : 0), last + (skipsLast ? 0 : 1));
      for (const at of mine) rows.seconds[at] = seconds;
      runs.push({ line: Math.min(...mine.slice(0, 1), ...mine.slice(-1)), count: mine.length, seconds });
    }
    from = to;
    yield;
  }
  return runs.map(({ line, ...run }) => ({ line: rows.line[line] ?? 1, ...run }));
}

/** NaN: there is no such row. */
const timeOf = ({ startMs, count }: IntervalColumns, at: number): number =>
  at >= 0 && at < count ? (startMs[at] ?? Number.NaN) : Number.NaN;

/** Names rows that begin a part of an interval after the one before. */
export function* oddRows(
  name: string,
  { count, startMs, seconds, line }: Intervals,
  note: (line: number, message: string) => void,
): Generator<undefined, void> {
  let [odd, first] = [0, 0];
  for (let at = 1; at < count; at++) {
    if (at % STEP === 0) yield;
    const gap = (startMs[at] ?? 0) - (startMs[at - 1] ?? 0) - (seconds[at - 1] ?? 0) * 1000;
    if (gap % ((seconds[at] ?? 1) * 1000) === 0) continue;
    if (odd++ === 0) first = line[at] ?? 1;
    if (odd <= MAX_NAMED)
      note(
        line[at] ?? 1,
        `${name}: the interval begins ${gap / 1000} s after the end of the one before, which is no multiple of its length of ${seconds[at]} s`,
      );
  }
  if (odd > MAX_NAMED) note(first, `${name}: ${odd} intervals begin a part of an interval after the one before`);
}
