import { SUCCESSES } from "../../notification/storage/owed-store.js";
import { camel, type Snake } from "../../platform/database/camel.js";
import type { Queryable } from "../../platform/database/database.js";
import { readAll } from "../../platform/database/read.js";
import type { Happened } from "../domain/timeline.js";
import type { TimelineReader } from "../operations/dispatch-timeline.js";

const MOST_CALLS = 200;

/** The dispatches that an alarm names, as they are indexed. */
export const NAMED = String.raw`string_to_array(btrim(
  regexp_replace(regexp_replace(subject || ' ' || message, '\m(?!dis_)\w+', '', 'g'), '\W+', ' ', 'g')), ' ')`;

// Calls have entries of their own. An alarm names its dispatch in its message, whichever kind it is.
const HAPPENED = `
  with about as materialized (
    select alarms.*, accounts.name as account_name from alarms left join accounts on accounts.id = account_id
    where ${NAMED} @> array[$2]
  ), success as materialized (
    select account_id, channel, modification_number, min(at) as at from (${SUCCESSES}) as each
    where channel <> 'phone' group by 1, 2, 3
  ), calls as (
    select phone_calls.*, accounts.name as account_name
    from phone_calls join accounts on accounts.id = account_id
    where dispatch_id = $2 order by seq desc limit ${MOST_CALLS}
  )
  select min(success.at) as at, nullif(max(success.at), min(success.at)) as until, 'reached' as what, count(*) as count,
    modification_number, channel, case when count(*) = 1 then min(account_id) end as account_id,
    case when count(*) = 1 then min(accounts.name) end as account_name, null as actor, null as detail, null::int as version
  from success join accounts on accounts.id = account_id where at is not null group by channel, modification_number
  union all
  select at, null, 'phoned', 1, modification_number, 'phone', account_id, account_name, actor, person || ': ' || note, null
  from calls
  union all
  select min(raised_at), nullif(max(raised_at), min(raised_at)), 'alarm', count(*), null, null,
    case when count(*) = 1 then min(account_id) end, case when count(*) = 1 then min(account_name) end, null, kind, null
  from about group by kind
  union all
  select min(cleared_at), nullif(max(cleared_at), min(cleared_at)), 'alarm_cleared', count(*), null, null,
    case when count(*) = 1 then min(account_id) end, case when count(*) = 1 then min(account_name) end, null, kind, null
  from about where cleared_at is not null group by kind
  union all
  select at, null, 'result', 1, null, null, null, null, actor, reason, version
  from performance_versions where dispatch_id = $2`;

export const timelineReader = (db: Queryable): TimelineReader => ({
  happened: (dispatchId) =>
    readAll(db, (row: Snake<Omit<Happened, "start" | "end">>) => ({ ...camel(row), start: null, end: null }), {
      name: "dispatch-timeline",
      text: HAPPENED,
      values: [[dispatchId], dispatchId],
    }),
});
