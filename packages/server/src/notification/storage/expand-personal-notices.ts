import { LISTED_MS } from "../../dispatch/domain/dispatch.js";
import { IS_REHEARSAL } from "../../dispatch/storage/dispatch-conditions.js";
import { messageProgress } from "../../dispatch/storage/mailbox.js";
import { appended } from "../../platform/database/commits.js";
import type { Queryable } from "../../platform/database/database.js";
import { participantAlarms } from "../domain/personal-notice.js";
import type { PeopleToNotify } from "../operations/people-to-notify.js";
import { IS_PERSONAL } from "./personal-notice-queue.js";

/**
 * Participants' own tests notify nobody, nor does what is not listed any more: a service that was down for days must not send
 * its history. What was cancelled before its notification has no notices.
 */
export const peopleToNotify = (db: Queryable): PeopleToNotify => ({
  async ofDispatchNotices(seqs, { at, hasMail }) {
    if (seqs.length === 0) return;
    await db.query({
      name: "expand-personal-notices",
      text: OF_DISPATCH_NOTICES,
      values: [at, hasMail, new Date(at.getTime() - LISTED_MS), seqs],
    });
    appended(db, "progress");
  },
  async ofAlarms(ids, { at, hasMail }) {
    if (ids.length === 0) return;
    await db.query({ name: "expand-personal-alarms", text: OF_ALARMS, values: [at, hasMail, participantAlarms, ids] });
  },
  async ofEndedAlarms(ids, at) {
    if (ids.length === 0) return;
    await db.query({ name: "expand-ended-alarms", text: OF_ENDED_ALARMS, values: [at, ids] });
  },
});

/** Of the people in `concerned (user_id, subject, event)`: a message for the mail, and one for each browser. */
const written = (topic: { readonly mail: string; readonly push: string }): string => `made as (
    insert into messages (id, channel, recipient, user_id, account_id, subject, event, detail, created_at, next_attempt_at)
    select 'pnt_' || replace(gen_random_uuid()::text, '-', ''), channel, coalesce(subscription_id, users.id), users.id, users.account_id,
      subject, event, jsonb_strip_nulls(jsonb_build_object('name', users.name, 'browser', browser, 'host', host)), $1, $1
    from concerned join users on users.id = user_id join notice_preferences using (user_id)
    left join accounts on accounts.id = users.account_id
    cross join lateral (
      select 'personal_mail' as channel, null as subscription_id, null as browser, null as host where $2 and ${topic.mail}
      union all
      select 'personal_push', push_subscriptions.id, push_subscriptions.name, host from push_subscriptions
      where push_subscriptions.user_id = users.id and ${topic.push}
    ) as places
    where not users.disabled and users.deleted_at is null and accounts.disabled is not true
    order by concerned.seq
    returning subject, account_id, event
  )
  ${messageProgress("made", "$1")}`;

const OF_DISPATCH_NOTICES = `
  with due as materialized (
    select notices.seq, dispatch_id, event, program_id, self_made, authorized, end_time, dispatches.changed_at
    from notices join dispatches on dispatches.id = dispatch_id where notices.seq = any($4) and state <> 'dropped'
  ), concerned as (
    select due.seq, users.id as user_id, dispatch_id as subject, event from due
    join users on users.account_id is null
      or exists (select from dispatch_sites where dispatch_id = due.dispatch_id and account_id = users.account_id)
    where not ${IS_REHEARSAL} and case when authorized then end_time is null or end_time >= $3 else changed_at >= $3 end
  ), ${written({
    mail: "case event when 'dispatch.create' then dispatch_mail else change_mail end",
    push: "case event when 'dispatch.create' then dispatch_push else change_push end",
  })}`;

/** An alarm that is over by now notifies nobody. */
const OF_ALARMS = `
  with due as materialized (
    select seq, id, kind, account_id from alarms where id = any($4) and cleared_at is null
  ), concerned as (
    select due.seq, users.id as user_id, due.id as subject, 'alarm.raise' as event from due
    join users on users.account_id is null or (users.account_id = due.account_id and kind = any($3))
  ), ${written({ mail: "alarm_mail", push: "alarm_push" })}`;

/** The people notified of an alarm are notified of its end, the same way (G72). A notice under way may still arrive: the queue decides. */
const OF_ENDED_ALARMS = `
  insert into messages (id, channel, recipient, user_id, account_id, subject, event, detail, created_at, next_attempt_at)
  select 'pnt_' || replace(gen_random_uuid()::text, '-', ''), channel, recipient, user_id, account_id, subject, 'alarm.clear',
    detail - 'text' - 'error', $1, $1
  from messages
  where subject = any($2) and ${IS_PERSONAL} and event = 'alarm.raise' and (state = 'delivered' or leased_until is not null) order by seq`;
