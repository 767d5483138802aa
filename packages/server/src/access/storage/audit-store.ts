import { camel } from "../../platform/database/camel.js";
import type { Row } from "../../platform/database/columns.js";
import { appended } from "../../platform/database/commits.js";
import type { Queryable } from "../../platform/database/database.js";
import { readPage } from "../../platform/database/read.js";
import { valuesOf } from "../../platform/database/values-of.js";
import { inPieces } from "../../platform/in-pieces.js";
import { traceOf } from "../../platform/trace-cause.js";
import { inTurns } from "../../platform/turns.js";
import type { AuditAction, AuditCheck, StoredState } from "../domain/audit.js";
import type { Act, AuditEntry, AuditedAct, AuditStore, AuditSubject } from "../operations/access-stores.js";

type AuditRow = Row<"audit_log", "seq" | "at" | "actor" | "action" | "subject" | "account_id"> &
  Pick<AuditEntry, "before" | "after">;

const fromRow = ({ seq, ...row }: AuditRow): AuditEntry => ({ ...camel(row), id: `aud_${seq}` });

/** As it is stored. */
const jsonOf = (action: AuditAction, state: object | null | undefined, check: AuditCheck): string | null => {
  if (state === undefined || state === null) return null;
  const json = JSON.stringify(state);
  check(action, JSON.parse(json) as StoredState["members"]);
  return json;
};

/** A stored state with its long lists cut: entries of older versions hold every site of a dispatch. */
const shortened = (state: "before" | "after") => `
  case when jsonb_typeof(${state}) = 'object' then (
    select jsonb_build_object(
      'members', coalesce(jsonb_object_agg(name, case when count > $9::int
        then jsonb_path_query_array(value, '$[0 to $most]', jsonb_build_object('most', $9::int - 1)) else value end), '{}'),
      'omitted', coalesce(jsonb_object_agg(name, count - $9::int) filter (where count > $9::int), '{}'))
    from jsonb_each(${state}) as member (name, value),
      lateral (select case when jsonb_typeof(value) = 'array' then jsonb_array_length(value) else 0 end) as list (count)
  ) when ${state} is not null then '{"members": {}, "omitted": {}}' end as ${state}`;

/** States are checked as JSON: acts of one step. */
const ACTS_AT_ONCE = 20;

interface StoredAct extends AuditSubject {
  readonly action: AuditAction;
  readonly before: string | null;
  readonly after: string | null;
}

function* stored(acts: readonly AuditedAct[], check: AuditCheck): Generator<undefined, readonly StoredAct[]> {
  const all: StoredAct[] = [];
  for (const { action, subject, change } of acts) {
    const [before, after] = [jsonOf(action, change.before, check), jsonOf(action, change.after, check)];
    const { id, accountId } = subject;
    if (all.push({ action, id, accountId, before, after }) % ACTS_AT_ONCE === 0) yield;
  }
  return all;
}

const insertActs = async (db: Queryable, { at, actor }: Act, acts: readonly StoredAct[]): Promise<void> => {
  await db.query(
    `with given as materialized (
       select * from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[]) with ordinality
         as act (action, subject, account_id, before, after, trace, place)
     ), logged as (
       insert into audit_log (at, actor, action, subject, account_id, before, after)
       select $1::timestamptz, $2, action, subject, account_id, before::jsonb, after::jsonb from given order by place
     )
     insert into journal (at, kind, subject, accounts, trace)
     select $1::timestamptz, action, subject, case when account_id is not null then array[account_id] end, trace
     from given order by place`,
    [
      at,
      actor,
      ...valuesOf(acts, "action", "id", "accountId", "before", "after"),
      acts.map(({ action, id }) => traceOf(action, id)),
    ],
  );
  appended(db, ...acts.map(({ action }) => action));
};

export const auditStore = (db: Queryable, check: AuditCheck): AuditStore => ({
  append(act, action, subject, change) {
    return this.appendAll(act, [{ action, subject, change } as AuditedAct]);
  },
  async appendAll(act, acts) {
    if (acts.length === 0) return;
    await inPieces(await inTurns(stored(acts, check)), async (some) => {
      await insertActs(db, act, some);
      return [];
    });
  },
  list: ({ accountId, actor, action, subject, from, to, mostElements }, page) =>
    readPage(db, page, fromRow, {
      text: `select seq, at, actor, action, subject, account_id, ${shortened("before")}, ${shortened("after")} from audit_log
       where ($1::bigint is null or seq < $1) and ($3::text is null or account_id = $3) and ($4::text is null or actor = $4)
         and ($5::text is null or action = $5) and ($6::text is null or subject = $6)
         and ($7::timestamptz is null or at >= $7) and ($8::timestamptz is null or at < $8)
       order by seq desc limit $2`,
      values: [accountId, actor, action, subject, from, to, mostElements],
    }),
});
