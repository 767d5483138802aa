import type pg from "pg";
import { type Row, type RowOf, selection } from "../../platform/database/columns.js";
import { type DueWork, IS_UNLEASED } from "../../platform/database/due-work.js";
import type { SecretBox } from "../../platform/secret-box.js";
import type { PersonalChannel } from "../domain/notice-preferences.js";
import type { NoticeSubject, PersonalTarget } from "../domain/personal-notice.js";
import type { ClaimedPersonalNotice, PersonalNoticeQueue } from "../operations/send-personal-notices.js";
import { waitsSince } from "./delivery-release.js";
import { quietHoursOf } from "./notice-preference-store.js";
import { IS_SUBSCRIBED, openedTarget } from "./push-subscription-store.js";

const noticeRow = selection("personal_notices", [
  "id",
  "user_id",
  "account_id",
  "name",
  "channel",
  "subscription_id",
  "host",
  "dispatch_id",
  "event",
  "failures",
]);

type ClaimedRow = RowOf<typeof noticeRow> &
  Pick<Row<"users", "email">, "email"> &
  Row<"notice_preferences", "quiet_from" | "quiet_until" | "time_zone"> & {
    readonly waits_since: Date;
    readonly target: string | null;
    readonly alarm_id: string | null;
    readonly alarm_over: boolean;
    readonly alarm_kind: string | null;
    readonly alarm_account: string | null;
  };

/** By the topic of a notice: whether the person still chose its channel. */
const IS_WANTED = `case
  when due.alarm_id is not null then case due.channel when 'mail' then alarm_mail else alarm_push end
  when due.event = 'dispatch.create' then case due.channel when 'mail' then dispatch_mail else dispatch_push end
  else case due.channel when 'mail' then change_mail else change_push end end`;

/** Two notices to the same address or browser about the same dispatch or alarm. */
const IS_SAME_PLACE = `other.user_id = due.user_id and (other.dispatch_id = due.dispatch_id or other.alarm_id = due.alarm_id)
  and other.channel = due.channel and other.subscription_id is not distinct from due.subscription_id`;

/** An earlier one that is being sent. */
const IS_UNDER_WAY = `${IS_SAME_PLACE} and other.seq < due.seq and other.state = 'waiting' and other.leased_until > $4`;

/**
 * A notice is needless once its retries are over, its person may not sign in, chose otherwise or signed the browser out,
 * the alarm that it tells of is over, a later notice of the dispatch says more, or no notice of the alarm that ended arrived. The later
 * one waits for one in flight, which would arrive after it.
 */
const CLAIM = `
  with due as materialized (
    select ${noticeRow.columns}, ${waitsSince("created_at")} as waits_since, alarm_id, alarm_over, seq from personal_notices
    where channel = $1 and state = 'waiting' and next_attempt_at <= $2 and (leased_until is null or leased_until <= $4)
      and (host is null or host <> all($6))
    order by failures > 0, next_attempt_at limit $5 for update skip locked
  ), judged as materialized (
    select due.id, users.email, quiet_from, quiet_until, time_zone, target, alarms.kind as alarm_kind,
      of_alarm.name as alarm_account,
      users.disabled or users.deleted_at is not null or coalesce(accounts.disabled, false) or not ${IS_WANTED}
        or waits_since < $2::timestamptz - interval '25 hours'
        or (due.channel = 'push' and push_subscriptions.id is null)
        or (due.alarm_id is not null and not due.alarm_over and (alarms.cleared_at is not null or alarms.acknowledged_at is not null))
        or exists (select from personal_notices as other where ${IS_SAME_PLACE} and other.seq > due.seq)
        or (due.alarm_over and not exists (
          select from personal_notices as other where ${IS_SAME_PLACE} and other.state = 'sent' or ${IS_UNDER_WAY}
        )) as is_needless,
      exists (select from personal_notices as other where ${IS_UNDER_WAY}) as is_early
    from due join users on users.id = due.user_id join notice_preferences on notice_preferences.user_id = users.id
    left join accounts on accounts.id = users.account_id
    left join push_subscriptions on push_subscriptions.id = due.subscription_id
      and push_subscriptions.user_id = due.user_id and ${IS_SUBSCRIBED}
    left join alarms on alarms.id = due.alarm_id
    left join accounts as of_alarm on of_alarm.id = alarms.account_id
  ), dropped as (
    update personal_notices set state = 'dropped', next_attempt_at = null, leased_until = null
    where id in (select id from judged where is_needless)
  ), claimed as (
    update personal_notices set leased_until = $3 where id in (select id from judged where not is_needless and not is_early)
    returning id
  )
  select due.*, email, quiet_from, quiet_until, time_zone, target, alarm_kind, alarm_account, claimed.id is not null as is_ours,
    is_needless
  from due join judged using (id) left join claimed using (id)`;

