import type { operator } from "@curtail/contract";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { ProgramTerms, Terms } from "../domain/terms.js";

export const programTermsToWire = ({ programId, fromMonth, terms, setAt }: ProgramTerms): operator.ProgramTerms => ({
  program_id: programId,
  from_month: fromMonth,
  terms: termsToWire(terms),
  set_at: formatTimestamp(setAt),
});

export const termsToWire = ({ currency, capacity, energy, penalty }: Terms): operator.Terms => ({
  currency,
  capacity: capacity && {
    price_per_kw: capacity.pricePerKw,
    factor: capacity.factor && { lowest: capacity.factor.lowest, highest: capacity.factor.highest },
  },
  energy: energy && {
    price_per_kwh: energy.pricePerKwh,
    counted: energy.counted,
    highest_share: energy.highestShare,
  },
  penalty: penalty && {
    below: penalty.below,
    price_per_kwh: penalty.pricePerKwh,
    counted: penalty.counted,
    highest_per_month: penalty.highestPerMonth,
    within_earnings: penalty.withinEarnings,
  },
});

/** Copies only the contract's members: unknown ones are not stored (G5). */
export const termsFrom = ({
  currency,
  capacity = null,
  energy = null,
  penalty = null,
}: operator.GivenTerms): Terms => ({
  currency,
  capacity: capacity && { pricePerKw: capacity.price_per_kw, factor: factorFrom(capacity.factor ?? null) },
  energy: energy && {
    pricePerKwh: energy.price_per_kwh,
    counted: energy.counted,
    highestShare: energy.highest_share ?? null,
  },
  penalty: penalty && {
    below: penalty.below,
    pricePerKwh: penalty.price_per_kwh,
    counted: penalty.counted,
    highestPerMonth: penalty.highest_per_month ?? null,
    withinEarnings: penalty.within_earnings ?? false,
  },
});

type Factor = NonNullable<operator.Terms["capacity"]>["factor"];

const factorFrom = (factor: Factor) => factor && { lowest: factor.lowest, highest: factor.highest };
