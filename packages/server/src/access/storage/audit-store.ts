import { camel } from "../../platform/database/camel.js";
import type { Row } from "../../platform/database/columns.js";
import { appended } from "../../platform/database/commits.js";
import type { Queryable } from "../../platform/database/database.js";
import { readPage } from "../../platform/database/read.js";
import type { AuditAction, AuditCheck, StoredState } from "../domain/audit.js";
import type { AuditEntry, AuditStore } from "../operations/access-stores.js";

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

export const auditStore = (db: Queryable, check: AuditCheck): AuditStore => ({
  async append({ actor, at }, action, subject, { before, after }) {
    const states = [before, after].map((state) => jsonOf(action, state, check));
    await db.query(
      `with logged as (
         insert into audit_log (at, actor, action, subject, account_id, before, after) values ($1, $2, $3, $4, $5, $6, $7)
       )
       insert into journal (at, kind, subject, accounts)
       values ($1, $3, $4, case when $5::text is not null then array[$5::text] end)`,
      [at, actor, action, subject.id, subject.accountId, ...states],
    );
    appended(db, action);
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
