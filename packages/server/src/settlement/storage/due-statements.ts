import { camel } from "../../platform/database/camel.js";
import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import type { DueWork } from "../../platform/database/due-work.js";
import { readAll } from "../../platform/database/read.js";
import type { DueStatements } from "../operations/settlement-stores.js";

type DueRow = Row<"statements", "id" | "account_id" | "month" | "due_seq">;

/** Each version is a document: where much changes, a statement gets one in so long. */
const BETWEEN_VERSIONS = "interval '20 seconds'";
/** Drawing up takes a second, rarely more. */
const LEASE = "interval '1 minute'";
const AT_ONCE = 50;

/** The next statement to make. */
export const dueStatementWork: DueWork = {
  name: "statements",
  next: "select due_at from statements where due_at is not null order by due_at limit 1",
};

/**
 * Statements that changes of dispatches concern: those of their accounts in the months around each start that they ever had, and
 * those whose dispatches they may overlap.
 *
 * @param changed a row source of their ids, as `id`, and of `at`
 */
const ofDispatches = (changed: string): string => `
  select statements.seq, at from (
    select distinct id, at, to_char(start_time at time zone 'UTC' + days * interval '1 day', 'YYYY-MM') as month
    from (
      select changed.id, at, start_time from ${changed} as changed join dispatches using (id)
      union select changed.id, changed.at, start_time from ${changed} as changed join dispatch_revisions on dispatch_id = changed.id
    ) as starts cross join generate_series(-1, 1) as days
  ) as around
  join dispatch_sites on dispatch_id = around.id
  join statements on statements.account_id = dispatch_sites.account_id and statements.month = around.month
  union
  select statements.seq, at from ${changed} as changed join dispatches using (id)
  join dispatch_sites on dispatch_id = changed.id
  join statements on statements.account_id = dispatch_sites.account_id
    and start_time < reach_to and coalesce(end_time, 'infinity') > reach_from`;

/** Of terms and rules, those of all months from theirs on; of a site's account, those whose month is not over. */
const MARK = `
  with changed as materialized (select unnest($2::text[]) as id, $1::timestamptz as at), concerned as materialized (
    select seq from (${ofDispatches("changed")}) as of_dispatches
    union
    select seq from statements where month >= (
      select min(from_month) from (
        select from_month from program_terms where program_id = any($3) and set_at >= $1
        union all select from_month from rules_adoptions where $4 and adopted_at >= $1) as adopted)
    union
    select statements.seq from sites join statements on statements.account_id = sites.account_id
    where sites.id = any($5) and ends_at > $1
  )
  update statements set due_seq = $6, due_at = least(due_at, greatest($1, drawn_at + ${BETWEEN_VERSIONS}))
  where seq in (select seq from concerned)`;

/** From the times of what is stored: what was committed late has an earlier one, but is never missed by the journal. */
const REBUILD = `
  with changed as materialized (
    select id, max(at) as at from (
      select dispatch_id as id, at from performance_versions union all select id, changed_at from dispatches
    ) as stored where at > (select min(drawn_at) from statements where due_seq is null) group by id
  ), of_dispatches as materialized (
    select seq, max(at) as at from (${ofDispatches("changed")}) as found group by seq
  )
  update statements set due_seq = 0, due_at = 'epoch'
  where due_seq is null and (
    exists (select from of_dispatches where of_dispatches.seq = statements.seq and at > drawn_at)
    or exists (select from program_terms where from_month <= month and set_at > drawn_at)
    or exists (select from rules_adoptions where from_month <= month and adopted_at > drawn_at and actor is not null)
    or exists (select from audit_log where action in ('program.enrol', 'program.withdraw')
      and audit_log.account_id = statements.account_id and at > drawn_at and at < ends_at)
    or (due_at is null and drawn_at < ends_at))`;

export const dueStatements = (db: Queryable): DueStatements => ({
  async mark({ since, dispatchIds, programIds, hasRules, siteIds, seq }) {
    await db.query(MARK, [since, dispatchIds, programIds, hasRules, siteIds, seq]);
  },
  async rebuild() {
    const { rowCount } = await db.query(REBUILD);
    return (rowCount ?? 0) > 0;
  },
  take: (now) =>
    readAll(db, camel<DueRow>, {
      text: `update statements set due_at = $1::timestamptz + ${LEASE}
       where seq in (
         select seq from statements where due_at <= $1 order by due_at, seq limit ${AT_ONCE} for update skip locked)
       returning id, account_id, month, due_seq`,
      values: [now],
    }),
  async settled({ id, dueSeq }, now) {
    // Statements that were marked meanwhile stay due.
    await db.query(
      `update statements set drawn_at = $3, due_seq = case when due_seq is distinct from $2 then due_seq end,
         due_at = case when due_seq is distinct from $2 then $3::timestamptz + ${BETWEEN_VERSIONS} when ends_at > $3 then ends_at end
       where id = $1`,
      [id, dueSeq, now],
    );
  },
});
