import type { Queryable } from "../../platform/database/database.js";
import { readFirst } from "../../platform/database/read.js";
import { rowsOfEach } from "../../platform/database/rows-of-each.js";
import type { Dispatch } from "../domain/dispatch.js";
import type { DispatchView } from "../operations/dispatch-service.js";
import { calledAccounts, IS_ANNOUNCED, IS_RECENT } from "./dispatch-conditions.js";
import { type DispatchRow, dispatchColumns, dispatchFromRow } from "./dispatch-row.js";

type CalledRow = DispatchRow & { readonly called_account: string };

/** The same as `recentOf`, for each of several accounts. */
export const recentOfEach = async (
  db: Queryable,
  accountIds: readonly string[],
  since: Date,
): Promise<readonly Dispatch[][]> => {
  const accounts = [...new Set(accountIds)];
  const { join, isFew } = calledAccounts("unnest($1::text[])", accounts.length);
  const { rows } = await db.query<CalledRow>({
    name: isFew ? "recent-dispatches" : "recent-dispatches-of-many",
    text: `with recent as materialized (select * from dispatches where ${IS_ANNOUNCED} and ${IS_RECENT})
           select called_account, ${dispatchColumns("and account_id = called_account")}
           from recent as dispatches ${join}`,
    values: [accounts, since],
  });
  return rowsOfEach(accountIds, rows, { keyOf: (row) => row.called_account, fromRow: dispatchFromRow });
};

export const dispatchView = (db: Queryable): DispatchView => ({
  async recentOf(accountId, since) {
    // The domain decides which of these dispatches are listed.
    return (await recentOfEach(db, [accountId], since)).flat();
  },
  findSeenBy: (accountId, id) =>
    readFirst(db, dispatchFromRow, {
      name: "find-dispatch",
      text: `select ${dispatchColumns("and account_id = $1")} from dispatches
             where id = $2 and exists (select from dispatch_sites where dispatch_id = $2 and account_id = $1)`,
      values: [accountId, id],
    }),
});
