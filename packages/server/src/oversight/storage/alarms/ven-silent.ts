import { MISSED_INTERVALS } from "../../../openadr/domain/ven.js";
import { formatTimestamp } from "../../../platform/timestamp.js";
import { alarmRule } from "../alarm-rule.js";
import { count, timeOrNull } from "../facts.js";
import { ven, venName } from "./vens.js";

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
