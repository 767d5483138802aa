import { IS_NOT_OVER, IS_REHEARSAL, IS_RUNNING } from "../../../dispatch/storage/dispatch-conditions.js";
import { formatTimestamp } from "../../../platform/timestamp.js";
import { account, accountName, alarmRule, WHEN_DISPATCHED } from "../alarm-rule.js";
import { count, type FactsOf, oneOf, text, textOrNull, time } from "../facts.js";

const facts = {
  ...account,
  program_name: text,
  site_name: textOrNull,
  cut: oneOf("disabled", "keyless", "withdrawn"),
};

const CUT_OFF = `
  with running as materialized (
    select id, program_id, program_name, notification_time from dispatches where ${IS_RUNNING}
  ), called as materialized (
    select account_id, min(program_name) as program_name, min(notification_time) as since
    from running join dispatch_sites on dispatch_id = running.id group by account_id
  )
  select account_id as subject, account_id, accounts.name as account_name, program_name, null as site_name,
    case when disabled then 'disabled' else 'keyless' end as cut
  from called join accounts on accounts.id = account_id
  where disabled or (
    exists (select from api_keys as key where key.account_id = called.account_id and environment = 'production'
      and claimed_at is not null and revoked_at >= since)
    and not exists (select from api_keys as key where key.account_id = called.account_id and environment = 'production'
      and claimed_at is not null and revoked_at is null and (expires_at is null or expires_at > $1)))
  union all
  select distinct on (site_id) site_id, dispatch_sites.account_id, accounts.name, program_name, dispatch_sites.name, 'withdrawn'
  from running join dispatch_sites on dispatch_id = running.id join accounts on accounts.id = dispatch_sites.account_id
  where was_enrolled and not disabled and not exists (
    select from enrolments where enrolments.program_id = running.program_id and enrolments.site_id = dispatch_sites.site_id)`;

const messageOf = (left: FactsOf<typeof facts>): string => {
  const still = `while it is part of a dispatch of ${left.program_name} in progress`;
  switch (left.cut) {
    case "disabled":
      return (
        `Account ${accountName(left)} was disabled ${still}: it is not notified of changes, and its systems are refused. ` +
        "Phone it about the dispatch, or enable it."
      );
    case "keyless":
      return (
        `The last API key of account ${accountName(left)} was revoked ${still}: its systems can neither read dispatches nor ` +
        "send readings. Phone it about the dispatch, or issue a new key."
      );
    case "withdrawn":
      return (
        `${left.site_name} of account ${accountName(left)} was withdrawn from its program ${still}. Phone the account if the ` +
        "site need not curtail any more; the dispatch itself does not change."
      );
  }
};

/** Accounts and sites that dispatches in progress still target, though somebody cut them off meanwhile (G72). */
export const dispatchedCutOff = alarmRule({
  kind: "dispatched_cut_off",
  find: CUT_OFF,
  when: WHEN_DISPATCHED,
  facts,
  message: messageOf,
  reason: ({ cut }) => cut,
});

/** Dispatches without an end that have been running for longer than their program expects (G60). */
export const dispatchOpenLong = alarmRule({
  kind: "dispatch_open_long",
  find: `
    select dispatches.id as subject, null as account_id, program_name, start_time, longest_open_hours
    from dispatches join programs on programs.id = program_id
    where end_time is null and ${IS_RUNNING} and start_time < $1::timestamptz - longest_open_hours * interval '1 hour'
    order by dispatches.seq`,
  when: WHEN_DISPATCHED,
  facts: { program_name: text, start_time: time, longest_open_hours: count },
  message: ({ program_name, start_time, longest_open_hours: hours }) =>
    `The dispatch of ${program_name} that started at ${formatTimestamp(start_time)} has no end and has been running for ` +
    `more than ${hours} hour${hours === 1 ? "" : "s"}. End it if it was forgotten, or set its end. If such dispatches are ` +
    "meant to last longer, raise the program's longest dispatch without an end.",
});

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
    where not ${IS_REHEARSAL} and authorized and ${IS_NOT_OVER}
      and notification_time <= deleted_at and not disabled
    group by account_id, accounts.name order by account_id`,
  when: WHEN_DISPATCHED,
  facts: { ...account, dispatch_id: text, dispatches: count },
  message: (left) =>
    `Account ${accountName(left)} deleted its last webhook while it is part of dispatch ${left.dispatch_id}` +
    `${left.dispatches === 1 ? "" : ` and ${left.dispatches - 1} more`}: it learns of changes only by polling. ` +
    "Ask the account to register a webhook, or phone it when a dispatch changes.",
});
