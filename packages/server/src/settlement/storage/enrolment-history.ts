import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { grouped } from "../../platform/grouped.js";
import { periodsOf } from "../domain/enrolled-period.js";
import type { EnrolmentHistory, SiteEnrolments } from "../operations/settlement-stores.js";

interface HistoryRow extends Row<"sites", "account_id" | "name"> {
  readonly program_id: string;
  readonly site_id: string;
  /** null: the enrolment as it is now. */
  readonly at: Date | null;
  readonly was_enrolled: boolean;
  readonly is_enrolled: boolean;
  readonly before_kw: number | null;
  readonly after_kw: number | null;
}

/** Every change of the enrolments, which the audit log has, and then the enrolments as they are. */
const HISTORY = `
  with changes as (
    select seq, coalesce(before, after) ->> 'programId' as program_id, subject as site_id, at,
      before is not null as was_enrolled, after is not null as is_enrolled,
      (before ->> 'commitmentKw')::float8 as before_kw, (after ->> 'commitmentKw')::float8 as after_kw
    from audit_log
    where action in ('program.enrol', 'program.withdraw') and ($2::text is null or account_id = $2)
    union all
    select null, program_id, site_id, null, true, true, commitment_kw, commitment_kw from enrolments
  )
  select program_id, site_id, at, was_enrolled, is_enrolled, before_kw, after_kw, account_id, name
  from changes join sites on sites.id = site_id
  where program_id = any($1) and ($2::text is null or account_id = $2)
  order by program_id, site_id, changes.seq`;

export const enrolmentHistory = (db: Queryable): EnrolmentHistory => ({
  async periods(programs, accountId) {
    const { rows } = await db.query<HistoryRow>(HISTORY, [programs.map(({ id }) => id), accountId]);
    const names = new Map(programs.map(({ id, name }) => [id, name]));
    const sites = grouped(rows, ({ program_id, site_id }) => `${program_id} ${site_id}`);
    return [...sites.values()].flatMap((changes): SiteEnrolments[] => {
      const [first] = changes;
      if (first === undefined) return [];
      const { program_id: programId, site_id: siteId, account_id: accountId, name } = first;
      const periods = periodsOf({ programId, programName: names.get(programId) ?? "" }, changes.map(changeFrom));
      return [{ programId, siteId, accountId, name, periods }];
    });
  },
});

const changeFrom = (row: HistoryRow) => ({
  atMs: row.at?.getTime() ?? null,
  before: row.was_enrolled ? { commitmentKw: row.before_kw } : null,
  after: row.is_enrolled ? { commitmentKw: row.after_kw } : null,
});
