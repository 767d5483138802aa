import { type MeterKey, measuredEndMs, measuredMeters, type SiteMeter } from "@curtail/measure";
import { IS_EVENT, IS_SELF_MADE, startingAround } from "../../dispatch/storage/dispatch-conditions.js";
import { type Row, type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { type JsonOf, jsonMembers } from "../../platform/database/json-members.js";
import { readAll, readFirst, readMap } from "../../platform/database/read.js";
import { grouped } from "../../platform/grouped.js";
import type { KnownStamp, ReadStamps } from "../../platform/stamps.js";
import type { RulesAdoption } from "../../portfolio/domain/rules.js";
import { type RulesStore, rulesFor } from "../../portfolio/operations/rules.js";
import { startOfMonthMs } from "../../telemetry/domain/retention.js";
import { changedHours } from "../../telemetry/storage/changed-hours.js";
import { firstHours, newestHours } from "../../telemetry/storage/hour-ends.js";
import { storedHours } from "../../telemetry/storage/stored-hours.js";
import {
  type DispatchToMeasure,
  FOLLOWED_DAYS,
  type MeasurementReader,
  type OtherEvent,
  type SiteMeterKey,
  type SiteToMeasure,
} from "../operations/measurement-ports.js";
import { loadProfiles } from "./load-profile-store.js";
import { type TimesRow, timesFrom, wholeSecondMs } from "./measured-times.js";

const dispatchRow = selection("dispatches", ["id", "modification_number", "baseline", "holidays", "status_limits"]);
const siteMembers = jsonMembers("dispatch_sites", {
  id: "site_id",
  accountId: "account_id",
  name: "name",
  commitmentKw: "commitment_kw",
  baseline: "baseline",
  measuredMeters: "measured_meters",
});
type MeterRow = SiteMeterKey & SiteMeter;
type SiteRow = JsonOf<typeof siteMembers> &
  Pick<SiteToMeasure, "enrolledMs" | "decision"> & { readonly meters: readonly MeterRow[] };
const ownSiteRow = selection("sites", ["id", "account_id", "name", "measured_meters"]);

/** All meters of a row of `sites`, as JSON. */
export const METERS_OF_SITE = `(
  select coalesce(json_agg(json_build_object('site', sites.key, 'meter', meters.key, 'id', meters.id,
    'name', meters.name, 'assetType', meters.asset_type) order by meters.seq), '[]')
  from meters where meters.site_id = sites.id)`;

/** When the site of a row of `dispatch_sites` was enrolled in the program or, if it is not, created. */
const ENROLLED_MS = `(1000 * extract(epoch from coalesce(
  (select enrolled_at from enrolments where program_id = dispatches.program_id and enrolments.site_id = dispatch_sites.site_id),
  sites.created_at)))::float8`;

/** The decision that applies to it, as JSON. */
const DECISION = `(
  select case when counts is not null then json_build_object('counts', counts, 'reason', reason, 'actor', actor,
    'atMs', (1000 * extract(epoch from at))::float8) end
  from site_decisions as decided
  where decided.dispatch_id = dispatches.id and decided.site_id = dispatch_sites.site_id order by seq desc limit 1)`;

type DispatchRow = TimesRow &
  RowOf<typeof dispatchRow> &
  Row<"dispatches", "program_timezone" | "notification_time" | "void_reason"> & {
    readonly is_self_made: boolean;
    readonly sites: readonly SiteRow[] | null;
  };

type EventRow = Row<"dispatch_sites", "site_id"> & Row<"dispatches", "id" | "start_time"> & { readonly ended_at: Date };

const eventFrom = (row: EventRow): OtherEvent => ({
  id: row.id,
  siteId: row.site_id,
  startMs: row.start_time.getTime(),
  endMs: row.ended_at.getTime(),
});

/** When an event ended; if it did not, the end of the period, $3. */
const ENDED_AT = "least(coalesce(end_time, $3), case when authorized then $3 else changed_at end, $3)";

const fromRow = (row: DispatchRow, adoptions: readonly RulesAdoption[]): DispatchToMeasure => ({
  ...dispatchRow.camel(row),
  ...timesFrom(row),
  timezone: row.program_timezone,
  isVoid: row.void_reason !== null,
  notificationMs: wholeSecondMs(row.notification_time),
  rulesVersion: rulesFor(row.start_time.getTime(), row.program_timezone, adoptions),
  isSelfMade: row.is_self_made,
  sites: (row.sites ?? []).map(siteFrom),
});

const siteFrom = ({ meters, measuredMeters: named, ...site }: SiteRow): SiteToMeasure => {
  const measured = new Set(measuredMeters(meters, named));
  const isAtPoint = [...measured].every(({ assetType }) => assetType === "poi");
  const reason = isAtPoint ? ("behind_poi" as const) : ("not_named" as const);
  return {
    ...site,
    meters: [...measured],
    otherMeters: meters.filter((each) => !measured.has(each)).map(({ id, name }) => ({ id, name, reason })),
  };
};

interface MeasurementSources {
  readonly rules: Pick<RulesStore, "adoptions">;
  /** Stamps of dispatches. */
  readonly read: ReadStamps;
  readonly known: { readonly dispatches: KnownStamp };
}

const ownSiteFrom = ({ meters, ...row }: RowOf<typeof ownSiteRow> & Pick<SiteRow, "meters">) =>
  siteFrom({
    ...ownSiteRow.camel(row),
    meters,
    commitmentKw: null,
    baseline: null,
    enrolledMs: null,
    decision: null,
  });

export const measurementReader = (db: Queryable, { rules, read, known }: MeasurementSources): MeasurementReader => ({
  async findDispatch(id, { accountId = null, siteId = null }) {
    const { rows } = await db.query<DispatchRow>(
      `select dispatches.*, ${IS_SELF_MADE} as is_self_made, (
         select json_agg(json_build_object(${siteMembers.sql}, 'meters', ${METERS_OF_SITE},
           'enrolledMs', ${ENROLLED_MS}, 'decision', ${DECISION}) order by position)
         from dispatch_sites join sites on sites.id = site_id
         where dispatch_id = dispatches.id
           and ($2::text is null or dispatch_sites.account_id = $2) and ($3::text is null or site_id = $3)
       ) as sites
       from dispatches where id = $1`,
      [id, accountId, siteId],
    );
    const adoptions = await rules.adoptions();
    return rows[0] === undefined ? null : fromRow(rows[0], adoptions);
  },
  findSite: (id) =>
    readFirst(db, ownSiteFrom, {
      text: `select id, account_id, name, measured_meters, ${METERS_OF_SITE} as meters from sites where id = $1`,
      values: [id],
    }),
  // Not `startingAround`: where a site had very many, the planner looks each of them up.
  otherEvents: (dispatchId, { fromMs, toMs }) =>
    readAll(db, eventFrom, {
      text: `select others.site_id, dispatches.id, start_time, ${ENDED_AT} as ended_at
       from dispatch_sites as called
       join dispatch_sites as others on others.site_id = called.site_id and others.dispatch_id <> called.dispatch_id
       join dispatches on dispatches.id = others.dispatch_id
       where called.dispatch_id = $1 and start_time < $3 and coalesce(end_time, 'infinity') > $2
         and ${IS_EVENT} and not ${IS_SELF_MADE}
         and (not test or (select tests_are_events from dispatches as measured where measured.id = $1))
       order by start_time, dispatches.id`,
      values: [dispatchId, new Date(fromMs), new Date(toMs)],
    }),
  eventsOfSite: (siteId, { fromMs, toMs }, { testsAreEvents }) =>
    readAll(db, eventFrom, {
      text: `select site_id, dispatches.id, start_time, ${ENDED_AT} as ended_at
       from dispatch_sites join ${startingAround("$2", "$3")} as dispatches on dispatches.id = dispatch_id
       where site_id = $1 and coalesce(end_time, 'infinity') > $2
         and ${IS_EVENT} and not ${IS_SELF_MADE} and (not test or $4)
       order by start_time, dispatches.id`,
      values: [siteId, new Date(fromMs), new Date(toMs), testsAreEvents],
    }),
  async excludedDays(siteIds) {
    const { rows } = await db.query<Row<"excluded_days", "site_id" | "date" | "reason">>(
      "select site_id, date, reason from excluded_days where site_id = any($1) order by date",
      [siteIds],
    );
    return grouped(rows, ({ site_id }) => site_id);
  },
  async archivedUntil(siteIds) {
    const { rows } = await db.query<Row<"sites", "id"> & Row<"telemetry_archives", "month">>(
      `select sites.id, max(month) as month from telemetry_archives join sites on sites.key = site
       where sites.id = any($1) group by sites.id`,
      [siteIds],
    );
    return new Map(rows.map(({ id, month }) => [id, startOfMonthMs(month + 1)]));
  },
  async reporting(meters, { from, to }) {
    return new Set((await newestHours(db, meters, from, to)).keys());
  },
  firstHours: (meters) => firstHours(db, meters),
  async rows(...asked) {
    const meters = asked.flatMap((each) => each.meters);
    const [hours, intervals] = await Promise.all([storedHours(db, ...asked), readingIntervals(db, meters)]);
    return hours.map(({ site, meter, hour, cells, version }) => ({
      site,
      meter,
      hour,
      cells,
      rowVersion: version ?? PACKED,
      readingSeconds: intervals.get(meter) ?? null,
    }));
  },
  profiles: (...asked) => loadProfiles(db, ...asked),
  async changedRows(known) {
    const hours = await changedHours(db, known);
    const intervals = hours.length === 0 ? null : await readingIntervals(db, hours);
    return hours.map((row) => ({ ...row, readingSeconds: intervals?.get(row.meter) ?? null }));
  },
  async dispatchesStamp() {
    const { dispatches } = await read();
    return dispatches;
  },
  knownStamp: known.dispatches,
  modifications: (ids) =>
    readMap(db, (row: Row<"dispatches", "id" | "modification_number">) => [row.id, row.modification_number], {
      text: "select id, modification_number from dispatches where id = any($1)",
      values: [ids],
    }),
  // Uses the index on the end. Dispatches that ended long ago are left as they are, and participants' own tests are
  // measured only on request.
  unfinished: (startingBy) =>
    readAll(db, (row: TimesRow & Row<"dispatches", "id">) => ({ id: row.id, endMs: measuredEndMs(timesFrom(row)) }), {
      text: `select id, start_time, end_time, authorized, changed_at from dispatches
       where (end_time is null or end_time > $1::timestamptz - interval '${FOLLOWED_DAYS} days') and start_time <= $1
         and ${IS_EVENT} and not ${IS_SELF_MADE}
         and not exists (select from performance_versions where dispatch_id = dispatches.id)
       order by start_time`,
      values: [startingBy],
    }),
});

/** Version of an hour that is packed; it is read once. */
const PACKED = "packed";

const readingIntervals = (db: Queryable, meters: readonly MeterKey[]): Promise<Map<number, number | null>> =>
  readMap(db, (row: Row<"meters", "key" | "interval_seconds">) => [row.key, row.interval_seconds], {
    name: "reading-intervals",
    text: "select key, interval_seconds from meters where key = any($1)",
    values: [meters.map(({ meter }) => meter)],
  });
