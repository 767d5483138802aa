import { quote } from "../../platform/quote.js";
import { invalid, type Refusal } from "../../platform/refusal.js";
import { isCurrency } from "./currency.js";
import { unitsOf } from "./decimal.js";

/** Decimal text with at most six places. */
type Decimal = string;

/** Which energy counts: the sum as it is; without intervals below zero; the same, and at most the commitment. */
export type CountedEnergy = "net" | "floored" | "capped";

/** Terms of a program: what its sites are paid for, and what they pay. Stored as given. */
export interface Terms {
  /** Code of ISO 4217. */
  readonly currency: string;
  /** For the commitment at the end of the month, by kW and month. */
  readonly capacity: {
    readonly pricePerKw: Decimal;
    /** Multiplies the price by the month's performance, within these limits; null: the price is paid in full. */
    readonly factor: { readonly lowest: Decimal; readonly highest: Decimal } | null;
  } | null;
  /** For what was delivered in each dispatch. */
  readonly energy: {
    readonly pricePerKwh: Decimal;
    readonly counted: CountedEnergy;
    /** Pays no more than this share of the committed energy; null: all. */
    readonly highestShare: Decimal | null;
  } | null;
  /** For what was missing to a share of the commitment in each dispatch. */
  readonly penalty: {
    readonly below: Decimal;
    readonly pricePerKwh: Decimal;
    readonly counted: CountedEnergy;
    /** The most that a site pays in a month; null: no limit. */
    readonly highestPerMonth: Decimal | null;
    /** Whether a site pays at most what it earned in the month. */
    readonly withinEarnings: boolean;
  } | null;
}

/** Places of prices, shares and factors. */
export const PLACES = 6;

/** Terms from a month on. */
export interface ProgramTerms {
  readonly programId: string;
  /** First month, `YYYY-MM`. */
  readonly fromMonth: string;
  readonly terms: Terms;
  readonly setAt: Date;
}

/** Refuses terms that pay nothing, or whose limits cannot both hold. */
export const refuseTerms = ({ currency, capacity, energy, penalty }: Terms): Refusal | null => {
  if (!isCurrency(currency)) return invalid(`currency is "${quote(currency)}"; give an ISO 4217 code such as USD`);
  if (capacity === null && energy === null && penalty === null) {
    return invalid("the terms are empty; give at least one of capacity, energy and penalty");
  }
  const factor = capacity?.factor ?? null;
  if (factor !== null && unitsOf(factor.lowest, PLACES) > unitsOf(factor.highest, PLACES)) {
    return invalid("capacity.factor.lowest is above highest; exchange them");
  }
  return null;
};

declare module "../../access/domain/audit.js" {
  interface Audited {
    terms: { action: "terms.set" | "terms.delete"; state: ProgramTerms };
  }
}
