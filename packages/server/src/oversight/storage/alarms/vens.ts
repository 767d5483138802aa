import { IS_NOT_OVER, IS_REHEARSAL, isShown } from "../../../dispatch/storage/dispatch-conditions.js";
import { ACKNOWLEDGE_MS, LISTED_AFTER_END_MS, MISSED_INTERVALS, WARNED_DAYS } from "../../../openadr/domain/ven.js";
import { formatTimestamp } from "../../../platform/timestamp.js";
import { account, accountName, alarmRule, isPhoned, milliseconds, WHEN_DISPATCHED } from "../alarm-rule.js";
import { count, type FactsOf, text, time, timeOrNull } from "../facts.js";

/** A VEN of OpenADR 2.0a in a finding. */
export const ven = { ...account, id: text, ven_id: text };

export const venName = (row: FactsOf<typeof ven>): string =>
  `VEN ${row.ven_id} (${row.id}) of account ${accountName(row)}`;

/** Condition on a dispatch: it is not over at $1, or was cancelled so recently that VENs are still informed. */
export const STILL_COUNTS = `${IS_NOT_OVER} and ${isShown(`$1::timestamptz - ${milliseconds(LISTED_AFTER_END_MS)}`)}`;

/**
 * VENs that have not polled for three of their intervals while a process was listening; for those that never polled,
 * counted from their first certificate. VENs that events are pushed to need not poll.
 */
export const venSilent = alarmRule({
  kind: "ven_silent",
  find: `
    select vens.id as subject, vens.id, ven_id, account_id, accounts.name as account_name, last_poll_at, poll_interval_seconds
    from vens join accounts on accounts.id = account_id
    where environment = 'production' and deleted_at is null and not disabled and push_url is null
      -- Our own outage is not a VEN's silence: a process must have listened the whole time.
      and exists (select from vtn_listening
        where until - poll_interval_seconds * ${MISSED_INTERVALS} * interval '1 second' > greatest(
          since, coalesce(last_poll_at, (select min(created_at) from ven_certificates where ven = vens.id))))
    order by vens.seq`,
  facts: { ...ven, last_poll_at: timeOrNull, poll_interval_seconds: count },
  message: ({ last_poll_at, poll_interval_seconds, ...row }) =>
    `${venName(row)} should poll every ${poll_interval_seconds} s and ` +
    `${last_poll_at === null ? "never has" : `has not since ${formatTimestamp(last_poll_at)}`}. ` +
    "It receives no dispatches until it polls: phone the account, and check its VEN, certificate and network.",
});

/** Events that were sent to VENs and not acknowledged in time, of dispatches that still count; not if somebody phoned. */
export const venUnacknowledged = alarmRule({
  kind: "ven_unacknowledged",
  find: `
    select vens.id || ' ' || dispatch_id as subject, vens.id, ven_id, account_id, accounts.name as account_name, dispatch_id,
      shown_modification, modification_shown_at
    from dispatches join ven_events on dispatch_id = dispatches.id
    join vens on vens.id = ven join accounts on accounts.id = account_id
    where ${STILL_COUNTS} and not ${IS_REHEARSAL}
      and not ${isPhoned("dispatch_id", "vens.account_id", "shown_modification")}
      and acknowledged_modification is distinct from shown_modification
      and modification_shown_at < $1::timestamptz - ${milliseconds(ACKNOWLEDGE_MS)}
      and deleted_at is null and not disabled
    order by dispatch_id, vens.id`,
  when: WHEN_DISPATCHED,
  facts: { ...ven, dispatch_id: text, shown_modification: count, modification_shown_at: time },
  message: (row) =>
    `${venName(row)} received dispatch ${row.dispatch_id} (modification ${row.shown_modification}) at ` +
    `${formatTimestamp(row.modification_shown_at)} and has not acknowledged it. Phone the account: it may not curtail.`,
  reason: () => "ven_silent",
});

/**
 * VENs whose last certificate expires soon or has expired, unless they have a newer one. Each step is a separate alarm,
 * so that it is raised again at 30 and at 7 days.
 */
export const certificateExpiring = alarmRule({
  kind: "certificate_expiring",
  find: `
    select id || ' ' || days as subject, account_id, account_name, id, ven_id, expires_at, days
    from (
      select vens.id, vens.seq, ven_id, account_id, accounts.name as account_name, max(expires_at) as expires_at
      from vens join accounts on accounts.id = account_id join ven_certificates on ven = vens.id
      where deleted_at is null and not disabled and revoked_at is null
      group by vens.id, accounts.id
    ) as last cross join lateral (
      -- As \`warnedDays\`: the least step that is reached.
      select min(step) as days from unnest(array[${WARNED_DAYS.join(", ")}]) as step
      where expires_at <= $1::timestamptz + step * interval '24 hours'
    ) as warned
    where days is not null order by seq`,
  facts: { ...account, id: text, ven_id: text, expires_at: time, days: count },
  message: (ven) =>
    `The last certificate of VEN ${ven.ven_id} (${ven.id}) of account ${accountName(ven)} ` +
    `${ven.days === 0 ? "ended" : `ends within ${ven.days} days,`} at ${formatTimestamp(ven.expires_at)}; the VEN cannot ` +
    `connect after that. Issue a new one (\`curtail admin vens certify ${ven.id}\`), and ask the account to install it.`,
});
