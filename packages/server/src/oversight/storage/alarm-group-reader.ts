import { SITE_SUMS } from "../../dispatch/storage/dispatch-conditions.js";
import { alarmCauses } from "../../platform/alarm.js";
import type { FirstContact } from "../../platform/alarm-ports.js";
import type { Snake } from "../../platform/database/camel.js";
import { type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { readAll, readMap } from "../../platform/database/read.js";
import { allShards, textOn } from "../../platform/database/shard-statement.js";
import { newestOfLog } from "../../telemetry/storage/newest-of-log.js";
import { CANNOT_BE_MEASURED, newestReading } from "../../telemetry/storage/stale-telemetry.js";
import { kindsOfCause } from "../domain/alarm-group.js";
import type {
  AlarmGroupReader,
  CauseSite,
  CountedGroup,
  CountedGroups,
  GroupedDispatch,
  SitesOfCause,
} from "../operations/alarm-group-ports.js";

/** So many are read; a reply has fewer. */
const MOST_GROUPS = 200;

const quoted = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(", ");

/** Of a row of `alarms`: what groups it with others of its dispatch. */
export const CAUSE = `case when alarms.dispatch_id is null then alarms.kind ${Object.keys(alarmCauses)
  .map((cause) => `when alarms.kind in (${quoted(kindsOfCause(cause))}) then '${cause}'`)
  .join(" ")} else alarms.kind end`;

/** As JSON: of the row of `accounts`, the contact to call first, one with a phone number if there is one. */
export const FIRST_CONTACT = `(
  select json_build_object('name', contact.name, 'email', contact.email, 'phone', contact.phone) from contacts as contact
  where contact.account_id = accounts.id order by contact.phone is null, contact.seq limit 1)`;

/** Condition on an alarm that stands: it is shelved. */
export const isShelved = (now: string): string => `coalesce(alarms.shelved_until > ${now}, false)`;

const SHELVED = isShelved("$1::timestamptz");

const COUNTED = `
  with standing as materialized (
    select ${CAUSE} as cause, kind, dispatch_id, account_id, seq, subject, reason, raised_at, acknowledged_at, acknowledged_by, assigned_to,
      shelved_until, ${SHELVED} as is_shelved
    from alarms where cleared_at is null
  ), reasons as (
    select cause, of, jsonb_object_agg(reason, times) as reasons from (
      select cause, coalesce(dispatch_id, '') as of, reason, count(*) as times from standing
      where not is_shelved and reason is not null group by 1, 2, 3
    ) as each group by cause, of
  ), counted as (
    select cause, min(kind) as kind, coalesce(dispatch_id, '') as of, dispatch_id,
      count(*) filter (where not is_shelved) as alarms,
      count(*) filter (where not is_shelved and acknowledged_at is null) as open,
      count(*) filter (where is_shelved) as shelved, min(shelved_until) filter (where is_shelved) as shelved_until,
      count(distinct account_id) filter (where not is_shelved) as accounts,
      (array_agg(account_id order by seq) filter (where not is_shelved and account_id is not null))[1] as first_account_id,
      min(raised_at) filter (where not is_shelved) as since,
      max(acknowledged_at) filter (where not is_shelved) as acknowledged_at,
      (array_agg(acknowledged_by order by acknowledged_at desc) filter (where not is_shelved and acknowledged_at is not null))[1]
        as acknowledged_by,
      case when count(distinct coalesce(assigned_to, '')) filter (where not is_shelved) <= 1
        then min(assigned_to) filter (where not is_shelved) end as assigned_to
    from standing group by cause, dispatch_id
  )
  select counted.*, reasons, count(*) filter (where alarms > 0) over () as all_groups, (sum(open) over ())::bigint as all_open,
    (sum(alarms - open) over ())::bigint as all_acknowledged, (sum(shelved) over ())::bigint as all_shelved,
    min(shelved_until) over () as all_shelved_until
  from counted left join reasons using (cause, of) left join dispatches on dispatches.id = dispatch_id
  order by alarms = 0, coalesce(end_time < $1 or not authorized, false), open = 0, alarms desc, cause, of limit ${MOST_GROUPS}`;

type CountedRow = Snake<CountedGroup> & {
  readonly all_groups: number;
  readonly all_open: number;
  readonly all_acknowledged: number;
  readonly all_shelved: number;
  readonly all_shelved_until: Date | null;
};

const groupFrom = (row: CountedRow): CountedGroup => ({
  cause: row.cause,
  kind: row.kind,
  dispatchId: row.dispatch_id,
  alarms: row.alarms,
  open: row.open,
  shelved: row.shelved,
  shelvedUntil: row.shelved_until,
  accounts: row.accounts,
  firstAccountId: row.first_account_id,
  since: row.since,
  reasons: row.reasons ?? {},
  acknowledgedAt: row.acknowledged_at,
  acknowledgedBy: row.acknowledged_by,
  assignedTo: row.assigned_to,
});

const totalsOf = (row: CountedRow | undefined): CountedGroups["totals"] => ({
  groups: row?.all_groups ?? 0,
  open: row?.all_open ?? 0,
  acknowledged: row?.all_acknowledged ?? 0,
  shelved: row?.all_shelved ?? 0,
  shelvedUntil: row?.all_shelved_until ?? null,
});

const dispatchRow = selection("dispatches", [
  "id",
  "program_id",
  "program_name",
  "program_timezone",
  "start_time",
  "end_time",
  "authorized",
]);
type DispatchRow = RowOf<typeof dispatchRow> & { readonly commitment_kw: number };

const dispatchFrom = (row: DispatchRow): GroupedDispatch => {
  const { programTimezone: timezone, startTime: start, endTime: end, ...dispatch } = dispatchRow.camel(row);
  return { ...dispatch, timezone, start, end, commitmentKw: row.commitment_kw };
};

/** Lists as text: a dispatch may have ten thousand sites, and drivers read arrays slowly. Ids have no spaces. */
const LISTED = `string_agg(site_id, ' ' order by position) as site_ids, string_agg(account_id, ' ' order by position) as account_ids,
  string_agg(coalesce(commitment_kw, 0)::text, ' ' order by position) as kws`;

interface SitesRow {
  readonly dispatch_id: string;
  readonly cause: string;
  readonly site_ids: string;
  readonly account_ids: string;
  readonly kws: string;
}

const sitesFrom = ({ dispatch_id, cause, ...lists }: SitesRow): SitesOfCause => {
  const [accounts, kws] = [lists.account_ids.split(" "), lists.kws.split(" ")];
  const sites = lists.site_ids.split(" ").map(
    (siteId, index): CauseSite => ({
      siteId,
      accountId: accounts[index] ?? "",
      commitmentKw: Number(kws[index] ?? 0),
    }),
  );
  return { dispatchId: dispatch_id, cause, sites };
};

/** A VEN may have some of its account's sites. The subject of its alarms begins with its id. */
const SITES = `
  with concerned as materialized (
    select distinct dispatch_id, ${CAUSE} as cause, account_id, case when kind like 'ven\\_%' or kind = 'openadr3_undelivered'
      then split_part(subject, ' ', 1) end as ven
    from alarms where cleared_at is null and dispatch_id = any($2) and account_id is not null and not ${SHELVED}
      and ${CAUSE} in (${quoted(Object.keys(alarmCauses))})
  ), lacking as (
    select distinct concerned.dispatch_id, cause, site_id, called.account_id, commitment_kw, position
    from concerned join dispatch_sites as called
      on called.dispatch_id = concerned.dispatch_id and called.account_id = concerned.account_id
    left join vens on vens.id = ven left join openadr3_clients as clients on clients.id = ven
    where coalesce(site_id = any(coalesce(vens.site_ids, clients.site_ids)), true)
  )
  select dispatch_id, cause, ${LISTED} from lacking group by dispatch_id, cause`;

/** As the alarm about them counts. */
const SILENT = allShards("alarm-group-silent", (isDistributed) => {
  const { first, join } = newestReading(
    isDistributed,
    "select key from sites join dispatch_sites on site_id = sites.id where dispatch_id = any($2)",
    3,
  );
  return `
  with ${first} silent as (
    select called.dispatch_id, called.site_id, called.account_id, called.commitment_kw, called.position
    from dispatch_sites as called join sites on sites.id = called.site_id
    left join meters on meters.site_id = called.site_id ${join}
    where called.dispatch_id = any($2)
    group by called.dispatch_id, called.site_id having ${CANNOT_BE_MEASURED}
  )
  select dispatch_id, 'no_readings' as cause, ${LISTED} from silent group by dispatch_id`;
});

const metersCalled = (db: Queryable, dispatchIds: readonly string[]): Promise<readonly number[]> =>
  readAll(db, ({ meter }: { readonly meter: number }) => meter, {
    name: "meters-called",
    text: `select distinct meters.key as meter from dispatch_sites join meters using (site_id)
      where dispatch_id = any($1) order by 1`,
    values: [dispatchIds],
  });

interface CalleeRow {
  readonly id: string;
  readonly name: string;
  readonly contact: FirstContact | null;
}

export const alarmGroupReader = (db: Queryable): AlarmGroupReader => ({
  async counted(now) {
    const rows = await readAll(db, (row: CountedRow) => row, { name: "alarm-groups", text: COUNTED, values: [now] });
    return { groups: rows.map(groupFrom), totals: totalsOf(rows[0]) };
  },
  dispatches: (ids) =>
    readAll(db, dispatchFrom, {
      name: "alarm-group-dispatches",
      text: `select ${dispatchRow.columns}, ${SITE_SUMS} from dispatches where id = any($1)`,
      values: [ids],
    }),
  sites: (dispatchIds, now) =>
    readAll(db, sitesFrom, { name: "alarm-group-sites", text: SITES, values: [now, dispatchIds] }),
  silent: async (dispatchIds, now) =>
    readAll(db, sitesFrom, {
      name: "alarm-group-silent",
      text: await textOn(db, SILENT),
      values: [now, dispatchIds, ...(await newestOfLog(db, () => metersCalled(db, dispatchIds)))],
    }),
  callees: (accountIds) =>
    readMap(db, ({ id, name, contact }: CalleeRow) => [id, { accountName: name, contact }] as const, {
      name: "alarm-group-callees",
      text: `select id, name, ${FIRST_CONTACT} as contact from accounts where id = any($1)`,
      values: [accountIds],
    }),
});
