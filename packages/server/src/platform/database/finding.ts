import type { Condition } from "../alarm.js";

/** What a rule of alarms found; its kind is that of the rule. */
export type Finding = Omit<Condition, "kind">;

/** An account beside what was found. */
export interface AccountRow {
  readonly account_id: string;
  readonly account_name: string;
}

/** An account as messages call it. */
export const accountName = ({ account_id, account_name }: AccountRow): string => `${account_name} (${account_id})`;
