import { appended } from "../../platform/database/commits.js";
import type { Queryable } from "../../platform/database/database.js";
import { progressIn } from "../../platform/database/journal-progress.js";
import type { DispatchNotices } from "../operations/projection-ports.js";

export const dispatchNotices = (db: Queryable): DispatchNotices => ({
  async add(notices) {
    if (notices.length === 0) return;
    // A rename of a resource changes an event, too, but shows no new state of the dispatch.
    await db.query(
      `with added as (
       insert into openadr3_notices (dispatch_id, client_id, modification_number, account_id, operation, event_id, site_ids,
         modified_at, change_seq, at, client_name)
       select "dispatchId", "clientId", "modificationNumber", "accountId", operation, "eventId", "siteIds", "modifiedAt",
         "changeSeq", at, "clientName"
       from jsonb_to_recordset($1::jsonb) as given ("dispatchId" text, "clientId" text, "modificationNumber" int,
         "accountId" text, operation text, "eventId" text, "siteIds" text[], "modifiedAt" timestamptz,
         "changeSeq" bigint, at timestamptz, "clientName" text)
       on conflict do nothing returning dispatch_id, account_id, at
       )
       ${progressIn("select * from added", { at: "max(at)" })}`,
      [JSON.stringify(notices)],
    );
    appended(db, "progress");
  },
});
