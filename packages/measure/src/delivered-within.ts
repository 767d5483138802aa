import { CELL_SECONDS } from "./grid.js";
import { type CellRange, type LoadSeries, onGrid, valueAt } from "./load-series.js";
import { NO_TOTALS, type ToDate, toDateOf, withCell } from "./totals.js";

/** The load and the baseline of a site in a dispatch, and its commitment. */
export interface MeasuredLoad {
  /** On 30 s cells. */
  readonly load: LoadSeries;
  /** On any grid that 30 s cells divide; null: there is none. */
  readonly curve: LoadSeries | null;
  readonly commitmentKw: number | null;
}

/** Delivered energy in kWh; null where it is unknown. */
export type Delivered = Pick<ToDate, "deliveredKwh" | "deliveredFlooredKwh" | "deliveredCappedKwh">;

/** What a site delivered in some cells of a dispatch alone. */
export const deliveredWithin = (
  { load, curve, commitmentKw }: MeasuredLoad,
  ranges: readonly CellRange[],
): Delivered => {
  const baseline = curve === null ? null : onGrid(curve, CELL_SECONDS);
  let totals = NO_TOTALS;
  for (const { first, last } of ranges) {
    for (let cell = first; cell <= last; cell++) {
      const baselineKw = baseline === null ? Number.NaN : valueAt(baseline, cell);
      totals = withCell(totals, { loadKw: valueAt(load, cell), baselineKw }, { commitmentKw });
    }
  }
  // Nothing is expected: only the sums over the received cells are taken.
  return toDateOf(totals, {
    cellsExpected: 0,
    secondsExpected: 0,
    targets: { commitmentKw },
    intervalSeconds: CELL_SECONDS,
  });
};
