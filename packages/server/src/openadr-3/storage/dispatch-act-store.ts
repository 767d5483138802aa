import { camel } from "../../platform/database/camel.js";
import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { firstOf } from "../../platform/database/first-of.js";
import type { DispatchActStore } from "../operations/dispatch-acts.js";

type StateRow = Row<"openadr3_showings", "dispatch_id" | "modification_number">;

export const dispatchActStore = (db: Queryable): DispatchActStore => ({
  async show(clientId, events, at) {
    const { rows } = await db.query<StateRow>({
      name: "show-openadr3-events",
      text: `insert into openadr3_showings (dispatch_id, client_id, modification_number, at)
             select dispatch_id, $1, modification_number, $4
             from unnest($2::text[], $3::timestamptz[]) as shown (event_id, modified_at)
             cross join lateral (
               select dispatch_id, modification_number from openadr3_notices as notices
               where notices.event_id = shown.event_id and client_id = $1 and notices.modified_at <= shown.modified_at
               order by modification_number desc limit 1
             ) as state
             on conflict do nothing returning dispatch_id, modification_number`,
      values: [clientId, events.map(({ eventId }) => eventId), events.map(({ modifiedAt }) => modifiedAt), at],
    });
    return rows.map(camel);
  },
  async answer({ clientId, eventId, reportId, opt, state, resourceNames, at }) {
    const { rows } = await db.query<StateRow>(
      `insert into openadr3_answers (dispatch_id, client_id, modification_number, report_id, opt, state, resource_names, at)
       select dispatch_id, client_id, modification_number, $3, $4, $5, $6, $7 from openadr3_notices
       where event_id = $2 and client_id = $1 order by modification_number desc limit 1
       returning dispatch_id, modification_number`,
      [clientId, eventId, reportId, opt, state, resourceNames, at],
    );
    return firstOf(rows, camel);
  },
});
