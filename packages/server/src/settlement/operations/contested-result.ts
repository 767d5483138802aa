import { CELL_SECONDS, countOf, deliveredWithin, type MeasuredLoad } from "@curtail/measure";
import type { SharedIntervals } from "../../performance/domain/shared-energy.js";
import type { Contest, Shared } from "../domain/contest.js";
import type { CountedIntervals, SettledResult } from "../domain/statement.js";

/** Whether another dispatch is paid for some of the intervals. */
export const isLosing = ({ shared }: Contest): boolean => shared.some(({ isPaidHere }) => !isPaidHere);

/** What a result is counted from where other dispatches are paid for some of its intervals. */
export interface ToCount {
  /** Number of intervals of the dispatch; infinite while it is open. */
  readonly expected: number;
  /** null: there is no result yet. */
  readonly measured: MeasuredLoad | null;
}

/** The result of a dispatch, reduced to the intervals that are paid in it. */
export const contestedResult = (result: SettledResult, contest: Contest, toCount: ToCount): SettledResult => {
  const shared = contest.shared.map(sharedIntervals);
  if (!isLosing(contest) || !Number.isFinite(toCount.expected)) return { ...result, shared };
  return { ...result, shared, counted: countedIn(result, contest, toCount) };
};

const countedIn = (result: SettledResult, { kept }: Contest, { expected, measured }: ToCount): CountedIntervals => {
  const delivered = measured === null ? null : deliveredWithin(measured, kept);
  return {
    intervals: kept.reduce((sum, cells) => sum + countOf(cells), 0),
    expected,
    netKwh: left(delivered?.deliveredKwh, result.netKwh),
    flooredKwh: left(delivered?.deliveredFlooredKwh, result.flooredKwh),
    cappedKwh: left(delivered?.deliveredCappedKwh, result.cappedKwh),
  };
};

/** Without a reading in the intervals that are left, nothing of what is known was delivered in them. */
const left = (kwh: number | null | undefined, whole: number | null): number | null =>
  whole === null ? null : (kwh ?? 0);

export const sharedIntervals = ({ cells, ...shared }: Shared): SharedIntervals => {
  const [fromMs, endMs] = [(cells.first - 1) * CELL_SECONDS * 1000, cells.last * CELL_SECONDS * 1000];
  const isOpen = !Number.isFinite(endMs);
  return { ...shared, fromMs, toMs: isOpen ? null : endMs, intervals: isOpen ? null : countOf(cells) };
};
