import { performanceOf, reaches } from "./reduction.js";

/** Sums over the cells of a dispatch that have a reduction; a new cell or a corrected one changes them in O(1). */
export interface Totals {
  readonly present: number;
  /** Sum of kW: of the reduction, of the reduction where above 0, of the reduction up to the commitment. */
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

/** What was delivered from the start until now, over the cells that are present. Energies are kWh, shares ratios. */
export interface ToDate {
  readonly cellsExpected: number;
  readonly cellsPresent: number;
  /** Present ÷ expected; null before the first cell is expected. */
  readonly coverage: number | null;
  readonly meanReductionKw: number | null;
  /** Mean reduction ÷ commitment. */
  readonly performance: number | null;
  readonly deliveredKwh: number;
  /** The same with cells below 0 counted as 0. */
  readonly deliveredFlooredKwh: number;
  /** The same with each cell counted up to the commitment; null without one. */
  readonly deliveredCappedKwh: number | null;
  /** Commitment × the time expected, present or not; null without one. */
  readonly committedKwh: number | null;
  /** Share of the present cells at or above the commitment; null without one. */
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
