import { secondsUntilEndOf } from "./full-curtailment.js";
import { cellsOf, type LoadSeries, type Period, valueAt } from "./load-series.js";

/** How a site complied with a firm service level. Intervals are those of the load; gaps are in none of the counts. */
export interface Compliance {
  readonly intervalsPresent: number;
  readonly intervalsComplying: number;
  /** kWh above the level; null without intervals. */
  readonly excessKwh: number | null;
  /** From the start to the end of the first complying interval; null if there is none. */
  readonly secondsToCompliance: number | null;
}

/** An interval complies while its load is at or below the level. */
export const complianceOf = (load: LoadSeries, levelKw: number, period: Period): Compliance => {
  const { intervalSeconds } = load;
  const { first, last } = cellsOf(period, intervalSeconds);
  let [present, complying, excessKw] = [0, 0, 0];
  let firstCell: number | null = null;
  for (let cell = first; cell <= last; cell++) {
    const kw = valueAt(load, cell);
    if (Number.isNaN(kw)) continue;
    present += 1;
    excessKw += Math.max(0, kw - levelKw);
    if (kw > levelKw) continue;
    complying += 1;
    firstCell ??= cell;
  }
  return {
    intervalsPresent: present,
    intervalsComplying: complying,
    excessKwh: present === 0 ? null : (excessKw * intervalSeconds) / 3600,
    secondsToCompliance: firstCell === null ? null : secondsUntilEndOf(firstCell, period.startMs, intervalSeconds),
  };
};