export const duePersonalNotices = (channel: PersonalChannel): DueWork => ({
  name: `notices to people by ${channel}`,
  next: `select next_attempt_at from personal_notices where channel = '${channel}' and state = 'waiting' and ${IS_UNLEASED}
         order by next_attempt_at limit 1`,
});

export const personalNoticeQueue = (pool: pg.Pool, box: SecretBox): PersonalNoticeQueue => ({
  async claim({ channel, now, leasedUntil, lapsedBefore, limit, busyHosts }) {
    const { rows } = await pool.query<ClaimedRow & { readonly is_ours: boolean; readonly is_needless: boolean }>({
      name: "claim-personal-notices",
      text: CLAIM,
      values: [channel, now, leasedUntil, lapsedBefore, limit, busyHosts],
    });
    const claimed = rows.filter((row) => row.is_ours).map((row) => noticeOf(box, row, leasedUntil));
    const moved = rows.filter((row) => row.is_ours || row.is_needless).length;
    return { claimed, hasMore: rows.length === limit && moved > 0 };
  },
  async record(records) {
    await pool.query({
      name: "record-personal-notices",
      text: `with given as (
               select * from unnest($1::text[], $2::timestamptz[], $3::text[], $4::timestamptz[], $5::timestamptz[],
                 $6::text[], $7::boolean[], $8::text[], $9::text[], $10::int[])
                 as given (id, lease, outcome, at, next_at, error, is_gone, subscription_id, told_text, told_modification)
             ), recorded as (
               update personal_notices
               set state = outcome, next_attempt_at = next_at, leased_until = null,
                 failures = failures + case when error is null then 0 else 1 end,
                 last_error = coalesce(error, last_error),
                 text = told_text, carried_modification = told_modification,
                 sent_at = case outcome when 'sent' then at end, given_up_at = case outcome when 'failed' then at end
               from given
               where personal_notices.id = given.id and state = 'waiting' and (leased_until = lease or outcome = 'sent')
             ), gone as (
               delete from push_subscriptions where id in (select subscription_id from given where is_gone)
             )
             update push_subscriptions
             set last_error = error, last_success_at = case outcome when 'sent' then at else last_success_at end
             from (
               select distinct on (subscription_id) * from given
               where not is_gone and (outcome = 'sent' or error is not null) order by subscription_id, at desc
             ) as newest
             where push_subscriptions.id = newest.subscription_id`,
      values: [
        records.map(({ notice }) => notice.id),
        records.map(({ notice }) => notice.leasedUntil),
        records.map(({ outcome }) => outcome.state),
        records.map(({ outcome }) => (outcome.state === "waiting" ? null : outcome.at)),
        records.map(({ outcome }) => (outcome.state === "waiting" ? outcome.nextAttemptAt : null)),
        records.map(({ outcome }) => (outcome.state === "sent" ? null : outcome.error)),
        records.map(({ outcome }) => outcome.state === "failed" && outcome.isGone),
        records.map(({ notice: { target } }) => (target.channel === "push" ? target.subscriptionId : null)),
        records.map(({ outcome }) => (outcome.state === "sent" ? outcome.text : null)),
        records.map(({ outcome }) => (outcome.state === "sent" ? outcome.modificationNumber : null)),
      ],
    });
  },
});

const noticeOf = (box: SecretBox, row: ClaimedRow, leasedUntil: Date): ClaimedPersonalNotice => ({
  id: row.id,
  userId: row.user_id,
  accountId: row.account_id,
  host: row.host,
  quietHours: quietHoursOf(row),
  timezone: row.time_zone,
  target: targetOf(box, row),
  subject: subjectOf(row),
  failures: row.failures,
  createdAt: row.waits_since,
  leasedUntil,
});

const targetOf = (box: SecretBox, { id, name, email, subscription_id, target }: ClaimedRow): PersonalTarget => {
  if (subscription_id === null) return { channel: "mail", name, email };
  if (target === null) throw new Error(`notice ${id} was claimed without its browser`);
  return { channel: "push", subscriptionId: subscription_id, push: openedTarget(box, subscription_id, target) };
};

const subjectOf = (row: ClaimedRow): NoticeSubject => {
  const { id, dispatch_id, event, alarm_id, alarm_kind, alarm_account } = row;
  if (dispatch_id !== null && event !== null) return { of: "dispatch", dispatchId: dispatch_id, event };
  if (alarm_id === null || alarm_kind === null) throw new Error(`notice ${id} is about nothing`);
  return { of: "alarm", alarm: { id: alarm_id, kind: alarm_kind, accountName: alarm_account, isOver: row.alarm_over } };
};
