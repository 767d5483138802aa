import { IS_NOT_OVER, IS_SELF_MADE } from "../../../dispatch/storage/dispatch-conditions.js";
import { account, accountName, alarmRule, WHEN_DISPATCHED } from "../alarm-rule.js";
import { count, text } from "../facts.js";

/** A webhook deleted before any notice is no problem: the dispatch must have been notified before the deletion. */
export const lastWebhookDeleted = alarmRule({
  kind: "last_webhook_deleted",
  find: `
    with gone as (
      select account_id, max(deleted_at) as deleted_at from webhooks
      group by account_id having bool_and(deleted_at is not null)
    )
    select account_id as subject, account_id, accounts.name as account_name, min(dispatch_id) as dispatch_id,
      count(distinct dispatch_id) as dispatches
    from gone join accounts on accounts.id = account_id join dispatch_sites using (account_id)
    join dispatches on dispatches.id = dispatch_id
    where not ${IS_SELF_MADE} and authorized and ${IS_NOT_OVER}
      and notification_time <= deleted_at and not disabled
    group by account_id, accounts.name order by account_id`,
  when: WHEN_DISPATCHED,
  facts: { ...account, dispatch_id: text, dispatches: count },
  message: (left) =>
    `Account ${accountName(left)} deleted its last webhook while it is part of dispatch ${left.dispatch_id}` +
    `${left.dispatches === 1 ? "" : ` and ${left.dispatches - 1} more`}: it learns of changes only by polling. ` +
    "Ask the account to register a webhook, or phone it when a dispatch changes.",
});
