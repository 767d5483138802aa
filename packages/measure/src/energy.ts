import { cellsOfGrid, type EnergyGrid } from "./energy-grid.js";
import { CELL_SECONDS, cellEndMs } from "./grid.js";

const CELL_HOURS = CELL_SECONDS / 3600;

/** Energy of a period, from the received 30-second cells; export is counted separately, as a positive number. */
export interface EnergyTotals {
  readonly importedKwh: number;
  readonly exportedKwh: number;
  /** Import minus export. */
  readonly energyKwh: number;
  readonly presentCells: number;
  /** The highest 30-second cell; NaN if there is none. */
  readonly peakKw: number;
}

/** Sums 30-second cells into the intervals of a grid. Add each cell once, in any order. */
export class EnergySums {
  /** Number of received 30-second cells per interval. */
  readonly present: Uint32Array;
  private readonly sumsKw: Float64Array;
  /** Lowest and highest 30-second cell of each interval; NaN without any. */
  readonly leastKw: Float64Array;
  readonly mostKw: Float64Array;
  private importedKw = 0;
  private exportedKw = 0;

  constructor(readonly grid: EnergyGrid) {
    const count = cellsOfGrid(grid);
    this.present = new Uint32Array(count);
    this.sumsKw = new Float64Array(count);
    this.leastKw = new Float64Array(count).fill(Number.NaN);
    this.mostKw = new Float64Array(count).fill(Number.NaN);
  }

  /** Adds cells from `firstCell` on, NaN where unknown; ignores cells outside the period of the grid. */
  add(firstCell: number, cells: Float64Array): void {
    const edges = this.grid.counted;
    const endCell = firstCell + cells.length;
    for (let index = this.indexFrom(firstCell); index < this.present.length; index++) {
      const from = (edges[index] ?? 0) + 1;
      if (from >= endCell) return;
      const to = Math.min((edges[index + 1] ?? 0) + 1, endCell);
      this.addWithin(index, cells, Math.max(from, firstCell) - firstCell, to - firstCell);
    }
  }

  /** Label of an interval: its end, in Unix milliseconds. */
  endMs(index: number): number {
    return cellEndMs(this.grid.edges[index + 1] ?? Number.NaN);
  }

  /** Mean power over the received 30-second cells; NaN without any. */
  meanKw(index: number): number {
    return (this.sumsKw[index] ?? 0) / (this.present[index] ?? 0);
  }

  energyKwh(index: number): number {
    return (this.sumsKw[index] ?? 0) * CELL_HOURS;
  }

  /** Received share of what is counted of an interval, 0 to 1. */
  coverage(index: number): number {
    const edges = this.grid.counted;
    return (this.present[index] ?? 0) / ((edges[index + 1] ?? 0) - (edges[index] ?? 0));
  }

  totals(): EnergyTotals {
    let [presentCells, peakKw] = [0, Number.NaN];
    for (let index = 0; index < this.present.length; index++) {
      presentCells += this.present[index] ?? 0;
      peakKw = higher(peakKw, this.mostKw[index] ?? Number.NaN);
    }
    const [importedKwh, exportedKwh] = [this.importedKw * CELL_HOURS, this.exportedKw * CELL_HOURS];
    return { importedKwh, exportedKwh, energyKwh: importedKwh - exportedKwh, presentCells, peakKw };
  }

  /** The interval that contains a 30-second cell, or the first one after it. */
  private indexFrom(cell: number): number {
    const edges = this.grid.counted;
    let [low, high] = [0, edges.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((edges[middle + 1] ?? 0) < cell) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // A year of three meters has three million cells, so everything stays in local variables until the end.
  private addWithin(index: number, cells: Float64Array, from: number, to: number): void {
    let present = 0;
    let importedKw = 0;
    let exportedKw = 0;
    let leastKw = this.leastKw[index] ?? Number.NaN;
    let mostKw = this.mostKw[index] ?? Number.NaN;
    for (let at = from; at < to; at++) {
      const kw = cells[at] ?? Number.NaN;
      if (Number.isNaN(kw)) continue;
      present += 1;
      if (kw > 0) importedKw += kw;
      else exportedKw -= kw;
      // A comparison with NaN is false, so the first cell is taken.
      if (!(kw >= leastKw)) leastKw = kw;
      if (!(kw <= mostKw)) mostKw = kw;
    }
    this.present[index] = (this.present[index] ?? 0) + present;
    this.sumsKw[index] = (this.sumsKw[index] ?? 0) + importedKw - exportedKw;
    this.leastKw[index] = leastKw;
    this.mostKw[index] = mostKw;
    this.importedKw += importedKw;
    this.exportedKw += exportedKw;
  }
}

const higher = (a: number, b: number): number => (a >= b || Number.isNaN(b) ? a : b);
