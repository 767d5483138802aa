import { capacityLines } from "./capacity-line.js";
import { digitsOf } from "./currency.js";
import { textOf } from "./decimal.js";
import { capLines, energyLines, penaltyLines } from "./dispatch-lines.js";
import { type Draft, minorOf } from "./line-draft.js";
import { SETTLEMENT_RULES } from "./settlement-rules.js";
import {
  type Amounts,
  type LineKind,
  rulesOf,
  type SettledProgram,
  type SettledSite,
  type SiteToSettle,
  type StatementLine,
} from "./statement.js";

/** The lines of a site in a program and month. */
export const settleSite = (
  program: Pick<SettledProgram, "id" | "terms" | "rulesVersion">,
  site: SiteToSettle,
): SettledSite => {
  const { id, terms } = program;
  const rules = SETTLEMENT_RULES[rulesOf(program)];
  const digits = digitsOf(terms.currency);
  const earned = [
    ...capacityLines(terms, site, rules),
    ...site.results.flatMap((result) => energyLines(terms, result, rules)),
  ];
  const owed = site.results.flatMap((result) => penaltyLines(terms, result));
  const drafts = [...earned, ...owed, ...capLines(terms, earned, owed)];
  const lines = drafts.map(({ minor, ...line }): StatementLine => ({ ...line, amount: textOf(minor, digits) }));
  return { ...site, programId: id, currency: terms.currency, amounts: amountsOf(drafts, digits), lines };
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
