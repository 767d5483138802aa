import { IS_NOT_OVER, IS_REHEARSAL } from "../../dispatch/storage/dispatch-conditions.js";
import type { AlarmKind, AlarmReason, Condition } from "../../platform/alarm.js";
import type { Queryable } from "../../platform/database/database.js";
import { readAll } from "../../platform/database/read.js";
import { type AllShards, textOn } from "../../platform/database/shard-statement.js";
import { type FactReaders, type FactsOf, readFacts, text, textOrNull } from "./facts.js";

/** How the problems of a kind are found; a kind may have several rules. */
export interface AlarmRule {
  readonly kind: AlarmKind;
  /** SQL that finds what is wrong at $1, in order: `subject`, `account_id` or null, and the facts. */
  readonly find: string | AllShards;
  /** Its parameters from $2 on, the same for all rules that have some; null: it has none. */
  readonly parameters: ((db: Queryable, now: Date) => Promise<readonly unknown[]>) | null;
  /**
   * SQL that returns a row whenever `find` may return some, and is planned in less time; its only parameter is $1. Rules
   * with the same one are evaluated together, if it does.
   */
  readonly when: string | null;
  /** The condition that a row of it, as JSON, describes. Throws if a fact is not what the rule says. */
  readonly condition: (row: unknown) => Condition;
}

interface RuleOf<Facts> {
  readonly kind: AlarmKind;
  readonly find: string | AllShards;
  readonly when?: string;
  readonly parameters?: (db: Queryable, now: Date) => Promise<readonly unknown[]>;
  readonly facts: FactReaders<Facts>;
  readonly message: (facts: Facts) => string;
  /** Of a kind with several reasons. */
  readonly reason?: (facts: Facts) => AlarmReason;
}

export const alarmRule = <Facts>({
  kind,
  find,
  when,
  parameters,
  facts,
  message,
  reason,
}: RuleOf<Facts>): AlarmRule => ({
  kind,
  find,
  when: when ?? null,
  parameters: parameters ?? null,
  condition: (row) => {
    const { subject, account_id } = readFacts(found, row);
    const known = readFacts(facts, row);
    const why = reason === undefined ? {} : { reason: reason(known) };
    return { kind, subject, accountId: account_id, message: message(known), ...why };
  },
});

/** What one rule finds by itself; looks for alarms evaluate all of them in one statement. */
export const conditionsOf = async (db: Queryable, rule: AlarmRule, now: Date): Promise<readonly Condition[]> => {
  const text = `select to_json(found) as row from (${await findOn(db, rule)}) as found`;
  const more = (await rule.parameters?.(db, now)) ?? [];
  return readAll(db, ({ row }: { row: unknown }) => rule.condition(row), text, [now, ...more]);
};

/** The SQL of a rule on this database. */
export const findOn = async (db: Queryable, { find }: AlarmRule): Promise<string> =>
  typeof find === "string" ? find : textOn(db, find);

const found = { subject: text, account_id: textOrNull };

/** The account of a finding. */
export const account = { account_id: text, account_name: text };

/** The name of an account in messages. */
export const accountName = ({ account_id, account_name }: FactsOf<typeof account>): string =>
  `${account_name} (${account_id})`;

/** When rules about dispatches that are not over are evaluated. Counted, as a limit of one row makes the planner expect to find it anywhere. */
export const WHEN_DISPATCHED = `
  select count(*) as dispatches from dispatches where ${IS_NOT_OVER} and not ${IS_REHEARSAL} having count(*) > 0`;

/** A constant as SQL. */
export const milliseconds = (value: number): string => `interval '${value} milliseconds'`;

/** Accounts reached by phone, of each modification and the ones before: joined on dispatch, account and modification. */
export const isPhoned = (dispatchId: string, accountId: string, modification: string): string => `exists (
  select from phone_calls where phone_calls.dispatch_id = ${dispatchId} and phone_calls.account_id = ${accountId}
    and phone_calls.modification_number >= ${modification})`;
