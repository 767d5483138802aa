import type { Findings } from "./findings.js";
import type { TimeMapping } from "./mapping.js";
import { RowTimeReader } from "./row-time.js";
import { distancesOf } from "./table-length.js";
import type { Sample } from "./table-sample.js";

const MINUTE_MS = 60_000;

export interface Length {
  /** Of all intervals, if the ends show it. */
  readonly seconds: number | null;
  readonly usualMs: number | null;
  /** Ends are a minute or a second short: 00:00 to 00:14, or to 00:14:59. */
  readonly isInclusive: boolean;
}

/** The usual distance of times in the sample, and the length that the ends of intervals show. */
export const lengthOf = ({ rows, names }: Sample, time: TimeMapping, { reasons }: Findings): Length => {
  const reader = new RowTimeReader(time, null);
  const starts = rows.flatMap((cells) => reader.localOf(cells) ?? []);
  const usualMs = usualOf(starts);
  const length = starts.length === rows.length ? commonest(lengthsOf(rows, starts, time)) : null;
  if (length === null) return { seconds: null, usualMs, isInclusive: false };
  const short = shortBy(length);
  if (short === undefined) return { seconds: length / 1000, usualMs, isInclusive: false };
  const name = names[(time.end_columns.at(-1) ?? 1) - 1] ?? "";
  reasons.push(
    `"${name.slice(0, 60)}" is ${short / 1000} s before the end of intervals, which are ${(length + short) / MINUTE_MS} minutes long`,
  );
  return { seconds: (length + short) / 1000, usualMs, isInclusive: true };
};

const usualOf = (starts: readonly number[]): number | null => {
  const { length: count } = starts;
  const { usual } = distancesOf({ count, startMs: Float64Array.from(starts), line: new Int32Array(count) });
  return usual === null ? null : usual * 1000;
};

/** 00:00 to 00:14, or to 00:14:59, are 15 minutes. */
const shortBy = (length: number): number | undefined =>
  [MINUTE_MS, 1000].find((step) => (length + step) % (5 * MINUTE_MS) === 0 && length % (5 * MINUTE_MS) !== 0);

const lengthsOf = (rows: Sample["rows"], starts: readonly number[], time: TimeMapping): number[] => {
  if (time.end_columns.length === 0) return [];
  const reader = new RowTimeReader({ ...time, columns: time.end_columns, end_columns: [], range: false }, null);
  return rows.flatMap((cells, at) => {
    const end = reader.localOf(cells);
    return end === null ? [] : [end - (starts[at] ?? 0)];
  });
};

const commonest = (all: readonly number[]): number | null => {
  const counts = new Map<number, number>();
  for (const each of all) counts.set(each, (counts.get(each) ?? 0) + 1);
  const [[found] = [null]] = [...counts].filter(([each]) => each > 0).toSorted(([, a], [, b]) => b - a);
  return found;
};
