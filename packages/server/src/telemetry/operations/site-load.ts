import {
  CELL_SECONDS,
  CELLS_PER_HOUR,
  type CellRange,
  countOf,
  firstCellOfHour,
  flatSeries,
  type HourRow,
  type LoadSeries,
  siteLoad,
} from "@curtail/measure";

/** Meters whose sum is a site's load. */
export type Reporting = ReadonlySet<number>;

/** Load of a site from hour rows: a cell counts if every reporting meter has it. */
export const loadFrom = (
  rows: readonly HourRow[],
  reporting: Reporting,
  range: CellRange,
  scratch?: ScratchCells,
): LoadSeries => {
  const [single] = reporting;
  // Most sites have one meter, and a look-back has fifty thousand cells.
  if (single !== undefined && reporting.size === 1)
    return meterLoad(rows, single, scratch?.gaps(range) ?? gapsIn(range));
  const meters = new Map([...reporting].map((meter) => [meter, gapsIn(range)]));
  for (const row of rows) {
    const series = meters.get(row.meter);
    if (series !== undefined) layOnto(series, row);
  }
  const all = [...meters.values()];
  // A reporting meter without rows in this range makes all of it a gap.
  return all.some(isEmpty) ? gapsIn(range) : siteLoad(all, range, CELL_SECONDS);
};

const gapsIn = (range: CellRange): LoadSeries => flatSeries(Number.NaN, range, CELL_SECONDS);

/** `gaps` is filled. */
const meterLoad = (rows: readonly HourRow[], meter: number, gaps: LoadSeries): LoadSeries => {
  for (const row of rows) if (row.meter === meter) layOnto(gaps, row);
  return gaps;
};

/** Memory of a load that nobody keeps: half a megabyte for each site of a dispatch would be collected again and again. */
export class ScratchCells {
  private cells = new Float64Array(0);

  /** Valid until the next call. */
  gaps(range: CellRange): LoadSeries {
    const count = countOf(range);
    if (this.cells.length < count) this.cells = new Float64Array(count);
    const values = this.cells.subarray(0, count).fill(Number.NaN);
    return { intervalSeconds: CELL_SECONDS, firstCell: range.first, values };
  }
}

const isEmpty = ({ values }: LoadSeries): boolean => values.every((kw) => Number.isNaN(kw));

const layOnto = (series: LoadSeries, row: HourRow): void => {
  const offset = firstCellOfHour(row.hour) - series.firstCell;
  const from = Math.max(0, -offset);
  const to = Math.min(CELLS_PER_HOUR, series.values.length - offset);
  if (from < to) series.values.set(row.cells.subarray(from, to), offset + from);
};
