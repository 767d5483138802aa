import { camel } from "../../platform/database/camel.js";
import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import type { DueStatements } from "../operations/settlement-stores.js";

type DueRow = Row<"statements", "id" | "account_id" | "month"> & { readonly due_seq: number | null };

const IS_OVER_SINCE = "drawn_early and ends_at <= $1";

/**
 * Takes the marks and notes them at the statements that they concern: those of a dispatch's accounts in the months around
 * its start, and those whose dispatches it may overlap; all from the first month of terms on, and of a site's account those whose month is not over.
 */
const NOTE_MARKS = `
  with taken as materialized (delete from statement_marks returning seq, kind, id, at),
  started as (
    select distinct dispatches.id, coalesce(at, start_time) at time zone 'UTC' as start, start_time, end_time
    from taken join dispatches on dispatches.id = taken.id where kind = 'dispatch'
  ),
  around as materialized (
    select distinct id, to_char(start + days * interval '1 day', 'YYYY-MM') as month
    from started cross join generate_series(-1, 1) as days
  ),
  concerned as (
    select statements.seq from around join dispatch_sites on dispatch_id = around.id
      join statements on statements.account_id = dispatch_sites.account_id and statements.month = around.month
    union
    select statements.seq from started join dispatch_sites on dispatch_id = started.id
      join statements on statements.account_id = dispatch_sites.account_id
        and start_time < reach_to and coalesce(end_time, 'infinity') > reach_from
    union
    select seq from statements where month >= (select min(id) from taken where kind = 'terms')
    union
    select statements.seq from taken join sites on sites.id = taken.id join statements on statements.account_id = sites.account_id
    where kind = 'site' and ends_at > $1
  )
  update statements set due_seq = (select max(seq) from taken) where seq in (select seq from concerned)`;

export const dueStatements = (db: Queryable): DueStatements => ({
  async isAny(now) {
    const { rows } = await db.query<{ readonly is_any: boolean }>({
      name: "any-due-statement",
      text: `select exists (select from statement_marks) or exists (select from statements where due_seq is not null)
               or exists (select from statements where ${IS_OVER_SINCE}) as is_any`,
      values: [now],
    });
    return rows[0]?.is_any === true;
  },
  async due(now) {
    await db.query(NOTE_MARKS, [now]);
    const { rows } = await db.query<DueRow>(
      `select id, account_id, month, due_seq from statements where due_seq is not null or (${IS_OVER_SINCE}) order by seq`,
      [now],
    );
    return rows.map(camel);
  },
  async settled({ id, dueSeq }, now) {
    // What was marked meanwhile stays due.
    await db.query(
      `update statements set due_seq = case when due_seq is distinct from $2 then due_seq end,
         drawn_early = ends_at is null or ends_at > $3
       where id = $1`,
      [id, dueSeq, now],
    );
  },
});
