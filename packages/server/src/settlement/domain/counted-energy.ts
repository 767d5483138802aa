import type { SharedIntervals, SharedLine } from "../../performance/domain/shared-energy.js";
import { QUANTITY_PLACES } from "./capacity-days.js";
import { divided, rescale, unitsOf } from "./decimal.js";
import { energyUnits } from "./line-draft.js";
import type { SettledResult } from "./statement.js";
import { type CountedEnergy, PLACES } from "./terms.js";

/** The energy that counts, or why there is none. */
export const countedOf = (result: SettledResult, of: CountedEnergy): bigint | string => {
  const { version, reason, isSilent, isMissing = false } = result;
  if (version === null) return "waiting for the result";
  // A reading that is missing delivers nothing; so do all of them.
  if (isSilent || isMissing || isPaidElsewhere(result)) return 0n;
  const { netKwh, flooredKwh, cappedKwh } = result.counted ?? result;
  const kwh = { net: netKwh, floored: flooredKwh, capped: cappedKwh }[of];
  if (kwh !== null) return energyUnits(kwh);
  if (reason !== null) return `no baseline: ${reason}`;
  return of === "capped" && committedUnits(result) === null ? "no commitment is agreed" : "no readings";
};

/** Committed energy, in the share of the intervals that count; null without a commitment. */
export const committedUnits = ({ committedKwh, counted }: SettledResult): bigint | null => {
  if (committedKwh === null) return null;
  const committed = energyUnits(committedKwh);
  return counted === undefined ? committed : divided(committed * BigInt(counted.intervals), BigInt(counted.expected));
};

/** A share of the committed energy; null without a commitment. */
export const shareOf = (result: SettledResult, share: string): bigint | null => {
  const committed = committedUnits(result);
  return committed === null
    ? null
    : rescale(committed * unitsOf(share, PLACES), QUANTITY_PLACES + PLACES, QUANTITY_PLACES);
};

/** Whether other dispatches are paid for all intervals: nothing of it is paid, and nothing is missing. */
export const isPaidElsewhere = ({ counted }: SettledResult): boolean => counted?.intervals === 0;

const COUNTED = {
  net: "delivered",
  floored: "delivered, without intervals below zero",
  capped: "delivered, at most the commitment in each interval",
} as const satisfies Record<CountedEnergy, string>;

export const deliveredWords = (result: SettledResult, of: CountedEnergy): string => {
  if (isPaidElsewhere(result)) return "not paid here";
  if (result.isSilent) return "no readings: nothing counts as delivered";
  if (result.isMissing) {
    return result.decided === undefined
      ? "readings are missing, so it cannot be judged: nothing counts as delivered"
      : `the operator decided that nothing counts as delivered: ${result.decided}`;
  }
  return result.isCancelled ? `${COUNTED[of]}, until the dispatch was cancelled` : COUNTED[of];
};

/** Which intervals other dispatches claim, and where they are paid; empty: none. */
export const sharedWords = ({ shared = [], counted }: SettledResult): string => {
  const of = counted === undefined ? "" : ` of ${counted.expected}`;
  return [
    ...[...intervalsBy(shared, false)].map(
      ([name, count]) =>
        `; ${Number.isFinite(count) ? `${count}${of} ` : ""}intervals are paid in ${name}, which comes first`,
    ),
    ...[...intervalsBy(shared, true)].map(
      ([name, count]) =>
        `; ${Number.isFinite(count) ? `${count} ` : ""}intervals that ${name} claims, too, are paid here`,
    ),
  ].join("");
};

/** Intervals by the name of the other program. */
const intervalsBy = (shared: readonly SharedIntervals[], isPaidHere: boolean): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const each of shared) {
    if (each.isPaidHere !== isPaidHere) continue;
    counts.set(each.programName, (counts.get(each.programName) ?? 0) + (each.intervals ?? Number.POSITIVE_INFINITY));
  }
  return counts;
};

/** The dispatches that claim the same energy, for its lines; nothing without any. */
export const sharedLines = ({ shared = [] }: SettledResult): { readonly sharedWith?: readonly SharedLine[] } =>
  shared.length === 0
    ? {}
    : { sharedWith: shared.map(({ dispatchId, intervals, isPaidHere }) => ({ dispatchId, intervals, isPaidHere })) };
