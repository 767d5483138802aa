import { camel } from "../../platform/database/camel.js";
import type { Row } from "../../platform/database/columns.js";
import { appended } from "../../platform/database/commits.js";
import type { Queryable } from "../../platform/database/database.js";
import { progressIn } from "../../platform/database/journal-progress.js";
import { valuesOf } from "../../platform/database/values-of.js";
import type { PageReadStore } from "../operations/record-page-read.js";
import type { DispatchRead, ReadArchive } from "../operations/record-reads.js";

type ReadRow = Row<"dispatch_reads", "dispatch_id" | "account_id" | "modification_number" | "at"> &
  Pick<DispatchRead, "how">;

/** @param asksFirst whether `add` returns the first reads: nothing else needs them. */
export const dispatchReadStore = (db: Queryable, asksFirst = false): ReadArchive => ({
  async add(reads) {
    // In the order of keys, so that processes writing the same reads do not deadlock.
    const { rows } = await db.query<ReadRow>({
      name: "add-dispatch-reads",
      text: `with added as (
               insert into dispatch_reads (dispatch_id, account_id, modification_number, how, at)
               select dispatch_id, account_id, modification_number, how, at
               from unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::timestamptz[])
                 as read (dispatch_id, account_id, modification_number, how, at)
               order by dispatch_id, account_id, modification_number, how, at
               on conflict do nothing returning *
             ), followed as (${progressIn("select * from added", { at: "max(at)" })})
             select dispatch_id, account_id, modification_number, how, at from added where $6`,
      values: [...valuesOf(reads, "dispatchId", "accountId", "modificationNumber", "how", "at"), asksFirst],
    });
    appended(db, "progress");
    return rows.map(camel);
  },
});

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
