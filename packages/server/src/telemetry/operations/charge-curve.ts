import { cellEndMs, cellsOfGrid, type EnergyGrid } from "@curtail/measure";

/** The last state of charge of each interval of a grid. Add cells in any order. */
export class ChargeCurve {
  /** In kWh; NaN without any. */
  readonly kwh: Float64Array;
  private readonly lastCell: Float64Array;

  constructor(private readonly grid: EnergyGrid) {
    const count = cellsOfGrid(grid);
    this.kwh = new Float64Array(count).fill(Number.NaN);
    this.lastCell = new Float64Array(count).fill(Number.NEGATIVE_INFINITY);
  }

  /** Adds cells from `firstCell` on, NaN where unknown; ignores cells outside the period of the grid. */
  add(firstCell: number, cells: Float64Array): void {
    const { counted } = this.grid;
    for (let index = 0; index < this.kwh.length; index++) {
      const from = Math.max((counted[index] ?? 0) + 1, firstCell);
      const to = Math.min(counted[index + 1] ?? 0, firstCell + cells.length - 1);
      for (let cell = to; cell >= from && cell > (this.lastCell[index] ?? 0); cell--) {
        const kwh = cells[cell - firstCell] ?? Number.NaN;
        if (Number.isNaN(kwh)) continue;
        this.lastCell[index] = cell;
        this.kwh[index] = kwh;
      }
    }
  }

  /** The newest of all, with the end of its 30-second interval; null without any. */
  newest(): { readonly at: Date; readonly chargeKwh: number } | null {
    const index = this.kwh.findLastIndex((kwh) => !Number.isNaN(kwh));
    if (index < 0) return null;
    return { at: new Date(cellEndMs(this.lastCell[index] ?? 0)), chargeKwh: this.kwh[index] ?? Number.NaN };
  }
}
