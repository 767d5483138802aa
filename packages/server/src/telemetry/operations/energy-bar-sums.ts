import { cellEndMs } from "@curtail/measure";
import type { EnergyBars, SiteBars } from "./energy-bars.js";

/** Energy, and the received share of what was expected; null: nothing was received, or expected. */
export interface EnergySum {
  readonly energyKwh: number | null;
  readonly coverage: number | null;
}

export interface EnergyBar extends EnergySum {
  readonly startMs: number;
  readonly endMs: number;
  /** Number of sites with a reading in it. */
  readonly sites: number;
}

type Barred = Pick<EnergyBars, "grid" | "nowCell" | "sites">;

/** The sums over the sites by interval, in order of time. */
export const barsOfAll = (bars: Barred): EnergyBar[] => {
  const { edges } = bars.grid;
  return Array.from({ length: edges.length - 1 }, (_, index) => ({
    startMs: cellEndMs(edges[index] ?? Number.NaN),
    endMs: cellEndMs(edges[index + 1] ?? Number.NaN),
    sites: bars.sites.filter(({ sums }) => (sums.present[index] ?? 0) > 0).length,
    ...sumOf(
      bars.sites.map(({ sums }) => ({ kwh: sums.energyKwh(index), cells: sums.present[index] ?? 0 })),
      expectedCells(bars, index, index + 1) * bars.sites.length,
    ),
  }));
};

/** The sums of the whole period, of some of the sites. */
export const totalOf = (bars: Barred, sites: readonly SiteBars[]) => {
  const totals = sites.map(({ sums }) => sums.totals());
  const expected = expectedCells(bars, 0, bars.grid.edges.length - 1) * sites.length;
  const sum = sumOf(
    totals.map(({ energyKwh, presentCells }) => ({ kwh: energyKwh, cells: presentCells })),
    expected,
  );
  const known = (kwh: number) => (sum.energyKwh === null ? null : kwh);
  return {
    ...sum,
    importedKwh: known(totals.reduce((all, { importedKwh }) => all + importedKwh, 0)),
    exportedKwh: known(totals.reduce((all, { exportedKwh }) => all + exportedKwh, 0)),
  };
};

interface Part {
  readonly kwh: number;
  readonly cells: number;
}

const sumOf = (parts: readonly Part[], expected: number): EnergySum => {
  const received = parts.reduce((all, { cells }) => all + cells, 0);
  return {
    energyKwh: received === 0 ? null : parts.reduce((all, { kwh }) => all + kwh, 0),
    // A meter with a fast clock has cells in the future.
    coverage: expected === 0 ? null : Math.min(1, received / expected),
  };
};

/** 30-second cells of some intervals that are over. */
const expectedCells = ({ grid: { edges }, nowCell }: Barred, from: number, to: number): number =>
  Math.max(0, Math.min(edges[to] ?? 0, nowCell) - (edges[from] ?? 0));
