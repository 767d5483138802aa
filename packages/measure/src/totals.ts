import { performanceOf, reaches } from "./reduction.js";

/** Sums over the cells of a dispatch that have a reduction; adding or correcting a cell takes O(1). */
export interface Totals {
  readonly present: number;
  /** Cells with load, and those of them at or below the firm service level. */
  readonly loaded: number;
  readonly complying: number;
  /** Sums of kW: the reduction, its positive part, and the reduction capped at the commitment. */
  readonly sumKw: number;
  readonly flooredKw: number;
  readonly cappedKw: number;
  readonly atCommitment: number;
}

export const NO_TOTALS: Totals = {
  present: 0,
  loaded: 0,
  complying: 0,
  sumKw: 0,
  flooredKw: 0,
  cappedKw: 0,
  atCommitment: 0,
};

/** kW in a cell; NaN where unknown. */
export interface CellKw {
  readonly loadKw: number;
  readonly baselineKw: number;
}

/** What a site is measured against; null: no commitment, no firm service level. */
export interface Targets {
  readonly commitmentKw: number | null;
  readonly levelKw?: number | null;
}

export const withCell = (before: Totals, { loadKw, baselineKw }: CellKw, targets: Targets): Totals => {
  const totals = withLoad(before, loadKw, targets.levelKw ?? null);
  const reductionKw = baselineKw - loadKw;
  if (Number.isNaN(reductionKw)) return totals;
  const targetKw = targets.commitmentKw ?? Number.POSITIVE_INFINITY;
  return {
    loaded: totals.loaded,
    complying: totals.complying,
    present: totals.present + 1,
    sumKw: totals.sumKw + reductionKw,
    flooredKw: totals.flooredKw + Math.max(0, reductionKw),
    cappedKw: totals.cappedKw + Math.min(reductionKw, targetKw),
    atCommitment: totals.atCommitment + (reaches(reductionKw, targetKw) ? 1 : 0),
  };
};

const withLoad = (totals: Totals, loadKw: number, levelKw: number | null): Totals => {
  if (levelKw === null || Number.isNaN(loadKw)) return totals;
  const complying = totals.complying + (loadKw <= levelKw ? 1 : 0);
  return { ...totals, loaded: totals.loaded + 1, complying };
};

/**
 * What was delivered from the start until now, in the received cells. Energies are kWh, shares ratios. Without a received
 * cell, what was delivered is unknown (M10).
 */
export interface ToDate {
  readonly cellsExpected: number;
  /** Cells with a reduction; under a firm service level, those with load (M12). */
  readonly cellsPresent: number;
  /** Received divided by expected; null before the first cell is expected. */
  readonly coverage: number | null;
  readonly meanReductionKw: number | null;
  /** Mean reduction divided by commitment. */
  readonly performance: number | null;
  readonly deliveredKwh: number | null;
  /** The same with cells below 0 counted as 0. */
  readonly deliveredFlooredKwh: number | null;
  /** The same with each cell capped at the commitment; null without one. */
  readonly deliveredCappedKwh: number | null;
  /** Commitment times the expected seconds, received or not; null without one. */
  readonly committedKwh: number | null;
  /** Share of the received cells at or above the commitment; null if that is 0 or null. */
  readonly shareAtCommitment: number | null;
  /** Share of the cells with load at or below the firm service level; null for other methods. */
  readonly shareComplying: number | null;
}

export interface ToDateTerms {
  readonly cellsExpected: number;
  /** From the start to the end of the last expected cell, or to the end if that lies within the cell. */
  readonly secondsExpected: number;
  readonly targets: Targets;
  readonly intervalSeconds: number;
}

export const toDateOf = (totals: Totals, terms: ToDateTerms): ToDate => {
  const { cellsExpected, targets } = terms;
  const { commitmentKw, levelKw = null } = targets;
  const { present } = totals;
  const received = levelKw === null ? present : totals.loaded;
  const meanReductionKw = present === 0 ? null : totals.sumKw / present;
  const committed = commitmentKw !== null;
  const kwhOf = (sumKw: number) => (present === 0 ? null : (sumKw * terms.intervalSeconds) / 3600);
  return {
    cellsExpected,
    cellsPresent: received,
    coverage: cellsExpected === 0 ? null : received / cellsExpected,
    meanReductionKw,
    performance: performanceOf(meanReductionKw, commitmentKw),
    deliveredKwh: kwhOf(totals.sumKw),
    deliveredFlooredKwh: kwhOf(totals.flooredKw),
    deliveredCappedKwh: committed ? kwhOf(totals.cappedKw) : null,
    committedKwh: committed ? (commitmentKw * terms.secondsExpected) / 3600 : null,
    shareAtCommitment: commitmentKw && present > 0 ? totals.atCommitment / present : null,
    shareComplying: levelKw === null || totals.loaded === 0 ? null : totals.complying / totals.loaded,
  };
};
