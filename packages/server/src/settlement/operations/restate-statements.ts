import { isRefusal } from "../../platform/refusal.js";
import { type MonthToSettle, monthToSettle } from "./draw-up-statement.js";
import { type MakingPorts, makeStatement } from "./make-statement.js";
import type { DueStatement, SettlementStores } from "./settlement-stores.js";

export interface RestatingPorts extends MakingPorts {
  readonly due: SettlementStores["dueStatements"];
  readonly onError: (error: unknown) => void;
}

/**
 * Draws up statements again once their results, terms or enrolments change, or their month is over; a difference makes a new
 * version. Returns whether there may be more.
 */
export const restateStatements = async (ports: RestatingPorts): Promise<boolean> => {
  const now = ports.clock.now();
  const taken = await ports.due.take(now);
  // Read after they were taken: what changes later marks them again.
  const months = new Map<string, Promise<MonthToSettle>>();
  for (const statement of taken) await restate(ports, statement, now, months);
  return taken.length > 0;
};

/** What fails is taken again once its lease is over. */
const restate = async (
  ports: RestatingPorts,
  due: DueStatement,
  now: Date,
  months: Map<string, Promise<MonthToSettle>>,
): Promise<void> => {
  try {
    const month = months.get(due.month) ?? monthToSettle(ports, due.month, null);
    months.set(due.month, month);
    const made = await makeStatement(ports, null, await month, due.accountId);
    if (!isRefusal(made)) await ports.due.settled(due, now);
  } catch (error) {
    ports.onError(error);
  }
};
