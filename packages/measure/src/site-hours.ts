import { CELL_SECONDS, CELLS_PER_HOUR, firstCellOfHour } from "./grid.js";
import type { HourRow } from "./hour-row.js";
import { siteLoad } from "./site-load.js";

/** A meter counts towards its site's load until it has been silent for a week. */
export const COUNTING_HOURS = 7 * 24;

/**
 * Load of a site over a period in which meters may be added or fall silent. In each hour, the meters count that have a
 * reading in it or in the week before; `siteLoad` applies to those: a cell counts if every one of them has it.
 */
export class SiteHours {
  private readonly newest: Map<number, number>;

  /** `newestBefore`: each meter's newest hour with a reading in the week before the hours that are taken. */
  constructor(newestBefore: ReadonlyMap<number, number>) {
    this.newest = new Map(newestBefore);
  }

  /** The hours with data, from all rows of the hours `from` to `to`. Take ranges in order. */
  *take(rows: readonly HourRow[], from: number, to: number): Generator<SiteHour> {
    const hours = Array.from({ length: to - from + 1 }, (): HourRow[] => []);
    for (const row of rows) hours[row.hour - from]?.push(row);
    for (const [index, present] of hours.entries()) {
      const hour = from + index;
      for (const { meter } of present) this.newest.set(meter, hour);
      if (present.length > 0 && present.length === this.countingAt(hour)) yield hourOf(hour, present);
    }
  }

  private countingAt(hour: number): number {
    let count = 0;
    for (const newest of this.newest.values()) if (newest >= hour - COUNTING_HOURS) count += 1;
    return count;
  }
}

/** The load of a site in 120 cells from `firstCell` on, NaN where unknown. */
export interface SiteHour {
  readonly firstCell: number;
  readonly cells: Float64Array;
}

const hourOf = (hour: number, rows: readonly HourRow[]): SiteHour => {
  const firstCell = firstCellOfHour(hour);
  const [only] = rows;
  if (only !== undefined && rows.length === 1) return { firstCell, cells: only.cells };
  const meters = rows.map(({ cells }) => ({ intervalSeconds: CELL_SECONDS, firstCell, values: cells }));
  const range = { first: firstCell, last: firstCell + CELLS_PER_HOUR - 1 };
  return { firstCell, cells: siteLoad(meters, range, CELL_SECONDS).values };
};
