import type { Queryable } from "../../platform/database/database.js";
import { lockedNotices } from "./locked-notices.js";

const CONCERNED = `owed_look_at > $2 and due_at <= $2 and exists (
  select from dispatch_sites where dispatch_sites.dispatch_id = notices.dispatch_id and account_id = $1)`;

/** Has the owed notices of an account checked at once: it lost a channel, perhaps its last one (G45). */
export const lookAgainAtOwed = async (db: Queryable, accountId: string, now: Date): Promise<void> => {
  await db.query(
    `with locked as materialized (${lockedNotices(CONCERNED)})
     update notices set owed_look_at = $2 from locked where notices.seq = locked.seq`,
    [accountId, now],
  );
};
