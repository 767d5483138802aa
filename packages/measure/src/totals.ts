import { performanceOf, reaches } from "./reduction.js";

/** Sums over the cells of a dispatch that have a reduction; adding or correcting a cell takes O(1). */
export interface Totals {
  readonly present: number;
  /** Sums of kW: the reduction, its positive part, and the reduction capped at the commitment. */
  readonly sumKw: number;
  readonly flooredKw: number;
  readonly cappedKw: number;
  readonly atCommitment: number;
}

export const NO_TOTALS: Totals = { present: 0, sumKw: 0, flooredKw: 0, cappedKw: 0, atCommitment: 0 };

export const withCell = (totals: Totals, reductionKw: number, commitmentKw: number | null): Totals => {
  if (Number.isNaN(reductionKw)) return totals;
  const targetKw = commitmentKw ?? Number.POSITIVE_INFINITY;
  return {
    present: totals.present + 1,
    sumKw: totals.sumKw + reductionKw,
    flooredKw: totals.flooredKw + Math.max(0, reductionKw),
    cappedKw: totals.cappedKw + Math.min(reductionKw, targetKw),
    atCommitment: totals.atCommitment + (reaches(reductionKw, targetKw) ? 1 : 0),
  };
};

/** What was delivered from the start until now, in the received cells. Energies are kWh, shares ratios. */
export interface ToDate {
  readonly cellsExpected: number;
  readonly cellsPresent: number;
  /** Received divided by expected; null before the first cell is expected. */
  readonly coverage: number | null;
  readonly meanReductionKw: number | null;
  /** Mean reduction divided by commitment. */
  readonly performance: number | null;
  readonly deliveredKwh: number;
  /** The same with cells below 0 counted as 0. */
  readonly deliveredFlooredKwh: number;
  /** The same with each cell capped at the commitment; null without one. */
  readonly deliveredCappedKwh: number | null;
  /** Commitment times the expected time, received or not; null without one. */
  readonly committedKwh: number | null;
  /** Share of the received cells at or above the commitment; null without one. */
  readonly shareAtCommitment: number | null;
}

export interface ToDateTerms {
  readonly cellsExpected: number;
  readonly commitmentKw: number | null;
  readonly intervalSeconds: number;
}

export const toDateOf = (totals: Totals, { cellsExpected, commitmentKw, intervalSeconds }: ToDateTerms): ToDate => {
  const { present } = totals;
  const hours = intervalSeconds / 3600;
  const meanReductionKw = present === 0 ? null : totals.sumKw / present;
  const committed = commitmentKw !== null;
  return {
    cellsExpected,
    cellsPresent: present,
    coverage: cellsExpected === 0 ? null : present / cellsExpected,
    meanReductionKw,
    performance: performanceOf(meanReductionKw, commitmentKw),
    deliveredKwh: totals.sumKw * hours,
    deliveredFlooredKwh: totals.flooredKw * hours,
    deliveredCappedKwh: committed ? totals.cappedKw * hours : null,
    committedKwh: committed ? commitmentKw * cellsExpected * hours : null,
    shareAtCommitment: committed && present > 0 ? totals.atCommitment / present : null,
  };
};
