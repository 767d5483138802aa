import { lockedNotices } from "../../dispatch/storage/locked-notices.js";
import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import type { RehearsalNotices } from "../operations/rehearsals.js";

const IS_DUE = "projected_at is null and state <> 'dropped' and due_at <= $1";
const OF_ACCOUNT = `dispatch_id in (
  select dispatch_id from scenario_steps join scenarios on scenarios.id = scenario_id where account_id = $2)`;
const ACCOUNTS_AT_ONCE = 50;

export const rehearsalNotices = (db: Queryable): RehearsalNotices => ({
  async dueAccounts(now) {
    const { rows } = await db.query<Row<"scenarios", "account_id">>({
      name: "openadr3-due-rehearsals",
      text: `select distinct account_id from notices join scenario_steps using (dispatch_id)
             join scenarios on scenarios.id = scenario_id where ${IS_DUE} limit ${ACCOUNTS_AT_ONCE}`,
      values: [now],
    });
    return rows.map(({ account_id }) => account_id);
  },
  async markFollowed(accountId, now) {
    await db.query(
      `with locked as materialized (${lockedNotices(`${IS_DUE} and ${OF_ACCOUNT}`)})
       update notices set projected_at = $1 from locked where notices.seq = locked.seq`,
      [now, accountId],
    );
  },
});
