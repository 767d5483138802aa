import type { Condition } from "../alarm.js";

/** A finding of an alarm rule; its kind is that of the rule. */
export type Finding = Omit<Condition, "kind">;

/** The account columns of a finding. */
export interface AccountRow {
  readonly account_id: string;
  readonly account_name: string;
}

/** The name of an account in messages. */
export const accountName = ({ account_id, account_name }: AccountRow): string => `${account_name} (${account_id})`;
