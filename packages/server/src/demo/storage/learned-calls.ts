import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { grouped } from "../../platform/grouped.js";
import type { LearnedCalls } from "../operations/run-demo.js";
import type { SimulatedSiteRun } from "../operations/run-simulated-site.js";

type LearnedRow = Row<"dispatch_sites", "site_id"> &
  Row<"dispatch_revisions", "start_time" | "end_time" | "authorized"> & {
    /** When its account first read the dispatch, and when it read the modification. */
    readonly heard_at: Date;
    readonly learned_at: Date;
  };

/** From evidence of reads, so that every process, also after a restart, knows the same: of all accounts, which are the demo's. */
export const learnedCalls =
  (db: Queryable): LearnedCalls =>
  (endingAfter) =>
    callsIn(db, "dispatch_reads", [endingAfter]);

/** The same of one account among others. */
export const learnedCallsOf =
  (db: Queryable): SimulatedSiteRun["learned"] =>
  (accountId, endingAfter) =>
    callsIn(db, READS_OF_ACCOUNT, [endingAfter, accountId]);

/** Found by its dispatches: reads have no index by account. */
const READS_OF_ACCOUNT = `(
  select dispatch_reads.* from dispatch_sites join dispatch_reads using (dispatch_id, account_id) where account_id = $2
) as dispatch_reads`;

const callsIn = async (db: Queryable, reads: string, values: readonly unknown[]) => {
  const { rows } = await db.query<LearnedRow>(
    `select site_id, heard_at, learned.at as learned_at, start_time, end_time, authorized
       from (
         select dispatch_id, account_id, min(at) as heard_at, max(modification_number) as modification_number
         from ${reads} group by dispatch_id, account_id
       ) as heard
       join lateral (
         select min(at) as at from dispatch_reads
         where dispatch_id = heard.dispatch_id and account_id = heard.account_id
           and modification_number = heard.modification_number
       ) as learned on true
       join dispatch_revisions using (dispatch_id, modification_number)
       join dispatch_sites using (dispatch_id, account_id)
       where end_time is null or end_time > $1`,
    [...values],
  );
  const bySite = grouped(rows, ({ site_id }) => site_id);
  return new Map([...bySite].map(([siteId, learned]) => [siteId, learned.map(callOf)]));
};

/** For a site, a cancelled dispatch ends when its account learns of that. */
const callOf = ({ heard_at, learned_at, start_time, end_time, authorized }: LearnedRow) => {
  const endMs = end_time?.getTime() ?? Number.POSITIVE_INFINITY;
  return {
    heardMs: heard_at.getTime(),
    startMs: start_time.getTime(),
    endMs: authorized ? endMs : Math.min(endMs, learned_at.getTime()),
  };
};
