import { digitsOf } from "./currency.js";
import { textOf, unitsOf } from "./decimal.js";
import type { Amounts, SettledProgram, SettledSite, Total } from "./statement.js";

const KINDS = ["capacity", "energy", "penalty", "cap", "total"] as const;

/** Totals by currency, in the order of the programs; sums of amounts that are rounded already. */
export const totalsOf = (
  programs: readonly SettledProgram[],
  sites: ReadonlyArray<Pick<SettledSite, "programId" | "amounts">>,
): readonly Total[] => {
  const currencyOf = new Map(programs.map(({ id, terms }) => [id, terms.currency]));
  const currencies = [...new Set(currencyOf.values())];
  return currencies.map((currency) => ({
    currency,
    ...amountsOf(
      sites.filter(({ programId }) => currencyOf.get(programId) === currency).map(({ amounts }) => amounts),
      digitsOf(currency),
    ),
  }));
};

const amountsOf = (amounts: readonly Amounts[], digits: number): Amounts => {
  const sums = KINDS.map(
    (kind) => [kind, amounts.reduce((sum, each) => sum + unitsOf(each[kind], digits), 0n)] as const,
  );
  return Object.fromEntries(sums.map(([kind, sum]) => [kind, textOf(sum, digits)])) as unknown as Amounts;
};
