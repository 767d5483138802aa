import type { Queryable } from "../../platform/database/database.js";
import type { PhoneCallStore } from "../operations/notification-stores.js";

export const phoneCallStore = (db: Queryable): PhoneCallStore => ({
  async insert({ dispatchId, accountId, modificationNumber, at, recordedAt, person, note, actor }) {
    await db.query(
      `insert into phone_calls (dispatch_id, account_id, modification_number, at, recorded_at, person, note, actor, actor_name)
       values ($1, $2, $3, $4, $5, $6, $7, $8, (select name from users where 'user:' || users.id = $8))`,
      [dispatchId, accountId, modificationNumber, at, recordedAt, person, note, actor],
    );
  },
});
