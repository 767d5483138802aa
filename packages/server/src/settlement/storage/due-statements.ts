import { camel } from "../../platform/database/camel.js";
import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import type { DueStatements } from "../operations/settlement-stores.js";

type DueRow = Row<"statements", "id" | "account_id" | "month"> & { readonly stamp: string };

/** Changes whenever anything does that a statement could be drawn up from. */
const STAMP = `select case when exists (select from statements) then concat_ws(' ', 
    (select concat_ws(' ', count(*), max(changed_at), sum(modification_number)) from dispatches),
    (select count(*) from performance_versions), (select count(*) from program_terms),
    (select concat_ws(' ', count(*), max(seq), count(*) filter (where ends_at > $1)) from statements),
    (select md5(string_agg(concat_ws(' ', program_id, site_id, commitment_kw), ',' order by program_id, site_id)) from enrolments)
  ) else '' end as stamp`;

/**
 * Of each statement: the dispatches around its month, and those that overlap them and may be paid for their intervals, with the number of their results, the number of changes of terms,
 * and the enrolments of the account until the month is over. Rows of terms and results are only added.
 */
const DUE = `
  with months as (
    select month, (month || '-01')::timestamp at time zone 'UTC' as first from statements group by month
  ),
  versions as (
    select dispatch_id, count(*) as count from performance_versions group by dispatch_id
  ),
  dispatched as (
    select months.month, dispatches.id, concat_ws(' ', dispatches.id, modification_number, changed_at, count) as stamp
    from months
    join dispatches on start_time < first + interval '1 month 1 day'
        and (start_time >= first - interval '1 day' or end_time is null or end_time > first - interval '1 day')
      or start_time >= first + interval '1 month 1 day' and exists (
        select from dispatches as longer where longer.start_time >= first - interval '1 day'
          and longer.start_time < first + interval '1 month 1 day'
          and (longer.end_time is null or longer.end_time > dispatches.start_time)
      )
    left join versions on dispatch_id = dispatches.id
  ),
  of_account as (
    select month, account_id, string_agg(stamp, ',' order by id) as stamp
    from dispatched join (select distinct dispatch_id, account_id from dispatch_sites) as called on dispatch_id = id
    group by month, account_id
  ),
  enrolled as (
    select account_id, string_agg(concat_ws(' ', program_id, site_id, commitment_kw), ',' order by program_id, site_id) as stamp
    from enrolments join sites on sites.id = site_id group by account_id
  ),
  terms as (
    select month, (select count(*) from program_terms where from_month <= month) as count from months
  ),
  now as (
    select statements.*, md5(concat_ws(' ', of_account.stamp, terms.count, case when ends_at > $1 then enrolled.stamp end)) as stamp
    from statements join terms using (month) left join of_account using (month, account_id)
      left join enrolled on enrolled.account_id = statements.account_id
  )
  select id, account_id, month, stamp from now where stamp is distinct from inputs_stamp order by seq`;

export const dueStatements = (db: Queryable): DueStatements => ({
  async stamp(now) {
    const { rows } = await db.query<{ readonly stamp: string }>(STAMP, [now]);
    return rows[0]?.stamp ?? "";
  },
  async due(now) {
    const { rows } = await db.query<DueRow>(DUE, [now]);
    return rows.map(camel);
  },
  async settled({ id, stamp }) {
    await db.query("update statements set inputs_stamp = $2 where id = $1", [id, stamp]);
  },
});
