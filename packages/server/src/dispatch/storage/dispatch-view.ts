import type { Queryable } from "../../platform/database/database.js";
import { readFirst } from "../../platform/database/read.js";
import { rowsOfEach } from "../../platform/database/rows-of-each.js";
import { valuesOf } from "../../platform/database/values-of.js";
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

/** A dispatch as an account sees it. */
export interface Seen {
  readonly accountId: string;
  readonly id: string;
}

/** The same as `findSeenBy`, for each of several accounts and dispatches; null where an account has no site in it. */
export const findEachSeen = async (db: Queryable, asked: readonly Seen[]): Promise<ReadonlyArray<Dispatch | null>> => {
  const { rows } = await db.query<DispatchRow & { readonly place: number }>({
    name: "find-dispatches-of-each",
    text: `select place, ${dispatchColumns("and account_id = asked_by")}
           from unnest($1::text[], $2::text[]) with ordinality as asked (asked_by, asked_id, place)
           join dispatches on dispatches.id = asked_id
           where exists (select from dispatch_sites where dispatch_id = asked_id and account_id = asked_by)`,
    values: valuesOf(asked, "accountId", "id"),
  });
  const found = new Map(rows.map((row) => [row.place, dispatchFromRow(row)]));
  return asked.map((_, index) => found.get(index + 1) ?? null);
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
