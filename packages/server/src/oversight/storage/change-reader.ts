import { RECENT_DISPATCHES } from "../../dispatch/storage/dispatch-conditions.js";
import { camel } from "../../platform/database/camel.js";
import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import type { ReadWatched } from "../operations/watch-changes.js";

type DispatchRow = Row<
  "dispatches",
  "id" | "modification_number" | "authorized" | "start_time" | "end_time" | "notification_time" | "changed_at"
> & { readonly account_ids: readonly string[] };

/** Reads the dispatches that open pages show, when some of them changed. */
export const watchedDispatches =
  (db: Queryable): ReadWatched =>
  async (accountIds, since) => {
    const { rows } = await db.query<DispatchRow>({
      name: "watched-dispatches",
      text: `select id, modification_number, authorized, start_time, end_time, notification_time, changed_at, array(
               select distinct account_id from dispatch_sites where dispatch_id = recent.id and account_id = any($1)
             ) as account_ids
             from (${RECENT_DISPATCHES}) as recent`,
      values: [accountIds, since],
    });
    return rows.map((row) => {
      const { startTime: start, endTime: end, notificationTime: notification, ...dispatch } = camel(row);
      return { ...dispatch, start, end, notification };
    });
  };
