import type { Snake } from "../../platform/database/camel.js";
import type { Queryable } from "../../platform/database/database.js";
import { type AlarmSums, MOST } from "../domain/shift-report.js";
import type { CountedAlarms, ShiftReader } from "../operations/shift-ports.js";
import { CAUSE } from "./alarm-group-reader.js";

const IS_OPEN = "coalesce(cleared_at >= $2, true)";
const IS_ACKNOWLEDGED = "coalesce(acknowledged_at < $2, false)";

/** One aggregate: a shift may have tens of thousands of alarms. */
const COUNTED = `
  with concerned as materialized (
    select ${CAUSE} as cause, kind, alarms.dispatch_id, account_id, raised_at, acknowledged_at, acknowledged_by, cleared_at, assigned_to,
      coalesce(shelved_until > $2, false) as is_shelved
    from alarms where cleared_at is null and raised_at < $2
    union all
    select ${CAUSE}, kind, alarms.dispatch_id, account_id, raised_at, acknowledged_at, acknowledged_by, cleared_at, assigned_to,
      coalesce(shelved_until > $2, false)
    from alarms where cleared_at between $1 and 'infinity' and raised_at < $2
  ), counted as (
    select cause, min(kind) as kind, dispatch_id, count(distinct account_id)::int as accounts, count(*)::int as alarms,
      count(*) filter (where raised_at >= $1)::int as raised,
      count(*) filter (where acknowledged_at >= $1 and acknowledged_at < $2)::int as acknowledged,
      coalesce((array_agg(distinct acknowledged_by) filter (where acknowledged_at >= $1 and acknowledged_at < $2 and acknowledged_by is not null)
        )[1:${MOST.names}], '{}') as acknowledged_by,
      count(*) filter (where not ${IS_OPEN})::int as cleared,
      count(*) filter (where ${IS_OPEN})::int as open,
      count(*) filter (where ${IS_OPEN} and not ${IS_ACKNOWLEDGED})::int as open_unacknowledged,
      count(*) filter (where ${IS_OPEN} and is_shelved)::int as shelved,
      case when count(distinct coalesce(assigned_to, '')) filter (where ${IS_OPEN}) = 1
        then min(assigned_to) filter (where ${IS_OPEN}) end as assigned_to,
      min(raised_at) as since
    from concerned group by cause, dispatch_id
  )
  select counted.*, program_name, count(*) over () as all_groups, (sum(raised) over ())::int as all_raised,
    (sum(acknowledged) over ())::int as all_acknowledged, (sum(cleared) over ())::int as all_cleared, (sum(open) over ())::int as all_open,
    (sum(open_unacknowledged) over ())::int as all_open_unacknowledged, (sum(shelved) over ())::int as all_shelved
  from counted left join dispatches on dispatches.id = dispatch_id
  order by open = 0, open_unacknowledged = 0, alarms desc, cause, dispatch_id limit $3`;

type CountedRow = Snake<CountedAlarms> & {
  readonly all_groups: number;
} & { readonly [Name in keyof Snake<AlarmSums> as `all_${Name}`]: number };

const groupFrom = (row: CountedRow): CountedAlarms => ({
  cause: row.cause,
  kind: row.kind,
  dispatchId: row.dispatch_id,
  programName: row.program_name,
  accounts: row.accounts,
  alarms: row.alarms,
  raised: row.raised,
  acknowledged: row.acknowledged,
  acknowledgedBy: row.acknowledged_by,
  cleared: row.cleared,
  open: row.open,
  openUnacknowledged: row.open_unacknowledged,
  shelved: row.shelved,
  assignedTo: row.assigned_to,
  since: row.since,
});

export const shiftAlarms = (db: Queryable): Pick<ShiftReader, "alarms"> => ({
  async alarms({ from, to }, limit) {
    const { rows } = await db.query<CountedRow>({ name: "shift-alarms", text: COUNTED, values: [from, to, limit] });
    const [first] = rows;
    return {
      count: first?.all_groups ?? 0,
      raised: first?.all_raised ?? 0,
      acknowledged: first?.all_acknowledged ?? 0,
      cleared: first?.all_cleared ?? 0,
      open: first?.all_open ?? 0,
      openUnacknowledged: first?.all_open_unacknowledged ?? 0,
      shelved: first?.all_shelved ?? 0,
      items: rows.map(groupFrom),
    };
  },
});
