import type { Queryable } from "../../platform/database/database.js";
import { firstOf } from "../../platform/database/first-of.js";
import type { DispatchView } from "../operations/list-dispatches.js";
import { IS_RECENT } from "./dispatch-conditions.js";
import { type DispatchRow, dispatchColumns, dispatchFromRow } from "./dispatch-row.js";

export const dispatchView = (db: Queryable): DispatchView => ({
  async recentOf(accountId, since) {
    // The domain decides which of these dispatches are listed.
    const { rows } = await db.query<DispatchRow>({
      name: "recent-dispatches",
      text: `select ${dispatchColumns("and account_id = $1")} from dispatches
             where ${IS_RECENT}
               and exists (select from dispatch_sites where dispatch_id = dispatches.id and account_id = $1)`,
      values: [accountId, since],
    });
    return rows.map(dispatchFromRow);
  },
  async findSeenBy(accountId, id) {
    const { rows } = await db.query<DispatchRow>({
      name: "find-dispatch",
      text: `select ${dispatchColumns("and account_id = $1")} from dispatches
             where id = $2 and exists (select from dispatch_sites where dispatch_id = $2 and account_id = $1)`,
      values: [accountId, id],
    });
    return firstOf(rows, dispatchFromRow);
  },
});
