import { progressIn } from "../../dispatch/storage/progress.js";
import { appended } from "../../platform/database/commits.js";
import type { Queryable } from "../../platform/database/database.js";
import type { PageReadStore } from "../operations/record-page-read.js";

export const pageReadStore = (db: Queryable): PageReadStore => ({
  async add({ dispatchId, modificationNumber }, { accountId, actor }, at) {
    await db.query(
      `with added as (
         insert into dispatch_page_reads (dispatch_id, account_id, modification_number, user_id, user_name, at)
         select $1, $2, $3, id, name, $5 from users where 'user:' || id = $4
         on conflict do nothing returning dispatch_id, account_id
       )
       ${progressIn("select * from added", { at: "$5" })}`,
      [dispatchId, accountId, modificationNumber, actor, at],
    );
    appended(db, "progress");
  },
});
