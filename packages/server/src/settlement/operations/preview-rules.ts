import type { Page, PageRequest } from "../../platform/page.js";
import { isRefusal, type Result } from "../../platform/refusal.js";
import { NEWEST_RULES, type RulesAdoption } from "../../portfolio/domain/rules.js";
import { monthBefore } from "../../portfolio/operations/local-month.js";
import type { LineChange, Statement, Total } from "../domain/statement.js";
import { type AdoptingStores, monthsToAdopt } from "./adopt-rules.js";
import { drawUpStatement, monthToSettle } from "./draw-up-statement.js";
import { differenceOf, MAX_CHANGES } from "./make-statement.js";
import type { SettlementStores } from "./settlement-stores.js";
import { MeasuringBudget, type SupposingPorts, supposing } from "./supposed-rules.js";

export interface PreviewingPorts extends SupposingPorts {
  readonly stores: SupposingPorts["stores"] & Pick<SettlementStores, "statements"> & Pick<AdoptingStores, "rules">;
}

/** What a statement would be by other rules. */
export interface RulesDifference {
  readonly statement: Statement;
  /** The newest version, which is compared. */
  readonly version: number;
  readonly before: readonly Total[];
  readonly after: readonly Total[];
  readonly changes: readonly LineChange[];
  readonly changeCount: number;
  /** Whether results were measured again; else they are too many, and are taken as they are. */
  readonly isMeasuredAgain: boolean;
}

/** Results measured again for one answer, and statements in it. */
const MOST_MEASURED = 1000;
const MOST_STATEMENTS = 20;

/** What the statements of the months from one on would be by the newest rules, the newest statement first. */
export const previewRules = async (
  ports: PreviewingPorts,
  fromMonth: string,
  { after, limit }: PageRequest,
): Promise<Result<Page<RulesDifference>>> => {
  const months = await monthsToAdopt(ports.stores, fromMonth);
  if (isRefusal(months)) return months;
  const now = ports.measuring.clock.now();
  const filter = { accountId: null, fromMonth, toMonth: monthBefore(months.untilMonth), state: null };
  const adoption: RulesAdoption = {
    rulesVersion: NEWEST_RULES,
    adoptedAt: now,
    fromMonth,
    actor: null,
    reason: null,
  };
  const budget = new MeasuringBudget(MOST_MEASURED);
  const items: RulesDifference[] = [];
  for (let next = after; items.length < Math.min(limit, MOST_STATEMENTS); ) {
    const page = await ports.stores.statements.list(filter, now, { after: next, limit: 1 });
    const [statement] = page.items;
    if (statement === undefined) return { items, next: null };
    const difference = await differenceByRules({ ports, adoption, budget }, statement);
    // It is first in the next page, with a budget of its own.
    if (budget.isSpent && items.length > 0) return { items, next };
    items.push(difference);
    if (page.next === null) return { items, next: null };
    next = page.next;
    if (items.length === Math.min(limit, MOST_STATEMENTS)) return { items, next };
  }
  return { items, next: after };
};

interface Previewing {
  readonly ports: PreviewingPorts;
  readonly adoption: RulesAdoption;
  readonly budget: MeasuringBudget;
}

const differenceByRules = async (
  { ports, adoption, budget }: Previewing,
  statement: Statement,
): Promise<RulesDifference> => {
  const { id, accountId, month } = statement;
  const supposed = supposing({ ports, adoption, budget });
  const drawn = await drawUpStatement(supposed, await monthToSettle(supposed, month, accountId), accountId);
  const newest = (await ports.stores.statements.versions(id)).at(-1);
  const { changes } = await differenceOf(ports.stores, { id, newest, drawn });
  return {
    statement,
    version: newest?.version ?? 0,
    before: newest?.totals ?? [],
    after: drawn.totals,
    changes: changes.slice(0, MAX_CHANGES),
    changeCount: changes.length,
    isMeasuredAgain: !budget.isSpent,
  };
};
