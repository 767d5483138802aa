import type { Actor } from "../../access/domain/account.js";
import type { AccessStores } from "../../access/operations/access-stores.js";
import type { PerformanceStores } from "../../performance/operations/performance-stores.js";
import type { Ports } from "../../platform/ports.js";
import { invalid, isRefusal, type Refusal, type Result } from "../../platform/refusal.js";
import { NEWEST_RULES, type RulesAdoption, type RulesVersion } from "../../portfolio/domain/rules.js";
import { nextMonth, refuseMonth } from "../../portfolio/operations/local-month.js";
import type { PortfolioStores } from "../../portfolio/operations/portfolio-stores.js";
import { newestRulesFrom } from "../../portfolio/operations/rules.js";
import type { SettlementStores } from "./settlement-stores.js";

export type AdoptingStores = Pick<SettlementStores, "statements"> &
  Pick<PortfolioStores, "rules"> &
  Pick<PerformanceStores, "performance" | "late"> &
  Pick<AccessStores, "audit">;

/** Months in which the newest rules would hold, and do not yet everywhere. */
interface Months {
  readonly fromMonth: string;
  readonly untilMonth: string;
}

/**
 * Applies the newest rules from an earlier month on: its dispatches are measured again, its statements made again.
 * Approved results and statements keep their rules (G64).
 */
export const adoptRules = (
  { transact, clock }: Ports<AdoptingStores>,
  actor: Actor,
  { fromMonth, reason }: { readonly fromMonth: string; readonly reason: string },
) =>
  transact(async (stores): Promise<Result<RulesAdoption>> => {
    if (reason.trim() === "") return invalid("reason is blank; say why the rules are adopted earlier");
    // Corrections wait: each result is measured by the rules of before, or again by these.
    await stores.performance.awaitTurn();
    // None is approved meanwhile.
    await stores.statements.lockMonths(fromMonth);
    const months = await monthsToAdopt(stores, fromMonth);
    if (isRefusal(months)) return months;
    const adoptedAt = clock.now();
    const adoption = { rulesVersion: NEWEST_RULES, adoptedAt, fromMonth, actor, reason } as const;
    await stores.rules.add(adoption);
    const note = `version ${NEWEST_RULES} of the rules was adopted from ${fromMonth} on: ${reason}`;
    await stores.late.rulesAdopted({ ...months, actor, note }, adoptedAt);
    const after = { rulesVersion: NEWEST_RULES as RulesVersion, fromMonth, reason };
    await stores.audit.append({ actor, at: adoptedAt }, "rules.adopt", { id: "rules", accountId: null }, { after });
    return adoption;
  });

/** The months that would change; refuses those that cannot. */
export const monthsToAdopt = async (
  { rules, statements }: Pick<AdoptingStores, "rules" | "statements">,
  fromMonth: string,
): Promise<Months | Refusal> => {
  const refusal = refuseMonth(fromMonth, "from_month");
  if (refusal !== null) return refusal;
  const untilMonth = newestRulesFrom(await rules.adoptions());
  if (fromMonth >= untilMonth)
    return invalid(`the newest rules hold from ${untilMonth} on already; choose an earlier month`);
  const approved = await statements.newestApproved(fromMonth, untilMonth);
  if (approved === null) return { fromMonth, untilMonth };
  return invalid(
    `statements of ${approved} are approved and keep their rules; choose a month from ${nextMonth(approved)} on`,
  );
};
