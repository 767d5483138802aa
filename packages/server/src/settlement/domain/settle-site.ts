import { digitsOf } from "./currency.js";
import { divided, greater, lesser, rescale, sumOf, textOf, unitsOf, unitsOfNumber } from "./decimal.js";
import type { Amounts, LineKind, SettledResult, SettledSite, SiteToSettle, StatementLine } from "./statement.js";
import { type CountedEnergy, PLACES, type Terms } from "./terms.js";

/** Places of kW and kWh: they are rounded before they are multiplied. */
const QUANTITY_PLACES = 3;

/** A line before its amount is written, in units of the currency's minor unit. */
interface Draft extends Omit<StatementLine, "amount"> {
  readonly minor: bigint;
}

/** The lines of a site in a program and month. */
export const settleSite = (programId: string, terms: Terms, site: SiteToSettle): SettledSite => {
  const digits = digitsOf(terms.currency);
  const earned = [...capacityLines(terms, site), ...site.results.flatMap((result) => energyLines(terms, result))];
  const owed = site.results.flatMap((result) => penaltyLines(terms, result));
  const drafts = [...earned, ...owed, ...capLines(terms, earned, owed)];
  const lines = drafts.map(({ minor, ...line }): StatementLine => ({ ...line, amount: textOf(minor, digits) }));
  return { ...site, programId, currency: terms.currency, amounts: amountsOf(drafts, digits), lines };
};

const amountsOf = (drafts: readonly Draft[], digits: number): Amounts => {
  const sum = (kind: LineKind) => minorOf(drafts.filter((draft) => draft.kind === kind));
  const [capacity, energy, penalty, cap] = [sum("capacity"), sum("energy"), sum("penalty"), sum("cap")];
  const text = (minor: bigint) => textOf(minor, digits);
  return {
    capacity: text(capacity),
    energy: text(energy),
    penalty: text(penalty),
    cap: text(cap),
    total: text(capacity + energy + penalty + cap),
  };
};

const minorOf = (drafts: readonly Draft[]): bigint => sumOf(drafts.map(({ minor }) => minor));

const blank = { dispatchId: null, startMs: null, version: null, quantity: null, unit: null, price: null, factor: null };

const of = ({ dispatchId, startMs, version }: SettledResult) => ({ ...blank, dispatchId, startMs, version });

const priced = (terms: Terms, quantity: bigint, price: string, factor = "1"): bigint =>
  rescale(
    quantity * unitsOf(price, PLACES) * unitsOf(factor, PLACES),
    QUANTITY_PLACES + 2 * PLACES,
    digitsOf(terms.currency),
  );

const quantityText = (units: bigint): string => textOf(units, QUANTITY_PLACES);

const capacityLines = (terms: Terms, { isEnrolled, commitmentKw, results }: SiteToSettle): Draft[] => {
  const { capacity } = terms;
  if (capacity === null) return [];
  const line = { ...blank, kind: "capacity", unit: "kW", price: capacity.pricePerKw, minor: 0n } as const;
  if (!isEnrolled) return [{ ...line, words: "not enrolled at the end of the month" }];
  if (commitmentKw === null) return [{ ...line, words: "no commitment is agreed" }];
  const { factor, words } = capacity.factor === null ? FULL : factorOf(capacity.factor, results);
  const quantity = unitsOfNumber(commitmentKw, QUANTITY_PLACES);
  const minor = priced(terms, quantity, capacity.pricePerKw, factor);
  return [{ ...line, quantity: quantityText(quantity), factor, minor, words }];
};

const FULL = { factor: textOf(10n ** BigInt(PLACES), PLACES), words: "commitment at the end of the month" };

type Limits = NonNullable<NonNullable<Terms["capacity"]>["factor"]>;

/** Delivered energy, capped at the commitment, over committed energy of the month's dispatches. */
const factorOf = ({ lowest, highest }: Limits, results: readonly SettledResult[]) => {
  const judged = results.flatMap((result) => {
    const { committedKwh, isCancelled } = result;
    const capped = countedOf(result, "capped");
    if (isCancelled || committedKwh === null || typeof capped === "string") return [];
    return [{ capped, committed: energyUnits(committedKwh) }];
  });
  const committed = sumOf(judged.map((each) => each.committed));
  const leftOut = results.length - judged.length;
  const rest = leftOut === 0 ? "" : `; ${counted(leftOut)} not judged`;
  if (committed === 0n) return { factor: FULL.factor, words: `no dispatch to judge by${rest}` };
  const delivered = sumOf(judged.map((each) => each.capped));
  const share = divided(delivered * 10n ** BigInt(PLACES), committed);
  const limited = greater(unitsOf(lowest, PLACES), lesser(unitsOf(highest, PLACES), share));
  const limit = limited === share ? "" : `, limited to ${percent(limited)}`;
  const words = `performance ${percent(share)}${limit}, over ${counted(judged.length)}${rest}`;
  return { factor: textOf(limited, PLACES), words };
};

