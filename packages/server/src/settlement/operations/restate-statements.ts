import { isRefusal } from "../../platform/refusal.js";
import { type MonthToSettle, monthToSettle } from "./draw-up-statement.js";
import { type MakingPorts, makeStatement } from "./make-statement.js";
import type { DueStatement, SettlementStores } from "./settlement-stores.js";

export interface RestatingPorts extends MakingPorts {
  readonly due: SettlementStores["dueStatements"];
  readonly onError: (error: unknown) => void;
}

/** Draws up statements anew once their results, terms or enrolments change; a difference makes a new version. */
export class Restating {
  /** When nothing was due. */
  private stamp: string | null = null;

  constructor(private readonly ports: RestatingPorts) {}

  async look(): Promise<boolean> {
    const { due, clock } = this.ports;
    const now = clock.now();
    const stamp = await due.stamp(now);
    if (stamp === this.stamp) return false;
    const months = new Map<string, Promise<MonthToSettle>>();
    let failed = 0;
    for (const statement of await due.due(now)) if (!(await this.restated(statement, months))) failed++;
    if (failed === 0) this.stamp = stamp;
    return false;
  }

  private async restated(due: DueStatement, months: Map<string, Promise<MonthToSettle>>): Promise<boolean> {
    try {
      const month = months.get(due.month) ?? monthToSettle(this.ports, due.month, null);
      months.set(due.month, month);
      const made = await makeStatement(this.ports, null, await month, due.accountId);
      if (isRefusal(made)) return false;
      await this.ports.due.settled(due);
      return true;
    } catch (error) {
      this.ports.onError(error);
      return false;
    }
  }
}
