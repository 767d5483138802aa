import { IS_SELF_MADE } from "../../dispatch/storage/dispatch-conditions.js";
import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import type { StandingDispatch, StandingReader } from "../operations/standing-results.js";
import { timesFrom } from "./measured-times.js";
import { performanceStore } from "./performance-store.js";
import { decodeSummary, type StoredSummary } from "./site-result-encoding.js";

type DispatchRow = Row<
  "dispatches",
  | "id"
  | "program_id"
  | "program_name"
  | "program_timezone"
  | "test"
  | "start_time"
  | "end_time"
  | "authorized"
  | "changed_at"
  | "void_reason"
>;

type SiteRow = Row<"dispatch_sites", "site_id" | "account_id" | "name" | "commitment_kw"> & {
  readonly summary: StoredSummary | null;
};

const dispatchFrom = (row: DispatchRow): StandingDispatch => ({
  ...timesFrom(row),
  id: row.id,
  programId: row.program_id,
  programName: row.program_name,
  timezone: row.program_timezone,
  isTest: row.test,
  isVoid: row.void_reason !== null,
});

const IS_WANTED = "($2::text is null or called.account_id = $2) and ($3::text is null or called.site_id = $3)";

export const standingReader = (db: Queryable): StandingReader => ({
  async dispatches({ fromMs, toMs }, { accountId = null, siteId = null, programId = null }) {
    const { rows } = await db.query<DispatchRow>(
      `select id, program_id, program_name, program_timezone, test, start_time, end_time, authorized, changed_at,
         void_reason
       from dispatches
       where start_time >= $4 and start_time < $5 and ($1::text is null or program_id = $1) and not ${IS_SELF_MADE}
         and exists (select from dispatch_sites as called where called.dispatch_id = dispatches.id and ${IS_WANTED})
       order by start_time, id`,
      [programId, accountId, siteId, new Date(fromMs), new Date(toMs)],
    );
    return rows.map(dispatchFrom);
  },
  versions: (dispatchId) => performanceStore(db).versions(dispatchId),
  async sites(dispatchId, version, { accountId = null, siteId = null }) {
    const { rows } = await db.query<SiteRow>(
      `select called.site_id, called.account_id, called.name, called.commitment_kw, latest.summary
       from dispatch_sites as called
       left join lateral (
         select summary from performance_results as kept
         where kept.dispatch_id = $1 and kept.site_id = called.site_id and version <= $4 order by version desc limit 1
       ) as latest on true
       where called.dispatch_id = $1 and ${IS_WANTED} order by position`,
      [dispatchId, accountId, siteId, version],
    );
    return rows.map((row) => ({
      siteId: row.site_id,
      accountId: row.account_id,
      name: row.name,
      commitmentKw: row.commitment_kw,
      result: row.summary === null ? null : decodeSummary(row.summary),
    }));
  },
});
