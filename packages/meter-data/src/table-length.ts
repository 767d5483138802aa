import { type IntervalColumns, STEP } from "./interval-columns.js";
import type { Intervals } from "./meter-data.js";

/** Rows in a line with the same other distance: intervals of another length, rather than gaps. */
const RUN = 4;
const MAX_NAMED = 5;

export interface Distances {
  /** In seconds; null if there is one time only. */
  readonly usual: number | null;
  /** The first row of a run of rows that are further apart, each as far as the next. */
  readonly run: { readonly line: number; readonly seconds: number } | null;
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
  if (most === 0) return { usual: null, run: null };
  const at = counts.size > 1 ? runIn(times, usual) : -1;
  const seconds = ((times[at + 1] ?? 0) - (times[at] ?? 0)) / 1000;
  return { usual: usual / 1000, run: at < 0 ? null : { line: line[startMs.indexOf(times[at] ?? 0)] ?? 1, seconds } };
};

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
