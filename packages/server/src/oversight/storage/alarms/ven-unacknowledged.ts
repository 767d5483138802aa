import { IS_SELF_MADE } from "../../../dispatch/storage/dispatch-conditions.js";
import { isPhoned } from "../../../notification/storage/phone-call-store.js";
import { ACKNOWLEDGE_MS } from "../../../openadr/domain/ven.js";
import { formatTimestamp } from "../../../platform/timestamp.js";
import { alarmRule, milliseconds, WHEN_DISPATCHED } from "../alarm-rule.js";
import { count, text, time } from "../facts.js";
import { STILL_COUNTS, ven, venName } from "./vens.js";

/** Events that were sent to VENs and not acknowledged in time, of dispatches that still count; not if somebody phoned. */
export const venUnacknowledged = alarmRule({
  kind: "ven_unacknowledged",
  find: `
    select vens.id || ' ' || dispatch_id as subject, vens.id, ven_id, account_id, accounts.name as account_name, dispatch_id,
      shown_modification, modification_shown_at
    from dispatches join ven_events on dispatch_id = dispatches.id
    join vens on vens.id = ven join accounts on accounts.id = account_id
    where ${STILL_COUNTS} and not ${IS_SELF_MADE}
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
});
