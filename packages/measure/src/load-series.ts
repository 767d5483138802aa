import { type CellSeries, coarsen } from "./coarsen.js";

/**
 * Mean load in kW on the UTC grid of `intervalSeconds`: cell `k` covers (intervalSeconds·(k−1), intervalSeconds·k]
 * seconds of Unix time. NaN is a gap; export is negative.
 */
export interface LoadSeries extends CellSeries {
  readonly intervalSeconds: number;
}

/** A period in Unix milliseconds, start exclusive, end inclusive. */
export interface Period {
  readonly startMs: number;
  readonly endMs: number;
}

/** Cells `first` to `last`, inclusive; empty if `last` is before `first`. */
export interface CellRange {
  readonly first: number;
  readonly last: number;
}

/** Mean over the filled cells of a range (NaN if there are none), and how many of them are filled. */
export interface RangeMean {
  readonly meanKw: number;
  readonly present: number;
  readonly expected: number;
}

/** The value of a cell; NaN for a gap and for every cell outside the series. */
export const valueAt = (series: CellSeries, cell: number): number =>
  series.values[cell - series.firstCell] ?? Number.NaN;

/** Cells whose midpoints a period covers: the rule by which a reading fills cells (G21). */
export const cellsOf = ({ startMs, endMs }: Period, intervalSeconds: number): CellRange => {
  const boundary = (ms: number) => Math.floor(ms / 1000 / intervalSeconds + 0.5);
  return { first: boundary(startMs) + 1, last: boundary(endMs) };
};

/** Cells entirely inside a period. */
export const cellsInside = ({ startMs, endMs }: Period, intervalSeconds: number): CellRange => ({
  first: Math.ceil(startMs / 1000 / intervalSeconds) + 1,
  last: Math.floor(endMs / 1000 / intervalSeconds),
});

/** Cells that overlap a period. */
export const cellsTouching = ({ startMs, endMs }: Period, intervalSeconds: number): CellRange => ({
  first: Math.floor(startMs / 1000 / intervalSeconds) + 1,
  last: Math.ceil(endMs / 1000 / intervalSeconds),
});

export const countOf = ({ first, last }: CellRange): number => Math.max(0, last - first + 1);

export const meanOver = ({ firstCell, values }: CellSeries, range: CellRange): RangeMean => {
  let sum = 0;
  let present = 0;
  const last = Math.min(range.last - firstCell, values.length - 1);
  for (let index = Math.max(0, range.first - firstCell); index <= last; index++) {
    const value = values[index] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    sum += value;
    present += 1;
  }
  return { meanKw: sum / present, present, expected: countOf(range) };
};

/** End of the newest filled cell in Unix milliseconds; null if no cell is filled. */
export const newestEndMs = ({ firstCell, values, intervalSeconds }: LoadSeries): number | null => {
  // By index: a silent site's look-back has 130,000 gaps, and each site of a dispatch is searched.
  for (let index = values.length - 1; index >= 0; index--)
    if (!Number.isNaN(values[index])) return (firstCell + index) * intervalSeconds * 1000;
  return null;
};

/** A series of the same value in every cell of the range. */
export const flatSeries = (kw: number, range: CellRange, intervalSeconds: number): LoadSeries => ({
  intervalSeconds,
  firstCell: range.first,
  values: new Float64Array(countOf(range)).fill(kw),
});

/**
 * The same load on another grid: means if it is coarser (see `coarsen`), repeated values if it is finer. Throws a
 * RangeError unless one interval is a multiple of the other.
 */
export const onGrid = (series: LoadSeries, intervalSeconds: number): LoadSeries => {
  if (intervalSeconds % series.intervalSeconds === 0) {
    return { intervalSeconds, ...coarsen(series, intervalSeconds / series.intervalSeconds) };
  }
  const factor = series.intervalSeconds / intervalSeconds;
  if (!Number.isInteger(factor)) {
    throw new RangeError(
      `load of ${series.intervalSeconds} s cannot be put on a grid of ${intervalSeconds} s; give load whose interval divides it`,
    );
  }
  const values = new Float64Array(series.values.length * factor);
  for (let index = 0; index < values.length; index++)
    values[index] = series.values[Math.floor(index / factor)] ?? Number.NaN;
  return { intervalSeconds, firstCell: (series.firstCell - 1) * factor + 1, values };
};
