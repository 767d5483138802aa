import { IS_SELF_MADE } from "../../../dispatch/storage/dispatch-conditions.js";
import { isPhoned } from "../../../notification/storage/phone-call-store.js";
import { UNDELIVERED_MS } from "../../../platform/alarm.js";
import { formatTimestamp } from "../../../platform/timestamp.js";
import { alarmRule, milliseconds } from "../alarm-rule.js";
import { count, text, time } from "../facts.js";

/** Notices due by $1 that are not sent yet: not expanded, or pending for a webhook. */
export const UNDELIVERED = `
  select dispatch_id, due_at, modification_number, null as webhook_id from notices where state = 'waiting' and due_at <= $1
  union all
  select subject, due_at, modification_number, recipient from messages join notices on notices.seq = notice_seq
  where channel = 'webhook' and messages.state = 'pending' and due_at <= $1`;

/** Notices that are due for a while, and not sent. */
export const noticeUndelivered = alarmRule({
  kind: "notice_undelivered",
  find: `
    select dispatch_id as subject, null as account_id, min(due_at) as due_at, count(distinct webhook_id) as webhooks
    from (${UNDELIVERED}) as undelivered join dispatches on dispatches.id = dispatch_id
    left join webhooks on webhooks.id = webhook_id
    where due_at < $1::timestamptz - ${milliseconds(UNDELIVERED_MS)} and not ${IS_SELF_MADE}
      and not ${isPhoned("dispatch_id", "webhooks.account_id", "undelivered.modification_number")}
    group by dispatch_id order by dispatch_id`,
  facts: { subject: text, due_at: time, webhooks: count },
  message: ({ subject, due_at, webhooks }) =>
    `A notice of dispatch ${subject}, due at ${formatTimestamp(due_at)}, is not delivered yet` +
    (webhooks === 0
      ? ": no process has sent it. Check that a process with the role worker is running."
      : ` to ${webhooks} webhook${webhooks === 1 ? "" : "s"}. See \`curtail admin dispatches deliveries ${subject}\`` +
        " for which, and phone the accounts whose webhooks keep failing."),
});
