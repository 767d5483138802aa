import type { RunningDispatches } from "../../access/operations/running-dispatches.js";
import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { readAll } from "../../platform/database/read.js";
import { IS_RUNNING } from "./dispatch-conditions.js";

type NamedRow = Row<"dispatches", "program_name">;

/** As many as a message names. */
const MOST_NAMED = 3;

export const runningDispatches = (db: Queryable): RunningDispatches => ({
  ofAccount: (accountId, now) =>
    readAll(db, ({ program_name }: NamedRow) => program_name, {
      text: `select distinct program_name from dispatches where ${IS_RUNNING}
         and exists (select from dispatch_sites where dispatch_id = dispatches.id and account_id = $2)
       order by program_name limit ${MOST_NAMED}`,
      values: [now, accountId],
    }),
  ofSites: (programId, siteIds, now) =>
    readAll(db, ({ program_name }: NamedRow) => program_name, {
      text: `select distinct program_name from dispatches where ${IS_RUNNING} and program_id = $2
         and exists (select from dispatch_sites where dispatch_id = dispatches.id and site_id = any($3))
       order by program_name limit ${MOST_NAMED}`,
      values: [now, programId, siteIds],
    }),
});
