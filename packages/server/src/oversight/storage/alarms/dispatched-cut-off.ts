import { IS_RUNNING } from "../../../dispatch/storage/dispatch-conditions.js";
import { account, accountName, alarmRule, WHEN_DISPATCHED } from "../alarm-rule.js";
import { type FactsOf, oneOf, text, textOrNull } from "../facts.js";

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
});
