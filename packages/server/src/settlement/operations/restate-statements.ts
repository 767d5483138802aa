import { isRefusal } from "../../platform/refusal.js";
import { type MonthToSettle, monthToSettle } from "./draw-up-statement.js";
import { type MakingPorts, makeStatement } from "./make-statement.js";
import type { DueStatement, SettlementStores } from "./settlement-stores.js";

export interface RestatingPorts extends MakingPorts {
  readonly due: SettlementStores["dueStatements"];
  readonly onError: (error: unknown) => void;
}

/** Draws up statements again once their results, terms or enrolments change; a difference makes a new version. */
export class Restating {
  constructor(private readonly ports: RestatingPorts) {}

  async look(): Promise<boolean> {
    const { due, clock } = this.ports;
    const now = clock.now();
    if (!(await due.isAny(now))) return false;
    const months = new Map<string, Promise<MonthToSettle>>();
    for (const statement of await due.due(now)) await this.restate(statement, now, months);
    return false;
  }

  /** What fails is due again at the next look. */
  private async restate(due: DueStatement, now: Date, months: Map<string, Promise<MonthToSettle>>): Promise<void> {
    try {
      const month = months.get(due.month) ?? monthToSettle(this.ports, due.month, null);
      months.set(due.month, month);
      const made = await makeStatement(this.ports, null, await month, due.accountId);
      if (!isRefusal(made)) await this.ports.due.settled(due, now);
    } catch (error) {
      this.ports.onError(error);
    }
  }
}
