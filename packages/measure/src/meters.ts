import type { Explanation } from "./baseline-result.js";
import { explainedDays } from "./explained-days.js";
import { CELL_SECONDS, CELLS_PER_HOUR, firstCellOfHour, hourOf } from "./grid.js";
import type { HourRow } from "./hour-row.js";
import { type CellRange, cellsOf } from "./load-series.js";
import { dayOfDate, localTime } from "./local-time.js";

/** A meter of a site as far as it decides whether it is part of the site's load. */
export interface SiteMeter {
  readonly id: string;
  readonly assetType: string;
}

/**
 * The meters whose sum is the load of their site (M1): those that the site names or else, if it has any, its points of
 * interconnection (`poi`), which hold the rest already; otherwise all.
 */
export const measuredMeters = <Meter extends SiteMeter>(
  meters: readonly Meter[],
  named: readonly string[] | null,
): readonly Meter[] => {
  if (named !== null) return meters.filter(({ id }) => named.includes(id));
  const points = meters.filter(({ assetType }) => assetType === "poi");
  return points.length > 0 ? points : meters;
};

const WEEK_CELLS = 7 * 24 * CELLS_PER_HOUR;

/** The week that ends with a dispatch's start: a meter with a reading in it reports (M2). */
export const reportingCells = (startMs: number): CellRange => {
  const { last } = cellsOf({ startMs, endMs: startMs }, CELL_SECONDS);
  return { first: last - WEEK_CELLS + 1, last };
};

/** The hours that lie entirely in a range of cells, and those that it cuts. */
export const hoursWithin = ({ first, last }: CellRange): { readonly whole: CellRange; readonly cut: number[] } => {
  const [from, to] = [hourOf(first), hourOf(last)];
  const cutsFirst = firstCellOfHour(from) < first;
  const cutsLast = firstCellOfHour(to + 1) - 1 > last;
  const cut = [...(cutsFirst ? [from] : []), ...(cutsLast ? [to] : [])];
  return { whole: { first: from + Number(cutsFirst), last: to - Number(cutsLast) }, cut };
};

/** Whether an hour has a reading in a range of cells. */
export const hasReadingIn = ({ hour, cells }: HourRow, { first, last }: CellRange): boolean => {
  const offset = firstCellOfHour(hour);
  return cells.some((kw, place) => !Number.isNaN(kw) && offset + place >= first && offset + place <= last);
};

const DAY_CELLS = 24 * CELLS_PER_HOUR;

/**
 * The meters that a baseline is first computed from, by each meter's first cell with a reading: those as old as the
 * look-back or, where none is, the oldest and those that came within a day of it.
 */
export const oldestMeters = (firstCells: ReadonlyMap<number, number>, lookbackCell: number): ReadonlySet<number> => {
  const latest = Math.max(lookbackCell, Math.min(...firstCells.values()) + DAY_CELLS);
  return new Set([...firstCells].filter(([, cell]) => cell <= latest).map(([meter]) => meter));
};

/** The first cell of the load that a baseline was averaged from; null if it was averaged from none. */
export const firstCellUsed = (explanation: Explanation): number | null => {
  if (explanation.kind === "meter_before")
    return cellsOf({ startMs: explanation.windowStartMs, endMs: explanation.windowEndMs }, CELL_SECONDS).first;
  if (explanation.kind !== "days") return null;
  const dates = explainedDays(explanation).flatMap(({ pool }) => pool.map(({ date }) => date));
  if (dates.length === 0) return null;
  const startMs = localTime(explanation.timezone).startOf(Math.min(...dates.map(dayOfDate))) * 1000;
  return cellsOf({ startMs, endMs: startMs }, CELL_SECONDS).first;
};
