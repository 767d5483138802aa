import type { Actor } from "../domain/account.js";
import type { AuditEntry, AuditStore } from "../operations/audit-ports.js";
import type { Queryable } from "./database.js";
import { pageOf, pageParameters } from "./page.js";

interface AuditRow {
  readonly seq: number;
  readonly at: Date;
  readonly actor: Actor;
  readonly action: string;
  readonly subject: string;
  readonly account_id: string | null;
  readonly before: unknown;
  readonly after: unknown;
}

const fromRow = ({ seq, account_id, ...row }: AuditRow): AuditEntry => ({
  ...row,
  id: `aud_${seq}`,
  accountId: account_id,
});

const json = (state: unknown): string | null => (state === undefined || state === null ? null : JSON.stringify(state));

/** Elements of a list in an entry that are answered. */
const MOST_ELEMENTS = 100;

/** A state with its long lists cut: entries of older versions hold every site of a dispatch, and are never changed. */
const shortened = (state: "before" | "after") => `
  case when jsonb_typeof(${state}) = 'object' then coalesce((
    select jsonb_object_agg(name, case when jsonb_typeof(value) = 'array' and jsonb_array_length(value) > ${MOST_ELEMENTS} then
      jsonb_path_query_array(value, '$[0 to ${MOST_ELEMENTS - 1}]')
        || to_jsonb('and ' || jsonb_array_length(value) - ${MOST_ELEMENTS} || ' more')
      else value end)
    from jsonb_each(${state}) as member (name, value)), '{}') else ${state} end as ${state}`;

export const auditStore = (db: Queryable): AuditStore => ({
  async append({ actor, at }, action, subject, { before, after }) {
    await db.query(
      "insert into audit_log (at, actor, action, subject, account_id, before, after) values ($1, $2, $3, $4, $5, $6, $7)",
      [at, actor, action, subject.id, subject.accountId, json(before), json(after)],
    );
  },
  async list({ accountId, actor, action, subject, from, to }, page) {
    const { rows } = await db.query<AuditRow>(
      `select seq, at, actor, action, subject, account_id, ${shortened("before")}, ${shortened("after")} from audit_log
       where ($1::bigint is null or seq < $1) and ($3::text is null or account_id = $3) and ($4::text is null or actor = $4)
         and ($5::text is null or action = $5) and ($6::text is null or subject = $6)
         and ($7::timestamptz is null or at >= $7) and ($8::timestamptz is null or at < $8)
       order by seq desc limit $2`,
      [...pageParameters(page), accountId, actor, action, subject, from, to],
    );
    return pageOf(rows, page, fromRow);
  },
});
