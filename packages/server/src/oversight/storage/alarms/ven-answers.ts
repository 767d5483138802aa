import { IS_NOT_OVER, IS_REHEARSAL } from "../../../dispatch/storage/dispatch-conditions.js";
import { formatTimestamp } from "../../../platform/timestamp.js";
import { alarmRule, WHEN_DISPATCHED } from "../alarm-rule.js";
import { count, text, textOrNull, time } from "../facts.js";
import { answer, clientName, latestAnswers } from "./openadr-3-clients.js";
import { STILL_COUNTS, ven, venName } from "./vens.js";

/** Errors that VENs reported about events, before or after acknowledging them; the latest of each event. */
export const venError = alarmRule({
  kind: "ven_error",
  find: `
    select distinct on (vens.id, dispatch_id) vens.id || ' ' || dispatch_id as subject, vens.id, ven_id, vens.account_id,
      accounts.name as account_name, dispatch_id, ven_errors.modification_number, code, latest_description as description, last_at
    from dispatches join ven_errors on dispatch_id = dispatches.id join ven_events using (ven, dispatch_id)
    join vens on vens.id = ven join accounts on accounts.id = account_id
    where ${STILL_COUNTS} and not ${IS_REHEARSAL} and deleted_at is null and not disabled and resolved_at is null
      and ven_errors.modification_number >= coalesce(acknowledged_modification, 0)
    order by vens.id, dispatch_id, last_at desc`,
  when: WHEN_DISPATCHED,
  facts: { ...ven, dispatch_id: text, modification_number: count, code: text, description: textOrNull, last_at: time },
  message: (row) =>
    `${venName(row)} answered dispatch ${row.dispatch_id} (modification ${row.modification_number}) with the error ` +
    `${row.code}${row.description === null ? "" : ` (${row.description})`} at ${formatTimestamp(row.last_at)}. ` +
    "The VEN has not acknowledged it: phone the account and have its VEN checked.",
  reason: () => "ven_error",
});

/** VENs whose resources are in error, until they report another state. */
export const clientError = alarmRule({
  kind: "ven_error",
  find: latestAnswers("opt is null"),
  when: WHEN_DISPATCHED,
  facts: answer,
  message: (row) =>
    `${clientName(row)} reported ${row.state} for dispatch ${row.dispatch_id} (modification ${row.modification_number}) ` +
    `at ${formatTimestamp(row.at)}. Phone the account and have its VEN checked.`,
  reason: () => "ven_error",
});

/** One that was acknowledged with its group stands: its account is still to be called. */
const isNotAcknowledged = (subject: string, since: string): string => `not exists (
  select from alarms where kind = 'ven_opted_out' and subject = ${subject} and alarms.acknowledged_at >= ${since}
    and alarms.cleared_at is not null)`;

/** VENs that opted out of dispatches that are not over, until acknowledged. */
export const venOptedOut = alarmRule({
  kind: "ven_opted_out",
  find: `
    select vens.id || ' ' || dispatch_id as subject, vens.id, ven_id, vens.account_id, accounts.name as account_name,
      dispatch_id, acknowledged_modification, ven_events.acknowledged_at
    from dispatches join ven_events on dispatch_id = dispatches.id
    join vens on vens.id = ven join accounts on accounts.id = account_id
    where authorized and ${IS_NOT_OVER} and opt = 'optOut' and not ${IS_REHEARSAL}
      and deleted_at is null and not disabled
      and ${isNotAcknowledged("vens.id || ' ' || dispatch_id", "ven_events.acknowledged_at")}
    order by dispatch_id, vens.id`,
  when: WHEN_DISPATCHED,
  facts: { ...ven, dispatch_id: text, acknowledged_modification: count, acknowledged_at: time },
  message: (row) =>
    `${venName(row)} opted out of dispatch ${row.dispatch_id} (modification ${row.acknowledged_modification}) at ` +
    `${formatTimestamp(row.acknowledged_at)}: its sites will not curtail. Phone the account, or plan without them.`,
});

/** The same of OpenADR 3. */
export const clientOptedOut = alarmRule({
  kind: "ven_opted_out",
  find: latestAnswers(`opt = 'optOut' and ${isNotAcknowledged("latest.id || ' ' || dispatch_id", "latest.at")}`),
  when: WHEN_DISPATCHED,
  facts: answer,
  message: (row) =>
    `${clientName(row)} opted out of dispatch ${row.dispatch_id} (modification ${row.modification_number}): it reported ` +
    `${row.state} at ${formatTimestamp(row.at)}. Its sites will not curtail: phone the account, or plan without them.`,
});
