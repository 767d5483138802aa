import { silentMs } from "../../../openadr/domain/polls.js";
import { IS_CALLED_BACK } from "../../../openadr-3/storage/client-conditions.js";
import { formatTimestamp } from "../../../platform/timestamp.js";
import { alarmRule } from "../alarm-rule.js";
import { count, time } from "../facts.js";
import { CLIENT, CLIENTS, client, clientName } from "./openadr-3-clients.js";

const SILENT_MS = `interval_seconds * ${silentMs(1) - silentMs(0)} + ${silentMs(0)}`;

/**
 * VENs that have not read their events for three of their usual intervals while a process was listening. A VEN that
 * polled once at most has no interval; one that is called back need not poll.
 */
export const openadr3Silent = alarmRule({
  kind: "openadr3_silent",
  find: `
    select clients.id as subject, ${CLIENT}, last_at, interval_seconds
    from ${CLIENTS} join openadr3_polls on client_id = clients.id
    where interval_seconds is not null and not ${IS_CALLED_BACK}
      -- Our own outage is not a VEN's silence: a process must have listened the whole time.
      and exists (select from vtn_listening where
        until - (${SILENT_MS}) * interval '1 millisecond' > greatest(since, last_at))
    order by clients.seq`,
  facts: { ...client, last_at: time, interval_seconds: count },
  message: (row) =>
    `${clientName(row)} usually reads its events every ${Math.round(row.interval_seconds)} s and has not since ` +
    `${formatTimestamp(row.last_at)}. It receives no dispatches until it does: phone the account, and check its VEN ` +
    "and network.",
});
