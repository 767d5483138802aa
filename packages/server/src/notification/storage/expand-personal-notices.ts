import { LISTED_MS } from "../../dispatch/domain/dispatch.js";
import { IS_SELF_MADE } from "../../dispatch/storage/dispatch-conditions.js";
import type { Queryable } from "../../platform/database/database.js";
import type { DueWork } from "../../platform/database/due-work.js";
import { participantAlarms } from "../domain/personal-notice.js";
import type { PeopleToNotify } from "../operations/people-to-notify.js";
import type { Expanded } from "../operations/send-personal-notices.js";

/** Alarms that one look tells the end of. */
const ENDED_AT_ONCE = 16;

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
  },
  async ofAlarms(ids, { at, hasMail }) {
    if (ids.length === 0) return;
    await db.query({ name: "expand-personal-alarms", text: OF_ALARMS, values: [at, hasMail, participantAlarms, ids] });
  },
});

/** Creates the notices that alarms are over. */
export const expandEndedAlarms = async (db: Queryable, now: Date): Promise<Expanded> => {
  const { rows } = await db.query<{ readonly noted: number; readonly written: number }>({
    name: "expand-ended-alarms",
    text: OF_ENDED_ALARMS,
    values: [now],
  });
  const [{ noted, written: count } = { noted: 0, written: 0 }] = rows;
  return { written: count > 0, hasMore: noted === ENDED_AT_ONCE };
};

/** Condition on an alarm: it is over, and nobody was told yet. */
const IS_ENDED = "cleared_at is not null and not end_noted";

/** Alarms that are over, of which people were not told yet. */
export const dueEndedAlarms: DueWork = {
  name: "ends of alarms for people",
  next: `select timestamptz 'epoch' from alarms where ${IS_ENDED} order by seq limit 1`,
};

/** Of the people in `concerned (user_id, dispatch_id, event, alarm_id)`: a row for the mail, and one for each browser. */
const written = (topic: { readonly mail: string; readonly push: string }): string => `
  insert into personal_notices (id, user_id, account_id, name, channel, subscription_id, browser, host, dispatch_id, event,
    alarm_id, created_at, next_attempt_at)
  select 'pnt_' || replace(gen_random_uuid()::text, '-', ''), users.id, users.account_id, users.name, channel,
    subscription_id, browser, host, dispatch_id, event, alarm_id, $1, $1
  from concerned join users on users.id = user_id join notice_preferences using (user_id)
  left join accounts on accounts.id = users.account_id
  cross join lateral (
    select 'mail' as channel, null as subscription_id, null as browser, null as host where $2 and ${topic.mail}
    union all
    select 'push', push_subscriptions.id, push_subscriptions.name, host from push_subscriptions
    where push_subscriptions.user_id = users.id and ${topic.push}
  ) as places
  where not users.disabled and users.deleted_at is null and accounts.disabled is not true
  order by concerned.seq`;

const OF_DISPATCH_NOTICES = `
  with due as materialized (
    select notices.seq, dispatch_id, event, program_id, self_made, authorized, end_time, dispatches.changed_at
    from notices join dispatches on dispatches.id = dispatch_id where notices.seq = any($4) and state <> 'dropped'
  ), concerned as (
    select due.seq, users.id as user_id, dispatch_id, event, null as alarm_id from due
    join users on users.account_id is null
      or exists (select from dispatch_sites where dispatch_id = due.dispatch_id and account_id = users.account_id)
    where not ${IS_SELF_MADE} and case when authorized then end_time is null or end_time >= $3 else changed_at >= $3 end
  )
  ${written({
    mail: "case event when 'dispatch.create' then dispatch_mail else change_mail end",
    push: "case event when 'dispatch.create' then dispatch_push else change_push end",
  })}`;

/** One whose end was noted before anybody was told of it is no news. */
const OF_ALARMS = `
  with due as materialized (
    select seq, id, kind, account_id from alarms where id = any($4) and not end_noted order by seq for update
  ), concerned as (
    select due.seq, users.id as user_id, null as dispatch_id, null as event, due.id as alarm_id from due
    join users on users.account_id is null or (users.account_id = due.account_id and kind = any($3))
  )
  ${written({ mail: "alarm_mail", push: "alarm_push" })}`;

/**
 * Whoever was notified of an alarm is notified of its end once, the way that was (G72). While a notice of it is being
 * sent, nobody knows whether it arrives; those that wait are dropped, since the alarm is over.
 */
const OF_ENDED_ALARMS = `
  with due as materialized (
    select seq, id from alarms
    where ${IS_ENDED} and not exists (
      select from personal_notices where alarm_id = alarms.id and state = 'waiting' and leased_until > $1)
    order by seq limit ${ENDED_AT_ONCE} for update skip locked
  ), noted as (
    update alarms set end_noted = true where seq in (select seq from due) returning seq
  ), notified as (
    select distinct on (alarm_id, user_id, channel, subscription_id) notices.* from personal_notices as notices
    join due on due.id = alarm_id
    where state = 'sent' and not alarm_over order by alarm_id, user_id, channel, subscription_id, notices.seq
  ), written as (
    insert into personal_notices (id, user_id, account_id, name, channel, subscription_id, browser, host, alarm_id, alarm_over,
      created_at, next_attempt_at)
    select 'pnt_' || replace(gen_random_uuid()::text, '-', ''), user_id, account_id, name, channel, subscription_id, browser,
      host, alarm_id, true, $1, $1
    from notified order by seq returning id
  )
  select (select count(*) from noted) as noted, (select count(*) from written) as written`;
