import { IS_REHEARSAL } from "../../dispatch/storage/dispatch-conditions.js";
import { camel, type Snake } from "../../platform/database/camel.js";
import type { Queryable } from "../../platform/database/database.js";
import { MOST, NOTE_CHARACTERS, type ShiftCall, type ShiftChange } from "../domain/shift-report.js";
import type { ShiftReader } from "../operations/shift-ports.js";

type Counted<T> = T & { readonly all: number };
type CallRow = Counted<Snake<ShiftCall>>;
type ChangeRow = Counted<Snake<Omit<ShiftChange, "actorName">>>;

// By when it was recorded: one of the last minute of a shift is in the next report at the latest, never in none.
const CALLS = `
  select phone_calls.at, dispatch_id, program_name, phone_calls.account_id, accounts.name as account_name, person,
    case when length(note) > ${NOTE_CHARACTERS} then left(note, ${NOTE_CHARACTERS}) || '…' else note end as note, actor, actor_name,
    count(*) over () as all
  from phone_calls join dispatches on dispatches.id = dispatch_id join accounts on accounts.id = phone_calls.account_id
  where recorded_at >= $1 and recorded_at < $2 and not ${IS_REHEARSAL} order by phone_calls.at, phone_calls.seq limit $3`;

/** A thing without a name of its own has that of its dispatch or site. */
const CHANGES = `
  with change as materialized (
    select at, actor, action, coalesce(after ->> 'name', before ->> 'name', program_name, sites.name) as name
    from audit_log left join dispatches on starts_with(action, 'dispatch.') and dispatches.id = subject
    left join sites on action in ('program.enrol', 'program.withdraw', 'meter_data.import') and sites.id = subject
    where audit_log.at >= $1 and audit_log.at < $2 and (actor = 'operator' or starts_with(actor, 'user:'))
      and not action like any($3::text[])
  )
  select action, actor, accounts.name as actor_account_name, count(*)::int as count,
    coalesce((array_agg(distinct change.name) filter (where change.name is not null))[1:${MOST.names}], '{}') as subjects,
    min(at) as first_at, max(at) as last_at, count(*) over () as all
  from change left join users on 'user:' || users.id = actor left join accounts on accounts.id = users.account_id
  group by action, actor, accounts.name order by min(at), action, actor limit $4`;

const counted = <Row extends { readonly all: number }, T>(rows: readonly Row[], from: (row: Row) => T) => ({
  count: rows[0]?.all ?? 0,
  items: rows.map(from),
});

export const shiftPeople = (db: Queryable): Pick<ShiftReader, "calls" | "changes"> => ({
  async calls({ from, to }, limit) {
    const { rows } = await db.query<CallRow>({ name: "shift-calls", text: CALLS, values: [from, to, limit] });
    return counted(rows, ({ all: _all, ...row }) => camel(row));
  },
  async changes({ from, to }, except, limit) {
    const { rows } = await db.query<ChangeRow>({
      name: "shift-changes",
      text: CHANGES,
      values: [from, to, except.map((prefix) => `${prefix.replaceAll("_", String.raw`\_`)}%`), limit],
    });
    return counted(rows, ({ all: _all, ...row }) => camel(row));
  },
});
