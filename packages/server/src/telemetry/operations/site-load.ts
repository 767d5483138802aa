import {
  CELL_SECONDS,
  CELLS_PER_HOUR,
  type CellRange,
  firstCellOfHour,
  flatSeries,
  type HourRow,
  type LoadSeries,
  siteLoad,
} from "@curtail/measure";

/** Meters whose sum is a site's load. */
export type Reporting = ReadonlySet<number>;

/** Load of a site from hour rows: a cell counts if every reporting meter has it. */
export const loadFrom = (rows: readonly HourRow[], reporting: Reporting, range: CellRange): LoadSeries => {
  const meters = new Map([...reporting].map((meter) => [meter, flatSeries(Number.NaN, range, CELL_SECONDS)]));
  for (const row of rows) {
    const series = meters.get(row.meter);
    if (series !== undefined) layOnto(series, row);
  }
  const all = [...meters.values()];
  const [only] = all;
  // Most sites have one meter, and a look-back has fifty thousand cells.
  if (only !== undefined && all.length === 1) return only;
  // A reporting meter without rows in this range makes all of it a gap.
  return all.some(isEmpty) ? flatSeries(Number.NaN, range, CELL_SECONDS) : siteLoad(all, range, CELL_SECONDS);
};

const isEmpty = ({ values }: LoadSeries): boolean => values.every((kw) => Number.isNaN(kw));

const layOnto = (series: LoadSeries, row: HourRow): void => {
  const offset = firstCellOfHour(row.hour) - series.firstCell;
  const from = Math.max(0, -offset);
  const to = Math.min(CELLS_PER_HOUR, series.values.length - offset);
  if (from < to) series.values.set(row.cells.subarray(from, to), offset + from);
};
