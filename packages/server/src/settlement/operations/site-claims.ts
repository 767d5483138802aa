import { CELL_SECONDS, cellsOf, countOf, measuredEndMs } from "@curtail/measure";
import type { StandingDispatch } from "../../performance/operations/final/standing-results.js";
import type { RulesVersion } from "../../portfolio/domain/rules.js";
import { type Contest, contestsOf, type EnergyClaim } from "../domain/contest.js";
import { isPaid } from "../domain/dispatch-lines.js";
import { SETTLEMENT_RULES } from "../domain/settlement-rules.js";
import type { SettledResult } from "../domain/statement.js";
import type { Terms } from "../domain/terms.js";

/** Terms of a program in a month, and the rules of that month. */
export interface MonthTerms {
  readonly terms: Terms;
  readonly rulesVersion: RulesVersion;
}

/** 30-second intervals of a dispatch; the last is infinite while it is open. */
export const cellsOfDispatch = (dispatch: StandingDispatch) => {
  const { startMs } = dispatch;
  return cellsOf({ startMs, endMs: measuredEndMs(dispatch) ?? Number.POSITIVE_INFINITY }, CELL_SECONDS);
};

/** What a dispatch of a site claims; null: nothing, since it cannot be paid for energy. */
export const claimOf = (
  dispatch: StandingDispatch,
  result: SettledResult,
  { terms, rulesVersion }: MonthTerms,
): EnergyClaim | null => {
  const rules = SETTLEMENT_RULES[rulesVersion];
  const cells = cellsOfDispatch(dispatch);
  if (countOf(cells) === 0 || !isPaid(terms, result, rules)) return null;
  const { id: dispatchId, programName, issuedMs } = dispatch;
  return { dispatchId, programName, cells, issuedMs, isEarlierRules: !rules.isExclusive };
};

/** The dispatches that can be paid for energy, by site. */
export class SiteClaims {
  private readonly bySite = new Map<string, EnergyClaim[]>();
  private readonly known = new Map<string, ReadonlyMap<string, Contest>>();

  add(siteId: string, dispatch: StandingDispatch, result: SettledResult, terms: MonthTerms): void {
    const claim = claimOf(dispatch, result, terms);
    if (claim === null) return;
    const claims = this.bySite.get(siteId);
    if (claims === undefined) this.bySite.set(siteId, [claim]);
    else claims.push(claim);
  }

  /** What each dispatch of a site is paid for where others claim the same; sites of the same dispatches share it. */
  contestsOf(siteId: string): ReadonlyMap<string, Contest> {
    const claims = this.bySite.get(siteId) ?? [];
    const key = claims.map(({ dispatchId }) => dispatchId).join(" ");
    const found = this.known.get(key) ?? contestsOf(claims);
    this.known.set(key, found);
    return found;
  }
}
