import {
  committedUnits,
  countedOf,
  deliveredWords,
  isPaidElsewhere,
  sharedLines,
  sharedWords,
  shareOf,
} from "./counted-energy.js";
import { digitsOf } from "./currency.js";
import { greater, lesser, unitsOf } from "./decimal.js";
import { type Draft, lineOf, lineOfMonth, minorOf, priced, quantityText, shareWords } from "./line-draft.js";
import type { SettlementRules } from "./settlement-rules.js";
import type { SettledResult } from "./statement.js";
import type { Terms } from "./terms.js";

type Energy = NonNullable<Terms["energy"]>;
type Penalty = NonNullable<Terms["penalty"]>;

/** Whether terms pay for the energy of a dispatch, as far as it is known: then it claims its intervals. */
export const isPaid = ({ energy }: Terms, result: SettledResult, rules: SettlementRules): boolean =>
  energy !== null && (result.version === null || typeof deliveredOf(result, energy, rules) !== "string");

const deliveredOf = (
  result: SettledResult,
  { counted, highestShare }: Energy,
  rules: SettlementRules,
): bigint | string => {
  const delivered = countedOf(result, counted);
  const isUnlimited = highestShare !== null && committedUnits(result) === null;
  return rules.needsCommitment && isUnlimited && typeof delivered !== "string" ? "no commitment is agreed" : delivered;
};

/** The line for what a site delivered in a dispatch. */
export const energyLines = (terms: Terms, result: SettledResult, rules: SettlementRules): Draft[] => {
  const { energy } = terms;
  if (energy === null) return [];
  const line = {
    ...lineOf(result),
    ...sharedLines(result),
    kind: "energy",
    unit: "kWh",
    price: energy.pricePerKwh,
  } as const;
  const delivered = deliveredOf(result, energy, rules);
  if (typeof delivered === "string") return [{ ...line, words: `${delivered}${sharedWords(result)}` }];
  const most = energy.highestShare === null ? null : shareOf(result, energy.highestShare);
  const quantity = most === null ? delivered : lesser(delivered, most);
  const minor = priced(terms, quantity, energy.pricePerKwh);
  const limit =
    quantity === delivered
      ? ""
      : `; ${quantityText(delivered)} kWh delivered, of which at most ${shareWords(energy.highestShare ?? "1")} counts`;
  const words = `${deliveredWords(result, energy.counted)}${limit}${sharedWords(result)}`;
  return [{ ...line, quantity: quantityText(quantity), minor, words }];
};

/** The line for what is missing to a share of the commitment of a dispatch. */
export const penaltyLines = (terms: Terms, result: SettledResult): Draft[] => {
  const { penalty } = terms;
  if (penalty === null) return [];
  const line = {
    ...lineOf(result),
    ...sharedLines(result),
    kind: "penalty",
    unit: "kWh",
    price: penalty.pricePerKwh,
  } as const;
  const shortfall = shortfallOf(result, penalty);
  if (typeof shortfall === "string") return [{ ...line, words: `${shortfall}${sharedWords(result)}` }];
  const minor = -priced(terms, shortfall, penalty.pricePerKwh);
  const words = `${shortfall === 0n ? "not below" : "missing to"} ${shareWords(penalty.below)}${sharedWords(result)}`;
  return [{ ...line, quantity: quantityText(shortfall), minor, words }];
};

/** Energy missing to a share of the commitment, or why none is judged. */
const shortfallOf = (result: SettledResult, { below, counted }: Penalty): bigint | string => {
  if (result.isCancelled) return "not judged: the dispatch was cancelled";
  if (isPaidElsewhere(result)) return "not judged here";
  if (result.isUnjudged) return `not judged: the operator decided so: ${result.decided ?? ""}`;
  const delivered = countedOf(result, counted);
  if (typeof delivered === "string") return delivered;
  const due = shareOf(result, below);
  return due === null ? "no commitment is agreed" : greater(0n, due - delivered);
};

/** What limits of penalties give back. */
export const capLines = (terms: Terms, earned: readonly Draft[], owed: readonly Draft[]): Draft[] => {
  const { penalty } = terms;
  if (penalty === null) return [];
  const penalties = -minorOf(owed);
  const most =
    penalty.highestPerMonth === null ? penalties : unitsOf(penalty.highestPerMonth, digitsOf(terms.currency));
  const monthly = lesser(penalties, most);
  const earnings = penalty.withinEarnings ? greater(0n, minorOf(earned)) : monthly;
  return [
    ...capLine(penalties - monthly, "penalties above the most of a month"),
    ...capLine(monthly - lesser(monthly, earnings), "penalties above what the site earned in the month"),
  ];
};

const capLine = (minor: bigint, words: string): Draft[] =>
  minor === 0n ? [] : [{ ...lineOfMonth, kind: "cap", minor, words }];
