import { type CellRange, countOf, type LoadSeries, valueAt } from "./load-series.js";

/**
 * Load of a site: the sum of its meters, where every reporting meter has the cell. A meter is reporting if its series
 * has any filled cell: pass series long enough (the look-back of the baseline) to include meters that fell silent. All
 * series must be on one grid.
 */
export const siteLoad = (meters: readonly LoadSeries[], range: CellRange, intervalSeconds: number): LoadSeries => {
  const reporting = meters.filter(({ values }) => values.some((kw) => !Number.isNaN(kw)));
  const values = new Float64Array(countOf(range)).fill(reporting.length === 0 ? Number.NaN : 0);
  for (const meter of reporting) {
    // NaN plus anything is NaN: one missing meter makes the cell missing. By index: a year has millions of cells.
    for (let index = 0; index < values.length; index++) {
      values[index] = (values[index] ?? 0) + valueAt(meter, range.first + index);
    }
  }
  return { intervalSeconds, firstCell: range.first, values };
};
