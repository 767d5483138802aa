import { isOver } from "../../dispatch/storage/dispatch-conditions.js";
import { lockedNotices } from "../../dispatch/storage/notice-store.js";
import { addressedChannels } from "../../platform/channel.js";
import type { Queryable } from "../../platform/database/database.js";
import { progressIn } from "../../platform/database/journal-progress.js";
import { readNumber } from "../../platform/database/read.js";
import { IS_ADDRESSED } from "./addressed-messages.js";
import { noteRelease } from "./delivery-release.js";
import { dropMessages, IS_TO_WEBHOOK, ofWebhooks } from "./delivery-store.js";
import { IS_MAIL } from "./mail-queue.js";
import { IS_PERSONAL } from "./personal-notice-queue.js";
import { IS_TO_PHONE } from "./phone-messages.js";

type Schema = "" | "sandbox.";

const ofDispatches = (rows: string, schema: Schema): string => `
  select channel, dispatch_id, ${isOver(schema)} as is_outdated
  from (${rows}) as waiting join ${schema}dispatches as dispatches on dispatches.id = dispatch_id`;

const toWebhooks = (schema: Schema, channel: string): string => `
  select '${channel}' as channel, dispatch_id from ${schema}notices where state = 'waiting' and due_at <= $1
  union all
  select '${channel}', subject from ${schema}messages where channel = 'webhook' and (state = 'pending' or resend_at is not null)`;

/** What tells that an alarm is over is old after a day; an alarm that is not over never is. */
const IS_OLD_ALARM = "messages.event = 'alarm.clear' and messages.created_at < $1::timestamptz - interval '1 day'";

/** What waits to be sent at $1, in `(channel, dispatch_id, is_outdated)`. */
export const WAITING_NOTICES = `
  ${ofDispatches(
    `${toWebhooks("", "webhook")}
     union all select 'mail', subject from messages where ${IS_MAIL} and state = 'pending' and not behind
     union all select channel, subject from messages where ${IS_TO_PHONE} and state = 'pending' and not behind
     union all select channel, subject from messages where ${IS_ADDRESSED} and state = 'pending' and not behind
     union all select 'personal', subject from messages where ${IS_PERSONAL} and state = 'pending' and not behind and event like 'dispatch.%'`,
    "",
  )}
  union all
  ${ofDispatches(toWebhooks("sandbox.", "sandbox"), "sandbox.")}
  union all
  select 'personal', null, ${IS_OLD_ALARM} from messages
  where ${IS_PERSONAL} and state = 'pending' and not behind and event like 'alarm.%'`;

/**
 * Drops what waits about dispatches that are over, and gives everything else its full time from now on. Returns how many
 * were dropped, by channel. Notices to webhooks become deliveries first, so that the evidence has each of them; other channels
 * made their messages while delivery was held.
 */
export const dropOutdatedNotices = async (db: Queryable, now: Date): Promise<ReadonlyMap<string, number>> => {
  const webhook = (await dropNotices(db, "", now)) + (await dropPending(db, "", now, IS_TO_WEBHOOK));
  const sandbox = (await dropNotices(db, "sandbox.", now)) + (await dropPending(db, "sandbox.", now, IS_TO_WEBHOOK));
  await endWatch(db, now);
  await noteRelease(db, now);
  return new Map([
    ["webhook", webhook],
    ["sandbox", sandbox],
    ["mail", await dropPending(db, "", now, IS_MAIL)],
    ["sms", await dropPending(db, "", now, "channel = 'sms'")],
    ["voice", await dropPending(db, "", now, "channel = 'voice'")],
    ...(await dropAddressed(db, now)),
    ["personal", await dropPending(db, "", now, IS_PERSONAL)],
  ]);
};

const dropAddressed = async (db: Queryable, now: Date): Promise<ReadonlyArray<readonly [string, number]>> => {
  const dropped: Array<readonly [string, number]> = [];
  for (const channel of addressedChannels)
    dropped.push([channel, await dropPending(db, "", now, `channel = '${channel}'`)]);
  return dropped;
};

const OF_OVER = `dispatch_id in (select id from dispatches where ${isOver()})`;

/** No account is owed a notice of a dispatch that is over. */
const endWatch = (db: Queryable, now: Date) =>
  db.query(
    `with locked as materialized (${lockedNotices(`owed_look_at is not null and ${OF_OVER}`)})
     update notices set owed_look_at = null from locked where notices.seq = locked.seq`,
    [now],
  );

/** Each webhook that a notice would still have reached gets a delivery that was dropped. */
const dropNotices = (db: Queryable, schema: Schema, now: Date): Promise<number> =>
  readNumber(db, "made", {
    text: `with outdated as materialized (
       select seq, dispatch_id, event from ${schema}notices as notices
       where state = 'waiting' and due_at <= $1
         and dispatch_id in (select id from ${schema}dispatches as dispatches where ${isOver(schema)})
       order by seq for no key update
     ), made as (
       insert into ${schema}messages (id, recipient, notice_seq, subject, event, state, created_at, ended_at, reason)
       select 'dlv_' || replace(gen_random_uuid()::text, '-', ''), webhooks.id, outdated.seq, dispatch_id, event, 'dropped',
         $1, $1, 'outdated'
       from outdated
       join lateral (select distinct account_id from ${schema}dispatch_sites as sites
         where sites.dispatch_id = outdated.dispatch_id) as told on true
       join ${schema}webhooks as webhooks on webhooks.account_id = told.account_id and event = any(webhooks.events)
         and webhooks.deleted_at is null
       where told.account_id not in (select id from accounts where disabled)
         and not exists (select from ${schema}messages as given
           where given.subject = outdated.dispatch_id and given.notice_seq = outdated.seq and given.recipient = webhooks.id)
       order by outdated.seq, webhooks.seq
       returning recipient, subject
     ), followed as (
       ${progressIn(ofWebhooks("made", schema), { at: "$1", schema })}
     ), ended as (
       update ${schema}notices set state = 'sent', owed_look_at = null where seq in (select seq from outdated)
     )
     select count(*) as made from made`,
    values: [now],
  });

const dropPending = async (db: Queryable, schema: Schema, now: Date, channel: string): Promise<number> => {
  const { rows } = await db.query<{ id: string }>(
    `select messages.id from ${schema}messages as messages left join ${schema}dispatches as dispatches on dispatches.id = subject
     where ${channel} and (state = 'pending' or resend_at is not null) and (${isOver(schema)} or ${IS_OLD_ALARM})`,
    [now],
  );
  return dropMessages(db, { of: "id", ids: rows.map(({ id }) => id), at: now, reason: "outdated", schema });
};
