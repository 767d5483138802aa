import { CELL_SECONDS } from "./grid.js";
import type { Period } from "./load-series.js";
import { localTime } from "./local-time.js";

/** Interval lengths of energy curves, finest first. */
export const ENERGY_INTERVALS_SECONDS = [30, 60, 300, 900, 1800, 3600, 10_800, 21_600, 86_400] as const;

const DAY_SECONDS = 86_400;

/** Intervals for summing energy: interval `i` covers the 30-second cells `edges[i] + 1` to `edges[i + 1]`. */
export interface EnergyGrid {
  readonly intervalSeconds: number;
  readonly edges: Float64Array;
  /** The same without what is before and after the period that was asked for: only these cells are summed (G66). */
  readonly counted: Float64Array;
}

/**
 * The intervals that overlap a period. They lie on the UTC grid of their length; those of a day are the local days of
 * the time zone, of 23, 24 or 25 hours. What they have outside the period is not counted.
 *
 *     period        [---------------------)
 *     edges     |---------|---------|---------|
 *     counted       |-----|---------|-----|
 */
export const energyGrid = (period: Period, intervalSeconds: number, timezone: string): EnergyGrid => {
  const { first, last, startOf } = numbering(period, intervalSeconds, timezone);
  const edges = Float64Array.from({ length: last - first + 2 }, (_, index) => startOf(first + index) / CELL_SECONDS);
  const from = Math.floor(period.startMs / 1000 / CELL_SECONDS);
  const to = Math.ceil(period.endMs / 1000 / CELL_SECONDS);
  return { intervalSeconds, edges, counted: edges.map((edge) => Math.min(to, Math.max(from, edge))) };
};

/** The number of intervals that `energyGrid` would return. */
export const countEnergyCells = (period: Period, intervalSeconds: number, timezone: string): number => {
  const { first, last } = numbering(period, intervalSeconds, timezone);
  return last - first + 1;
};

/** The finest length that divides a period into at most `mostCells` intervals; null if even days are more. */
export const finestInterval = (period: Period, timezone: string, mostCells: number): number | null =>
  ENERGY_INTERVALS_SECONDS.find((seconds) => countEnergyCells(period, seconds, timezone) <= mostCells) ?? null;

/** Part of a grid, end exclusive; copies nothing. */
export const partOfGrid = ({ intervalSeconds, edges, counted }: EnergyGrid, from: number, to: number): EnergyGrid => ({
  intervalSeconds,
  edges: edges.subarray(from, to + 1),
  counted: counted.subarray(from, to + 1),
});

export const cellsOfGrid = ({ edges }: EnergyGrid): number => edges.length - 1;

/** Numbered intervals: `first` and `last` overlap the period; `startOf` returns Unix seconds. */
interface Numbering {
  readonly first: number;
  readonly last: number;
  readonly startOf: (cell: number) => number;
}

const numbering = ({ startMs, endMs }: Period, intervalSeconds: number, timezone: string): Numbering => {
  if (intervalSeconds !== DAY_SECONDS) {
    const numberAt = (seconds: number) => Math.floor(seconds / intervalSeconds);
    return {
      first: numberAt(startMs / 1000),
      last: numberAt(lastSecondBefore(endMs)),
      startOf: (cell) => cell * intervalSeconds,
    };
  }
  const time = localTime(timezone);
  return {
    first: time.dayOf(startMs / 1000),
    last: time.dayOf(lastSecondBefore(endMs)),
    startOf: (day) => time.startOf(day),
  };
};

/** An interval that begins at the period's end does not overlap it. */
const lastSecondBefore = (endMs: number): number => Math.ceil(endMs / 1000) - 1;
