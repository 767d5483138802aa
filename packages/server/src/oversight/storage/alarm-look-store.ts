import { type AlarmKind, alarmsThat, type Condition } from "../../platform/alarm.js";
import type { Queryable } from "../../platform/database/database.js";
import type { AlarmLookStore, StandingAlarm } from "../operations/watch-alarms.js";
import { type AlarmRule, findOn, milliseconds } from "./alarm-rule.js";
import { alarmRules } from "./alarm-rules.js";
import { flag, readFacts, text, textOrNull } from "./facts.js";
import { joined } from "./joined.js";

/** How long an acknowledgement of a group can be taken back, with some seconds more than pages show that. */
const TAKEN_BACK_MS = 15_000;

const ENDS_ONCE_SEEN = alarmsThat(({ endsOnceSeen }) => endsOnceSeen === true)
  .map((kind) => `'${kind}'`)
  .join(", ");

const STANDING = `select id, kind, subject, account_id,
    coalesce(kind in (${ENDS_ONCE_SEEN}) and acknowledged_at < $1::timestamptz - ${milliseconds(TAKEN_BACK_MS)} and exists (
      select from dispatches where dispatches.id = alarms.dispatch_id and (not authorized or end_time < $1)), false) as is_seen
  from alarms where cleared_at is null order by seq`;
const IS_UNSETTLED = "select count(*) as mails from escalations where settled_at is null having count(*) > 0";
const SETTINGS = "select name, value from settings where name = any($2::text[])";

export const alarmLookStore = (db: Queryable): AlarmLookStore => ({
  kinds: [...new Set(alarmRules.map(({ kind }) => kind))],
  async look({ at, kinds, settings }) {
    const { rules, whens, first } = sorted(kinds);
    const selects = [STANDING, IS_UNSETTLED, SETTINGS, ...whens, ...(await findsOf(db, first))];
    const [standing = [], unsettled = [], set = [], ...more] = await joined(db, selects, at, [settings]);
    const open = whens.filter((_, index) => more[index]?.length !== 0);
    const later = rules.filter((rule) => !first.includes(rule) && (rule.when === null || open.includes(rule.when)));
    const rows = new Map([...zip(first, more.slice(whens.length)), ...zip(later, await rowsOf(db, at, later))]);
    return {
      standing: standing.map(standingFromRow),
      hasUnsettled: unsettled.length > 0,
      settings: new Map(set.map(settingFromRow)),
      found: rules.flatMap((rule) => (rows.get(rule) ?? []).map(rule.condition)),
    };
  },
});

/** Everything of these kinds that is wrong now. */
export const conditionsOf = async (db: Queryable, now: Date, kinds: readonly AlarmKind[]): Promise<Condition[]> => {
  const { rules } = sorted(kinds);
  return zip(rules, await rowsOf(db, now, rules)).flatMap(([{ condition }, rows]) => rows.map(condition));
};

type Rows = readonly unknown[];

const sorted = (kinds: readonly AlarmKind[]) => {
  const rules = alarmRules.filter(({ kind }) => kinds.includes(kind));
  const whens = [...new Set(rules.flatMap(({ when }) => when ?? []))];
  return { rules, whens, first: rules.filter(({ when, parameters }) => when === null && parameters === null) };
};

const rowsOf = async (db: Queryable, at: Date, rules: readonly AlarmRule[]): Promise<readonly Rows[]> =>
  rules.length === 0 ? [] : joined(db, await findsOf(db, rules), at, await parametersOf(db, rules, at));

const findsOf = (db: Queryable, rules: readonly AlarmRule[]): Promise<string[]> =>
  Promise.all(rules.map((rule) => findOn(db, rule)));

/** They are the same for all rules that have some. */
const parametersOf = async (db: Queryable, rules: readonly AlarmRule[], at: Date): Promise<readonly unknown[]> =>
  (await rules.find(({ parameters }) => parameters !== null)?.parameters?.(db, at)) ?? [];

const zip = (rules: readonly AlarmRule[], rows: readonly Rows[]): ReadonlyArray<readonly [AlarmRule, Rows]> =>
  rules.map((rule, index) => [rule, rows[index] ?? []]);

const standingFromRow = (row: unknown): StandingAlarm => {
  const { account_id: accountId, is_seen: isSeen, ...alarm } = readFacts(standingColumns, row);
  return { ...alarm, accountId, isSeen };
};
const standingColumns = { id: text, kind: text, subject: text, account_id: textOrNull, is_seen: flag };

const settingFromRow = (row: unknown): [string, string] => {
  const { name, value } = readFacts({ name: text, value: text }, row);
  return [name, value];
};
