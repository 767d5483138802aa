import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";

type Terms = operator.Terms;
type Counted = NonNullable<Terms["energy"]>["counted"];

/** Terms in the form; empty: no such part or limit. Shares in the form are percentages. */
export interface TermsDraft {
  readonly from_month: string;
  readonly currency: string;
  readonly capacityPrice: string;
  readonly byPerformance: boolean;
  readonly lowest: string;
  readonly highest: string;
  readonly energyPrice: string;
  readonly energyCounted: Counted;
  readonly highestShare: string;
  readonly penaltyPrice: string;
  readonly below: string;
  readonly penaltyCounted: Counted;
  readonly highestPerMonth: string;
  readonly withinEarnings: boolean;
}

export const countedChoices: ReadonlyArray<{ readonly value: Counted; readonly label: string }> = [
  { value: "net", label: say("All intervals") },
  { value: "floored", label: say("Without intervals below zero") },
  { value: "capped", label: say("Each interval up to the commitment") },
];

/** A share such as "0.8" as a percentage, moved by text: money is not computed with floating point. */
const percentOf = (share: string): string => shifted(share, 2);

/** Moves the decimal point to the right, or to the left for negative places. */
const shifted = (text: string, places: number): string => {
  const match = /^(\d+)(?:\.(\d*))?$/.exec(text.trim());
  // Not a number: the service says what to do.
  if (match === null) return text;
  const [, whole = "", fraction = ""] = match;
  const digits = `${"0".repeat(Math.max(0, -places))}${whole}${fraction}${"0".repeat(Math.max(0, places))}`;
  const at = Math.max(0, -places) + whole.length + places;
  const moved = `${digits.slice(0, at)}.${digits.slice(at)}`;
  return moved.replace(/^0+(?=\d)/, "").replace(/\.?0*$/, "");
};

export const newTermsDraft = (month: string): TermsDraft => ({
  from_month: month,
  currency: "",
  capacityPrice: "",
  byPerformance: true,
  lowest: "0",
  highest: "100",
  energyPrice: "",
  energyCounted: "net",
  highestShare: "",
  penaltyPrice: "",
  below: "",
  penaltyCounted: "capped",
  highestPerMonth: "",
  withinEarnings: true,
});

export const termsDraft = ({ from_month, terms }: operator.ProgramTerms): TermsDraft => {
  const { currency, capacity, energy, penalty } = terms;
  const blank = newTermsDraft(from_month);
  return {
    ...blank,
    currency,
    capacityPrice: capacity?.price_per_kw ?? "",
    byPerformance: capacity === null || capacity.factor !== null,
    lowest: percentOf(capacity?.factor?.lowest ?? "0"),
    highest: percentOf(capacity?.factor?.highest ?? "1"),
    energyPrice: energy?.price_per_kwh ?? "",
    energyCounted: energy?.counted ?? blank.energyCounted,
    highestShare: energy?.highest_share ? percentOf(energy.highest_share) : "",
    penaltyPrice: penalty?.price_per_kwh ?? "",
    below: penalty === null ? "" : percentOf(penalty.below),
    penaltyCounted: penalty?.counted ?? blank.penaltyCounted,
    highestPerMonth: penalty?.highest_per_month ?? "",
    withinEarnings: penalty?.within_earnings ?? blank.withinEarnings,
  };
};

const share = (percent: string): string => shifted(percent, -2);
const orNull = (text: string): string | null => (text.trim() === "" ? null : text.trim());

export const termsOf = (draft: TermsDraft): Terms => ({
  currency: draft.currency.trim().toUpperCase(),
  capacity:
    orNull(draft.capacityPrice) === null
      ? null
      : {
          price_per_kw: draft.capacityPrice.trim(),
          factor: draft.byPerformance ? { lowest: share(draft.lowest), highest: share(draft.highest) } : null,
        },
  energy:
    orNull(draft.energyPrice) === null
      ? null
      : {
          price_per_kwh: draft.energyPrice.trim(),
          counted: draft.energyCounted,
          highest_share: orNull(draft.highestShare) === null ? null : share(draft.highestShare),
        },
  penalty:
    orNull(draft.penaltyPrice) === null
      ? null
      : {
          below: share(draft.below),
          price_per_kwh: draft.penaltyPrice.trim(),
          counted: draft.penaltyCounted,
          highest_per_month: orNull(draft.highestPerMonth),
          within_earnings: draft.withinEarnings,
        },
});

/** What the terms say, one sentence for each part. */
export const termsWords = ({ currency, capacity, energy, penalty }: Terms): readonly string[] => [
  ...(capacity === null ? [] : [capacityWords(capacity, currency)]),
  ...(energy === null ? [] : [energyWords(energy, currency)]),
  ...(penalty === null ? [] : [penaltyWords(penalty, currency)]),
];

const capacityWords = ({ price_per_kw, factor }: NonNullable<Terms["capacity"]>, currency: string): string => {
  const price = `${price_per_kw} ${currency}`;
  return factor === null
    ? say("Capacity: {price} per kW and month, in full.", { price })
    : say("Capacity: {price} per kW and month, times performance between {lowest} % and {highest} %.", {
        price,
        lowest: percentOf(factor.lowest),
        highest: percentOf(factor.highest),
      });
};

const energyWords = (
  { price_per_kwh, counted, highest_share }: NonNullable<Terms["energy"]>,
  currency: string,
): string => {
  const values = { price: `${price_per_kwh} ${currency}`, counted: countedWords[counted] };
  return highest_share === null
    ? say("Energy: {price} per kWh delivered ({counted}).", values)
    : say("Energy: {price} per kWh delivered ({counted}), up to {share} % of the commitment.", {
        ...values,
        share: percentOf(highest_share),
      });
};

/** In the middle of a sentence. */
export const countedWords: Readonly<Record<Counted, string>> = {
  net: say("all intervals"),
  floored: say("without intervals below zero"),
  capped: say("each interval up to the commitment"),
};

const penaltyWords = (penalty: NonNullable<Terms["penalty"]>, currency: string): string => {
  const { price_per_kwh, below, counted, highest_per_month, within_earnings } = penalty;
  const words = say("Penalty: {price} per kWh missing to {share} % of the commitment ({counted})", {
    price: `${price_per_kwh} ${currency}`,
    share: percentOf(below),
    counted: countedWords[counted],
  });
  const limits = [
    ...(highest_per_month === null
      ? []
      : [say("at most {amount} a month", { amount: `${highest_per_month} ${currency}` })]),
    ...(within_earnings ? [say("at most what the site earned")] : []),
  ];
  return `${[words, ...limits].join(", ")}.`;
};
