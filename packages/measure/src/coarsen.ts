/** A series on a regular grid: `values[i]` belongs to cell `firstCell + i`; NaN is a gap. */
export interface CellSeries {
  readonly firstCell: number;
  readonly values: Float64Array;
}

/**
 * Means over groups of `factor` cells, anchored to UTC: group `g` holds the cells factor·(g−1)+1 … factor·g.
 * A group with fewer than half of its cells filled is a gap.
 */
export const coarsen = (series: CellSeries, factor: number): CellSeries => {
  if (factor === 1) return series;
  const firstGroup = Math.floor((series.firstCell - 1) / factor) + 1;
  const lastGroup = Math.ceil((series.firstCell + series.values.length - 1) / factor);
  const values = new Float64Array(Math.max(0, lastGroup - firstGroup + 1)).fill(Number.NaN);
  for (let index = 0; index < values.length; index++) {
    const from = (firstGroup + index - 1) * factor + 1 - series.firstCell;
    values[index] = meanOfFilled(series.values, from, from + factor);
  }
  return { firstCell: firstGroup, values };
};

const meanOfFilled = (values: Float64Array, from: number, to: number): number => {
  let sum = 0;
  let filled = 0;
  for (let index = Math.max(0, from); index < Math.min(to, values.length); index++) {
    const value = values[index] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    sum += value;
    filled += 1;
  }
  return filled * 2 >= to - from ? sum / filled : Number.NaN;
};
