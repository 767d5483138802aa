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

/** Accounts reached by phone, of each modification and the ones before: joined on dispatch, account and modification. */
export const isPhoned = (dispatchId: string, accountId: string, modification: string): string => `exists (
  select from phone_calls where phone_calls.dispatch_id = ${dispatchId} and phone_calls.account_id = ${accountId}
    and phone_calls.modification_number >= ${modification})`;
