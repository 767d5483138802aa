import { camel } from "../../platform/database/camel.js";
import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import type { EnrolmentHistory } from "../operations/settlement-stores.js";

type EnrolledRow = Row<"enrolments", "program_id" | "site_id" | "commitment_kw"> & Row<"sites", "account_id" | "name">;

/** The enrolment as it was before its first change after the moment, which the audit log has; else as it is. */
const ENROLLED_AT = `
  with asked as (select * from unnest($1::text[], $2::timestamptz[]) as asked (program_id, at)),
  later as (
    select distinct on (program_id, site_id) program_id, subject as site_id, before
    from audit_log join asked on program_id = coalesce(before, after) ->> 'programId' and audit_log.at >= asked.at
      cross join lateral (select subject) as site (site_id)
    where action in ('program.enrol', 'program.withdraw')
    order by program_id, site_id, seq
  ),
  enrolled as (
    select program_id, site_id, (before ->> 'commitmentKw')::float8 as commitment_kw from later where before is not null
    union all
    select program_id, site_id, commitment_kw from enrolments join asked using (program_id)
    where not exists (select from later where (later.program_id, later.site_id) = (enrolments.program_id, enrolments.site_id))
  )
  select program_id, site_id, commitment_kw, account_id, name from enrolled join sites on sites.id = site_id
  where $3::text is null or account_id = $3
  order by program_id, site_id`;

export const enrolmentHistory = (db: Queryable): EnrolmentHistory => ({
  async enrolledAt(programs, accountId) {
    const { rows } = await db.query<EnrolledRow>(ENROLLED_AT, [
      programs.map(({ id }) => id),
      programs.map(({ at }) => at),
      accountId,
    ]);
    return rows.map(camel);
  },
});
