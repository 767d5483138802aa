import { successesOf } from "../../notification/storage/owed-store.js";
import { camel, type Snake } from "../../platform/database/camel.js";
import type { Queryable } from "../../platform/database/database.js";
import { readAll } from "../../platform/database/read.js";
import type { ReplayEvent } from "../domain/replay.js";
import type { ReplayReader } from "../operations/replay-dispatch.js";
import { NAMED } from "./timeline-reader.js";

/** The accounts of the dispatch $2, and what was done with it. */
const PART = `
  part as materialized (
    select accounts.id as account_id, accounts.name, disabled, count(*) as sites, coalesce(sum(commitment_kw), 0) as commitment_kw,
      row_number() over (order by coalesce(sum(commitment_kw), 0) desc, accounts.name, accounts.id) as nth
    from dispatch_sites join accounts on accounts.id = account_id where dispatch_id = $2 group by accounts.id
  ), revised as materialized (
    select dispatch_revisions.*, is_record, void_reason from dispatch_revisions join dispatches on id = dispatch_id
    where dispatch_id = $2
  ), issued as materialized (select at from revised where modification_number = 0)`;

/** When accounts were disabled and enabled. One that was disabled when the dispatch was issued is so from then on. */
const SWITCHED = `
  switched as materialized (
    select audit_log.seq, audit_log.at, audit_log.subject as account_id, (before ->> 'disabled')::boolean as was,
      (after ->> 'disabled')::boolean as disabled
    from part join audit_log on subject = part.account_id and action = 'account.change'
    where audit_log.at >= (select at from issued) and before -> 'disabled' is distinct from after -> 'disabled'
  ), switching as (
    select seq, at, account_id, disabled from switched
    union all
    select 0, (select at from issued), account_id, true from part
    where coalesce((select was from switched where switched.account_id = part.account_id order by seq limit 1), disabled)
  )`;

// The first success of each channel counts. A call counts from when it was recorded: nobody knew of it before.
const EVENTS = `
  with ${PART}, ${SWITCHED}, success as (
    select account_id, channel, modification_number, min(coalesce(each.at, revised.at)) as at
    from (${successesOf("$1")}) as each join revised using (modification_number)
    where channel <> 'phone' and each.dispatch_id = $2 group by 1, 2, 3
  ), about as materialized (
    select id, kind, account_id, raised_at, acknowledged_at, cleared_at from alarms where ${NAMED} @> array[$2]
  ), event (at, key, what, account_id, modification_number, channel, actor, start_time, end_time, called_at, detail) as (
    select at, '0.' || lpad(modification_number::text, 10, '0'),
      case when authorized then case modification_number when 0 then 'issued' else 'changed' end
        when void_reason is null then 'cancelled' else 'voided' end,
      null, modification_number, null, actor, start_time, end_time, null::timestamptz,
      case when not authorized then jsonb_build_object('reason', void_reason)
        when is_record then '{"record": true}' else '{}' end
    from revised
    union all
    select (select at from issued), '1.' || lpad(nth::text, 10, '0'), 'targeted', account_id, null, null, null, null, null, null,
      jsonb_build_object('accountName', name, 'sites', sites, 'commitmentKw', commitment_kw)
    from part
    union all
    select at, '2.' || lpad(seq::text, 20, '0') || '.' || account_id, case when disabled then 'disabled' else 'enabled' end,
      account_id, null, null, null, null, null, null, '{}'
    from switching
    union all
    select at, '3.' || account_id || '.' || channel || '.' || lpad(modification_number::text, 10, '0'), 'notified', account_id,
      modification_number, channel, null, null, null, null, '{}'
    from success where account_id in (select account_id from part)
    union all
    select recorded_at, '4.' || lpad(seq::text, 20, '0'), 'phoned', account_id, modification_number, 'phone', actor, null, null, at,
      jsonb_build_object('person', person, 'note', note)
    from phone_calls where dispatch_id = $2
    union all
    select at, '5.' || id || '.' || nth, what, account_id, null, null, null, null, null, null,
      jsonb_build_object('alarmId', id, 'alarmKind', kind)
    from about cross join lateral (values
      (raised_at, 1, 'alarm_raised'), (acknowledged_at, 2, 'alarm_acknowledged'), (cleared_at, 3, 'alarm_cleared')
    ) as change (at, nth, what)
    where at is not null
    union all
    select at, '6.' || lpad(version::text, 10, '0'), 'result', null, null, null, actor, null, null, null,
      jsonb_build_object('reason', reason, 'version', version)
    from performance_versions where dispatch_id = $2
  )
  select event.*, moment.at from event cross join lateral (
    -- As precise as a cursor.
    select date_trunc('milliseconds', event.at) as at
  ) as moment
  where $3::timestamptz is null or (moment.at, key collate "C") > ($3, $4 collate "C")
  order by moment.at, key collate "C" limit $5`;

export const replayReader = (db: Queryable): ReplayReader => ({
  async events(dispatchId, { after, limit }) {
    const rows = await readAll(db, camel<Snake<ReplayEvent>>, {
      name: "dispatch-replay",
      text: EVENTS,
      values: [[dispatchId], dispatchId, after?.at ?? null, after?.key ?? null, limit + 1],
    });
    const items = rows.slice(0, limit);
    return { items, next: rows.length > limit ? (items.at(-1) ?? null) : null };
  },
});
