import { camel } from "../../platform/database/camel.js";
import type { Row } from "../../platform/database/columns.js";
import { appended } from "../../platform/database/commits.js";
import type { Queryable } from "../../platform/database/database.js";
import { progressIn } from "../../platform/database/journal-progress.js";
import type { DispatchActStore } from "../operations/dispatch-acts.js";

type StateRow = Row<"openadr3_showings", "dispatch_id" | "modification_number">;

/** Appends that there is news of what the client $1 did. */
const ofClient = (rows: string, at: string): string =>
  progressIn(`select dispatch_id, account_id from ${rows} join openadr3_clients on openadr3_clients.id = $1`, { at });

const noted = <T>(db: Queryable, rows: readonly T[]): readonly T[] => {
  if (rows.length > 0) appended(db, "progress");
  return rows;
};

export const dispatchActStore = (db: Queryable): DispatchActStore => ({
  async show(clientId, events, at) {
    const { rows } = await db.query<StateRow>({
      name: "show-openadr3-events",
      text: `with added as (
               insert into openadr3_showings (dispatch_id, client_id, modification_number, at)
               select dispatch_id, $1, modification_number, $4
               from unnest($2::text[], $3::timestamptz[]) as shown (event_id, modified_at)
               cross join lateral (
                 select dispatch_id, modification_number from openadr3_notices as notices
                 where notices.event_id = shown.event_id and client_id = $1 and notices.modified_at <= shown.modified_at
                 order by modification_number desc limit 1
               ) as state
               on conflict do nothing returning dispatch_id, modification_number
             ), followed as (${ofClient("added", "$4")})
             select * from added`,
      values: [clientId, events.map(({ eventId }) => eventId), events.map(({ modifiedAt }) => modifiedAt), at],
    });
    return noted(db, rows).map(camel);
  },
  async leaveOut(clientId, { eventIds, isActiveOnly, from, since }, at) {
    // A deletion that was committed after the list was read is none of a listed event.
    const { rows } = await db.query<StateRow>({
      name: "leave-out-openadr3-events",
      text: `with newest as (
               select distinct on (dispatch_id) dispatch_id, modification_number, event_id, operation
               from openadr3_notices where client_id = $1 and at > $4
               order by dispatch_id, modification_number desc
             ), added as (
             insert into openadr3_showings (dispatch_id, client_id, modification_number, at)
             select dispatch_id, $1, modification_number, $5 from newest
             where event_id <> all($2) and ($6::timestamptz is null or exists (
                 select from openadr3_notices as created where created.dispatch_id = newest.dispatch_id
                   and created.client_id = $1 and created.event_id = newest.event_id and created.operation = 'CREATE'
                   and created.modified_at > $6)) and not exists (
                 select from openadr3_showings as shown where shown.dispatch_id = newest.dispatch_id
                   and shown.client_id = $1 and shown.modification_number = newest.modification_number)
               and (operation = 'DELETE' or $3 and exists (
                 select from openadr3_objects as event where event.id = newest.event_id and transpires_at <= $5))
             on conflict do nothing returning dispatch_id, modification_number
             ), followed as (${ofClient("added", "$5")})
             select * from added`,
      values: [clientId, eventIds, isActiveOnly, since, at, from],
    });
    return noted(db, rows).map(camel);
  },
  async answer({ clientId, eventId, reportId, opt, state, resourceNames, at }) {
    const { rows } = await db.query<StateRow>(
      `with added as (
       insert into openadr3_answers (dispatch_id, client_id, modification_number, report_id, opt, state, resource_names, at)
       select dispatch_id, client_id, modification_number, $3, $4, $5, $6, $7 from (
         select * from openadr3_notices where event_id = $2 and client_id = $1 order by modification_number desc limit 1
       ) as newest
       where not exists (
         select from (
           select * from openadr3_answers as answers
           where answers.dispatch_id = newest.dispatch_id and answers.client_id = $1 order by seq desc limit 1
         ) as last
         where last.modification_number = newest.modification_number and last.opt is not distinct from $4
           and last.state = $5 and last.resource_names = $6)
       returning dispatch_id, modification_number
       ), followed as (${ofClient("added", "$7")})
       select * from added`,
      [clientId, eventId, reportId, opt, state, resourceNames, at],
    );
    const [answer] = noted(db, rows);
    return answer === undefined ? null : camel(answer);
  },
});
