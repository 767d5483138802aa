import { WARNED_DAYS } from "../../../openadr/domain/ven.js";
import { formatTimestamp } from "../../../platform/timestamp.js";
import { account, accountName, alarmRule } from "../alarm-rule.js";
import { count, text, time } from "../facts.js";

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
