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

export const auditStore = (db: Queryable): AuditStore => ({
  async append({ actor, at }, action, subject, { before, after }) {
    await db.query(
      "insert into audit_log (at, actor, action, subject, account_id, before, after) values ($1, $2, $3, $4, $5, $6, $7)",
      [at, actor, action, subject.id, subject.accountId, json(before), json(after)],
    );
  },
  async list({ accountId, actor, action, subject, from, to }, page) {
    const { rows } = await db.query<AuditRow>(
      `select * from audit_log
       where ($1::bigint is null or seq < $1) and ($3::text is null or account_id = $3) and ($4::text is null or actor = $4)
         and ($5::text is null or action = $5) and ($6::text is null or subject = $6)
         and ($7::timestamptz is null or at >= $7) and ($8::timestamptz is null or at < $8)
       order by seq desc limit $2`,
      [...pageParameters(page), accountId, actor, action, subject, from, to],
    );
    return pageOf(rows, page, fromRow);
  },
});
