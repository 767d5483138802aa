import { LISTED_MS } from "../../dispatch/domain/dispatch.js";
import { IS_SELF_MADE } from "../../dispatch/storage/dispatch-conditions.js";
import { lockedNotices } from "../../dispatch/storage/locked-notices.js";
import type { Queryable } from "../../platform/database/database.js";
import type { DueWork } from "../../platform/database/due-work.js";
import { participantAlarms } from "../domain/personal-notice.js";
import type { Expanded } from "../operations/send-personal-notices.js";

/** Notices and alarms that one look expands. */
const SUBJECTS_AT_ONCE = 16;

interface ExpandedRow {
  /** Notices or alarms. */
  readonly noted: number;
  readonly written: number;
}

/**
 * Creates the notices of due dispatch notices and of new alarms, for everybody who wants them. Participants' own tests
 * notify nobody, nor does what is not listed any more: a service that was down for days must not send its history. What was
 * cancelled before its notification is never expanded.
 */
export const expandPersonalNotices = async (db: Queryable, now: Date, hasMail: boolean): Promise<Expanded> => {
  const dispatches = await expandDispatchNotices(db, { now, hasMail });
  const alarms = await db.query<ExpandedRow>({
    name: "expand-personal-alarms",
    text: EXPAND_ALARMS,
    values: [now, hasMail, participantAlarms],
  });
  const ends = await db.query<ExpandedRow>({ name: "expand-ended-alarms", text: EXPAND_ENDED_ALARMS, values: [now] });
  const rows = [...dispatches, ...alarms.rows, ...ends.rows];
  return {
    written: rows.some(({ written }) => written > 0),
    hasMore: rows.some(({ noted }) => noted === SUBJECTS_AT_ONCE),
  };
};

/**
 * Creates the notices of due dispatch notices alone.
 *
 * @param condition on a notice; may refer to the time of now as $1
 */
export const expandDispatchNotices = async (
  db: Queryable,
  { now, hasMail }: { readonly now: Date; readonly hasMail: boolean },
  condition?: string,
): Promise<readonly ExpandedRow[]> => {
  const { rows } = await db.query<ExpandedRow>({
    ...(condition === undefined && { name: "expand-personal-notices" }),
    text: expandingNotices(condition ?? "true"),
    values: [now, hasMail, new Date(now.getTime() - LISTED_MS)],
  });
  return rows;
};

/** Condition on an alarm: it is over, and nobody was told yet. */
const IS_ENDED = "cleared_at is not null and not end_noted and people_noted";

/** Dispatch notices, alarms and their ends that people were not told of yet. */
export const dueForPeople: DueWork = {
  name: "notices to make for people",
  next: `least(
    (select due_at from notices where not people_noted and state <> 'dropped' order by due_at limit 1),
    (select timestamptz 'epoch' from alarms where not people_noted order by seq limit 1),
    (select timestamptz 'epoch' from alarms where ${IS_ENDED} order by seq limit 1))`,
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
  order by concerned.seq returning id`;

const expandingNotices = (condition: string): string => `
  with oldest as materialized (
    select seq from notices where not people_noted and state <> 'dropped' and due_at <= $1 and ${condition}
    order by due_at limit ${SUBJECTS_AT_ONCE}
  ), locked as materialized (
    ${lockedNotices("seq in (select seq from oldest) and not people_noted")}
  ), due as materialized (
    select notices.seq, dispatch_id, event, program_id, self_made, authorized, end_time, dispatches.changed_at
    from locked join notices using (seq) join dispatches on dispatches.id = dispatch_id
  ), noted as (
    update notices set people_noted = true where seq in (select seq from due) returning seq
  ), concerned as (
    select due.seq, users.id as user_id, dispatch_id, event, null as alarm_id from due
    join users on users.account_id is null
      or exists (select from dispatch_sites where dispatch_id = due.dispatch_id and account_id = users.account_id)
    where not ${IS_SELF_MADE} and case when authorized then end_time is null or end_time >= $3 else changed_at >= $3 end
  ), written as (${written({
    mail: "case event when 'dispatch.create' then dispatch_mail else change_mail end",
    push: "case event when 'dispatch.create' then dispatch_push else change_push end",
  })})
  select (select count(*) from noted) as noted, (select count(*) from written) as written`;

const EXPAND_ALARMS = `
  with due as materialized (
    select seq, id, kind, account_id from alarms where not people_noted order by seq limit ${SUBJECTS_AT_ONCE} for update
  ), noted as (
    update alarms set people_noted = true where seq in (select seq from due) returning seq
  ), concerned as (
    select due.seq, users.id as user_id, null as dispatch_id, null as event, due.id as alarm_id from due
    join users on users.account_id is null or (users.account_id = due.account_id and kind = any($3))
  ), written as (${written({ mail: "alarm_mail", push: "alarm_push" })})
  select (select count(*) from noted) as noted, (select count(*) from written) as written`;

/**
 * Whoever was notified of an alarm is notified of its end once, the way that was (G72). While a notice of it is being
 * sent, nobody knows whether it arrives; those that wait are dropped, since the alarm is over.
 */
const EXPAND_ENDED_ALARMS = `
  with due as materialized (
    select seq, id from alarms
    where ${IS_ENDED} and not exists (
      select from personal_notices where alarm_id = alarms.id and state = 'waiting' and leased_until > $1)
    order by seq limit ${SUBJECTS_AT_ONCE} for update
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
