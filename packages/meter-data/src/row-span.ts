import type { ReadTime, RowTimes } from "./row-time.js";

export interface Span {
  readonly time: ReadTime;
  /** 0: not stated, or none. */
  readonly seconds: number;
}

/** Its length from start to end; of several, the usual one, else the shortest. */
export const spanOf = ({ time, end }: RowTimes, usual: number | null): Span => {
  if (end === null) return { time, seconds: 0 };
  const starts = time.laterMs === null ? [time.atMs] : [time.atMs, time.laterMs];
  const ends = end.laterMs === null ? [end.atMs] : [end.atMs, end.laterMs];
  const lengths = ends.flatMap((to) => starts.map((from) => (to - from) / 1000));
  if (usual !== null && lengths.includes(usual)) return { time, seconds: usual };
  const [shortest] = lengths.filter((each) => each > 0).toSorted((a, b) => a - b);
  return shortest === undefined ? spanOverChange(time, end, usual) : { time, seconds: shortest };
};

/** 02:00 - 01:15, as clocks go from 02:00 back to 01:00: the start is that which ends the first of the two hours. */
const spanOverChange = (time: ReadTime, { laterMs }: ReadTime, usual: number | null): Span => {
  const [changeMs = 0, lastMs = 0] = time.endedMs ?? [];
  const seconds = ((laterMs ?? 0) - changeMs) / 1000;
  const isOver = laterMs !== null && lastMs > changeMs && seconds > 0 && laterMs < lastMs;
  if (!isOver || (usual !== null && seconds !== usual)) return { time, seconds: 0 };
  return { time: { ...time, atMs: 2 * changeMs - lastMs, laterMs: changeMs, endedMs: null }, seconds };
};
