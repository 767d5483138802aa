import type { LanguageChoice } from "../../access/domain/language.js";
import type { ClaimedMessage } from "../../dispatch/domain/message.js";
import type { MailboxChannel } from "../../dispatch/storage/mailbox.js";
import type { Row } from "../../platform/database/columns.js";
import type { SecretBox } from "../../platform/secret-box.js";
import type { PersonalChannel } from "../domain/notice-preferences.js";
import type { ClaimedPersonalNotice, NoticeSubject, PersonalTarget } from "../domain/personal-notice.js";
import type { WebhookEventName } from "../domain/webhook.js";
import { waitsSince } from "./delivery-release.js";
import { quietHoursOf } from "./notice-preference-store.js";
import { IS_SUBSCRIBED, openedTarget } from "./push-subscription-store.js";

/** Condition on a message: to a person, as it was chosen. Its recipient is the person, or a browser of the person. */
export const IS_PERSONAL = "channel in ('personal_mail', 'personal_push')";

interface About
  extends Pick<Row<"users", "email">, "email">,
    Row<"notice_preferences", "quiet_from" | "quiet_until" | "time_zone"> {
  readonly user_id: string;
  readonly language: LanguageChoice;
  readonly name: string;
  readonly host: string | null;
  readonly target: string | null;
  readonly alarm_kind: string | null;
  readonly alarm_account: string | null;
  readonly alarm_program: string | null;
}

const ABOUT = `(
  select json_build_object('user_id', users.id, 'name', messages.detail ->> 'name', 'host', messages.detail ->> 'host', 'email', users.email,
    'language', json_build_object('own', users.language, 'account', (select language from accounts where accounts.id = users.account_id)),
    'quiet_from', quiet_from, 'quiet_until', quiet_until, 'time_zone', time_zone, 'target', target, 'alarm_kind', alarms.kind,
    'alarm_account', accounts.name, 'alarm_program', (select program_name from dispatches where dispatches.id = alarms.dispatch_id))
  from users join notice_preferences on notice_preferences.user_id = users.id
  left join push_subscriptions on push_subscriptions.id = messages.recipient
  left join alarms on alarms.id = messages.subject left join accounts on accounts.id = alarms.account_id
  where users.id = messages.user_id)`;

/** By the topic of a notice: whether the person still chose its channel. */
const IS_WANTED = `case
  when due.event like 'alarm.%' then case due.channel when 'personal_mail' then alarm_mail else alarm_push end
  when due.event = 'dispatch.create' then case due.channel when 'personal_mail' then dispatch_mail else dispatch_push end
  else case due.channel when 'personal_mail' then change_mail else change_push end end`;

/** Two notices to the same address or browser about the same dispatch or alarm. */
const IS_SAME_PLACE = `other.user_id = due.user_id and other.subject = due.subject and other.channel = due.channel
  and other.recipient = due.recipient and other.${IS_PERSONAL}`;

/** An earlier one that is being sent. */
const IS_UNDER_WAY = `${IS_SAME_PLACE} and other.seq < due.seq and other.state = 'pending' and other.leased_until > $2`;

/**
 * A notice is needless once its retries are over, its person may not sign in, chose otherwise or signed the browser out,
 * the alarm that it tells of is over, a later notice of the dispatch says more, or no notice of the alarm that ended arrived. The later
 * one waits for one in flight, which would arrive after it.
 */
const IS_NEEDLESS = `(
  not exists (
    select from users join notice_preferences on notice_preferences.user_id = users.id
    left join accounts on accounts.id = users.account_id
    where users.id = due.user_id and not users.disabled and users.deleted_at is null and accounts.disabled is not true and ${IS_WANTED})
  or ${waitsSince("due.created_at")} < $1::timestamptz - interval '25 hours'
  or due.channel = 'personal_push' and not exists (
    select from push_subscriptions
    where push_subscriptions.id = due.recipient and push_subscriptions.user_id = due.user_id and ${IS_SUBSCRIBED})
  or due.event = 'alarm.raise' and exists (
    select from alarms where alarms.id = due.subject and (cleared_at is not null or acknowledged_at is not null))
  or exists (select from messages as other where ${IS_SAME_PLACE} and other.seq > due.seq)
  or due.event = 'alarm.clear' and not exists (
    select from messages as other where ${IS_SAME_PLACE} and other.state = 'delivered' or ${IS_UNDER_WAY}))`;

/** Browsers that are gone are forgotten; of others the person sees how the last notice went. */
const OF_BROWSERS = `to_browsers as (
    select recipient, given.* from given join messages using (id) where channel = 'personal_push'
  ), gone as (
    delete from push_subscriptions where id in (select recipient from to_browsers where cause = 'gone')
  ), noted as (
    update push_subscriptions
    set last_error = kept ->> 'error', last_success_at = case outcome when 'delivered' then at else last_success_at end
    from (
      select distinct on (recipient) * from to_browsers
      where cause is distinct from 'gone' and (outcome = 'delivered' or kept ? 'error') order by recipient, at desc
    ) as newest
    where push_subscriptions.id = newest.recipient
  )`;

/** Encrypting a push message takes about a millisecond; more at once would hold up other requests of the process. */
const CLAIMED_AT_ONCE = 64;

export const personalChannel = (channel: PersonalChannel, box: SecretBox): MailboxChannel<ClaimedPersonalNotice> => ({
  name: `personal-${channel}`,
  channels: [`personal_${channel}`],
  order: "failures > 0, next_attempt_at",
  looksAt: CLAIMED_AT_ONCE,
  perRecipient: CLAIMED_AT_ONCE,
  isNeedless: IS_NEEDLESS,
  isHeld: `exists (select from messages as other where ${IS_UNDER_WAY})`,
  waitsSince: waitsSince("created_at"),
  about: ABOUT,
  beside: OF_BROWSERS,
  claimedOf: (message) => noticeOf(box, message, message.about as About),
});

const noticeOf = (box: SecretBox, message: ClaimedMessage, about: About): ClaimedPersonalNotice => ({
  id: message.id,
  userId: about.user_id,
  accountId: message.accountId,
  language: about.language,
  host: about.host,
  quietHours: quietHoursOf(about),
  timezone: about.time_zone,
  target: targetOf(box, message, about),
  subject: subjectOf(message, about),
  failures: message.failures,
  createdAt: message.createdAt,
  leasedUntil: message.leasedUntil,
});

const targetOf = (box: SecretBox, { id, channel, recipient }: ClaimedMessage, about: About): PersonalTarget => {
  const { name, email, target } = about;
  if (channel === "personal_mail") return { channel: "mail", name, email };
  if (target === null) throw new Error(`notice ${id} was claimed without its browser`);
  return { channel: "push", subscriptionId: recipient, push: openedTarget(box, recipient, target) };
};

const subjectOf = ({ id, subject, event }: ClaimedMessage, { alarm_kind, ...about }: About): NoticeSubject => {
  if (!event.startsWith("alarm.")) return { of: "dispatch", dispatchId: subject, event: event as WebhookEventName };
  if (alarm_kind === null) throw new Error(`notice ${id} is about nothing`);
  const { alarm_account: accountName, alarm_program: programName } = about;
  const alarm = { id: subject, kind: alarm_kind, accountName, programName, isOver: event === "alarm.clear" };
  return { of: "alarm", alarm };
};