const counted = (dispatches: number): string => `${dispatches} ${dispatches === 1 ? "dispatch" : "dispatches"}`;

const energyUnits = (kwh: number): bigint => unitsOfNumber(kwh, QUANTITY_PLACES);

/** A share in percent, without trailing zeros. */
const percent = (share: bigint): string => `${textOf(share, PLACES - 2).replace(/\.?0+$/, "")} %`;

const energyLines = (terms: Terms, result: SettledResult): Draft[] => {
  const { energy } = terms;
  if (energy === null) return [];
  const line = { ...of(result), kind: "energy", unit: "kWh", price: energy.pricePerKwh, minor: 0n } as const;
  const delivered = countedOf(result, energy.counted);
  if (typeof delivered === "string") return [{ ...line, words: delivered }];
  const most = energy.highestShare === null ? null : shareOf(result, energy.highestShare);
  const quantity = most === null ? delivered : lesser(delivered, most);
  const minor = priced(terms, quantity, energy.pricePerKwh);
  const limit =
    quantity === delivered
      ? ""
      : `; ${quantityText(delivered)} kWh delivered, of which at most ${shareWords(energy.highestShare)} counts`;
  return [
    { ...line, quantity: quantityText(quantity), minor, words: `${deliveredWords(result, energy.counted)}${limit}` },
  ];
};

const shareWords = (share: string | null): string => `${percent(unitsOf(share ?? "1", PLACES))} of the commitment`;

const COUNTED = {
  net: "delivered",
  floored: "delivered, without intervals below zero",
  capped: "delivered, at most the commitment in each interval",
} as const satisfies Record<CountedEnergy, string>;

const deliveredWords = ({ isCancelled, isSilent }: SettledResult, of: CountedEnergy): string => {
  if (isSilent) return "no readings: nothing counts as delivered";
  return isCancelled ? `${COUNTED[of]}, until the dispatch was cancelled` : COUNTED[of];
};

/** The energy that counts, or why there is none. */
const countedOf = (result: SettledResult, of: CountedEnergy): bigint | string => {
  const { version, netKwh, flooredKwh, cappedKwh, committedKwh, reason, isSilent } = result;
  if (version === null) return "waiting for the result";
  // A reading that is missing delivers nothing; so do all of them.
  if (isSilent) return 0n;
  const kwh = { net: netKwh, floored: flooredKwh, capped: cappedKwh }[of];
  if (kwh !== null) return energyUnits(kwh);
  if (reason !== null) return `no baseline: ${reason}`;
  return of === "capped" && committedKwh === null ? "no commitment is agreed" : "no readings";
};

/** A share of the committed energy; null without a commitment. */
const shareOf = ({ committedKwh }: SettledResult, share: string): bigint | null =>
  committedKwh === null
    ? null
    : rescale(energyUnits(committedKwh) * unitsOf(share, PLACES), QUANTITY_PLACES + PLACES, QUANTITY_PLACES);

const penaltyLines = (terms: Terms, result: SettledResult): Draft[] => {
  const { penalty } = terms;
  if (penalty === null) return [];
  const line = { ...of(result), kind: "penalty", unit: "kWh", price: penalty.pricePerKwh, minor: 0n } as const;
  const shortfall = shortfallOf(result, penalty);
  if (typeof shortfall === "string") return [{ ...line, words: shortfall }];
  const minor = -priced(terms, shortfall, penalty.pricePerKwh);
  const words = `${shortfall === 0n ? "not below" : "missing to"} ${shareWords(penalty.below)}`;
  return [{ ...line, quantity: quantityText(shortfall), minor, words }];
};

/** Energy missing to a share of the commitment, or why none is judged. */
const shortfallOf = (result: SettledResult, { below, counted }: NonNullable<Terms["penalty"]>): bigint | string => {
  if (result.isCancelled) return "not judged: the dispatch was cancelled";
  const delivered = countedOf(result, counted);
  if (typeof delivered === "string") return delivered;
  const due = shareOf(result, below);
  return due === null ? "no commitment is agreed" : greater(0n, due - delivered);
};

const capLines = (terms: Terms, earned: readonly Draft[], owed: readonly Draft[]): Draft[] => {
  const { penalty } = terms;
  if (penalty === null) return [];
  const penalties = -minorOf(owed);
  const most = penalty.highestPerMonth === null ? penalties : minorText(terms, penalty.highestPerMonth);
  const monthly = lesser(penalties, most);
  const earnings = penalty.withinEarnings ? greater(0n, minorOf(earned)) : monthly;
  return [
    ...capLine(penalties - monthly, "penalties above the most of a month"),
    ...capLine(monthly - lesser(monthly, earnings), "penalties above what the site earned in the month"),
  ];
};

const minorText = ({ currency }: Terms, amount: string): bigint => unitsOf(amount, digitsOf(currency));

const capLine = (minor: bigint, words: string): Draft[] =>
  minor === 0n ? [] : [{ ...blank, kind: "cap", minor, words }];
