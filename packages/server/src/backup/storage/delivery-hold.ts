import { dropDeliveries } from "../../notification/storage/delivery-store.js";
import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { findSetting, replaceSetting } from "../../platform/database/setting-store.js";
import type { DeliveryHold } from "../domain/delivery-hold.js";
import type { HoldStore, Waiting } from "../operations/delivery-hold-ports.js";

const NAME = "delivery_hold";

/** Set by a restore before the service first starts; nothing else sets it. */
export const holdDelivery = async (db: Queryable, { heldAt, backupAt }: DeliveryHold): Promise<void> => {
  await replaceSetting(db, NAME, JSON.stringify({ heldAt, backupAt }));
};

/** null if delivery is not held. */
export const findHold = async (db: Queryable): Promise<DeliveryHold | null> => {
  const text = await findSetting(db, NAME);
  if (text === null) return null;
  const { heldAt, backupAt } = JSON.parse(text) as { readonly heldAt: string; readonly backupAt: string };
  return { heldAt: new Date(heldAt), backupAt: new Date(backupAt) };
};

/** What waits to be sent at $1, with its dispatch; null where it is about none. */
const WAITING = `
  select dispatch_id from notices where state = 'waiting' and due_at <= $1
  union all select dispatch_id from deliveries where state = 'pending' or resend_at is not null
  union all select dispatch_id from mails where state = 'waiting'
  union all select dispatch_id from phone_messages where state = 'waiting'
  union all select dispatch_id from personal_notices where state = 'waiting'
  union all select null from openadr3_deliveries where state = 'pending'`;

/** Condition on a dispatch: whoever hears of it now can do nothing any more. */
const IS_OVER = "end_time is not null and end_time < $1";

export const holdStore = (db: Queryable): HoldStore => ({
  find: () => findHold(db),
  async count(now) {
    const { rows } = await db.query<Waiting>(
      `select count(*) as waiting, count(*) filter (where ${IS_OVER}) as outdated
       from (${WAITING}) as waiting left join dispatches on dispatches.id = dispatch_id`,
      [now],
    );
    return rows[0] ?? { waiting: 0, outdated: 0 };
  },
  async dropOutdated(now) {
    const { rows } = await db.query<Row<"dispatches", "id">>(
      `select distinct dispatches.id from (${WAITING}) as waiting join dispatches on dispatches.id = dispatch_id
       where ${IS_OVER} order by 1`,
      [now],
    );
    const ids = rows.map(({ id }) => id);
    await db.query(
      "update notices set state = 'dropped', owed_look_at = null where state = 'waiting' and dispatch_id = any($1)",
      [ids],
    );
    await dropDeliveries(db, { of: "dispatch_id", ids, at: now, reason: null });
    for (const table of ["mails", "phone_messages", "personal_notices"])
      await db.query(
        `update ${table} set state = 'dropped', next_attempt_at = null, leased_until = null
         where state = 'waiting' and dispatch_id = any($1)`,
        [ids],
      );
    return ids;
  },
  async release() {
    const { rowCount } = await db.query("delete from settings where name = $1", [NAME]);
    return rowCount === 1;
  },
});
