import { dropOutdatedNotices, WAITING_NOTICES } from "../../notification/storage/outdated-notices.js";
import { LISTED_AFTER_END_MS } from "../../openadr/domain/ven.js";
import { dropOutdatedPushes, WAITING_PUSHES } from "../../openadr/storage/outdated-pushes.js";
import {
  dropOutdatedCallbacks,
  dropOutdatedMessages,
  WAITING_CALLBACKS,
  WAITING_MESSAGES,
} from "../../openadr-3/storage/outdated-changes.js";
import type { Queryable } from "../../platform/database/database.js";
import { matchesOne } from "../../platform/database/read.js";
import { findSetting, replaceSetting } from "../../platform/database/setting-store.js";
import type { DeliveryHold } from "../domain/delivery-hold.js";
import type { HoldStore, SendingChannels, Waiting } from "../operations/delivery-hold.js";

/** The setting that holds it. */
export const HOLD_SETTING = "delivery_hold";

/** Set after a restore and before the service first starts; nothing else sets it. */
export const holdDelivery = async (db: Queryable, { heldAt, backupAt }: DeliveryHold): Promise<void> => {
  await replaceSetting(db, HOLD_SETTING, JSON.stringify({ heldAt, backupAt }));
};

/** null if delivery is not held. */
export const findHold = async (db: Queryable): Promise<DeliveryHold | null> =>
  holdFrom(await findSetting(db, HOLD_SETTING));

/** From the value of the setting; null if there is none. */
export const holdFrom = (text: string | null): DeliveryHold | null => {
  if (text === null) return null;
  const { heldAt, backupAt } = JSON.parse(text) as { readonly heldAt: string; readonly backupAt: string };
  return { heldAt: new Date(heldAt), backupAt: new Date(backupAt) };
};

/** What waits to be sent at $1, and to VENs at most since $2, in `(channel, dispatch_id, is_outdated)`. */
const waitingIn = ({ hasBroker }: SendingChannels): string =>
  [WAITING_NOTICES, WAITING_PUSHES, WAITING_CALLBACKS, ...(hasBroker ? [WAITING_MESSAGES] : [])].join(" union all ");

/** VENs are pushed what changed shortly after the end, too: what was over for longer when the backup was made is not due. */
const pushedSince = ({ backupAt }: DeliveryHold): Date => new Date(backupAt.getTime() - LISTED_AFTER_END_MS);

export const holdStore = (db: Queryable): HoldStore => ({
  find: () => findHold(db),
  async count(hold, now, channels) {
    const { rows } = await db.query<Waiting>(
      `select count(*) as waiting, count(*) filter (where is_outdated) as outdated from (${waitingIn(channels)}) as waiting`,
      [now, pushedSince(hold)],
    );
    return rows[0] ?? { waiting: 0, outdated: 0 };
  },
  async dropOutdated(hold, now, channels) {
    const { rows } = await db.query<{ dispatch_id: string }>(
      `select distinct dispatch_id from (${waitingIn(channels)}) as waiting
       where is_outdated and dispatch_id is not null order by 1`,
      [now, pushedSince(hold)],
    );
    const dropped = new Map([
      ...(await dropOutdatedNotices(db, now)),
      ["openadr", await dropOutdatedPushes(db, now, pushedSince(hold))],
      ["openadr3", await dropOutdatedCallbacks(db, now)],
      ["mqtt", channels.hasBroker ? await dropOutdatedMessages(db, now) : 0],
    ]);
    return {
      dispatches: rows.map(({ dispatch_id }) => dispatch_id),
      counts: [...dropped].flatMap(([channel, count]) => (count === 0 ? [] : [{ channel, count }])),
    };
  },
  release: () => matchesOne(db, "delete from settings where name = $1", [HOLD_SETTING]),
});
