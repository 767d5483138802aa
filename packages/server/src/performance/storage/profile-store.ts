import { type HourRow, type MeterKey, measuredMeters, type SiteMeter } from "@curtail/measure";
import type pg from "pg";
import { takeTurn } from "../../platform/database/advisory-locks.js";
import type { Row } from "../../platform/database/columns.js";
import { inTransaction, type Queryable } from "../../platform/database/database.js";
import { grouped } from "../../platform/grouped.js";
import { newestHours } from "../../telemetry/storage/hour-ends.js";
import { storedHours } from "../../telemetry/storage/stored-hours.js";
import { hoursOfDays, profileFrom } from "../operations/load-profiles.js";
import type { SiteMeterKey } from "../operations/measurement-ports.js";
import type { ProfileDays, ProfiledProgram, ProfiledSite, ProfileStore } from "../operations/profile-ports.js";
import { forgetProfiles, missingProfiles, saveProfiles } from "./load-profile-store.js";
import { METERS_OF_SITE } from "./measurement-reader.js";

const SITES_AT_ONCE = 500;
/** Dispatches of sites that are enrolled nowhere are measured for some days after their end. */
const LATELY = "interval '8 days'";

type SiteRow = Row<"sites", "key" | "measured_meters"> & {
  readonly is_dispatched: boolean;
  readonly meters: ReadonlyArray<SiteMeterKey & SiteMeter>;
  readonly programs: readonly ProfiledProgram[] | null;
};

const siteFrom = ({ key, measured_meters: named, meters, programs }: SiteRow): ProfiledSite => ({
  site: key,
  meters: measuredMeters(meters, named),
  programs: programs ?? [],
});

export const profileStore = (pool: pg.Pool): ProfileStore => ({
  async sites(after, dispatchedBefore) {
    const { rows } = await pool.query<SiteRow>({
      name: "sites-to-profile",
      text: `with sites as materialized (select id, key, measured_meters from sites where key > $1 order by key limit ${SITES_AT_ONCE}),
               enrolled as materialized (
                 select site_id, jsonb_build_object('timezone', timezone, 'baseline', coalesce(enrolments.baseline, programs.baseline)) as program
                 from enrolments join programs on programs.id = program_id where site_id = any(array(select id from sites))
               ), others as materialized (select id from sites where id not in (select site_id from enrolled)),
               lately as materialized (
                 select id, program_timezone, baseline from dispatches
                 where (end_time is null or end_time between $2::timestamptz - ${LATELY} and 'infinity') and created_at < $2
                   and exists (select from others)
               ), programs_of as materialized (
                 select site_id, program from enrolled
                 union
                 select site_id, jsonb_build_object('timezone', program_timezone, 'baseline', coalesce(called.baseline, lately.baseline))
                 from lately join dispatch_sites as called on called.dispatch_id = lately.id
                 where site_id = any(array(select id from others))
               )
             select sites.key, sites.measured_meters, ${METERS_OF_SITE} as meters,
               (select json_agg(program) from programs_of where site_id = sites.id) as programs,
               exists (
                 select from dispatch_sites as called join dispatches on dispatches.id = called.dispatch_id
                 where called.site_id = sites.id and created_at < $2
                 order by called.site_id, called.dispatch_id limit 1
               ) as is_dispatched
             from sites order by sites.key`,
      values: [after, dispatchedBefore],
    });
    return { sites: rows.filter((row) => row.is_dispatched).map(siteFrom), last: rows.at(-1)?.key ?? null };
  },
  async reporting(sites, { from, to }) {
    const meters = sites.flatMap((site) => site.meters);
    return new Set((await newestHours(pool, meters, from, to)).keys());
  },
  missing: (sites, span) => missingProfiles(pool, sites, span),
  make: (wanted) =>
    inTransaction(pool, async (client) => ((await takeTurn(client, "profiles")) ? makeIn(client, wanted) : null)),
  forget: (sites, beforeDay) => forgetProfiles(pool, sites, beforeDay),
});

/** Several sources of a site have meters in common, which are read once. */
const makeIn = async (db: Queryable, wanted: readonly ProfileDays[]): Promise<number> => {
  const bySite = grouped(wanted, ({ source }) => source.site);
  const asked = [...bySite].map(([site, ofSite]) => ({ meters: metersOf(site, ofSite), periods: hoursOfDays(ofSite) }));
  const rows = grouped<HourRow, number>(await storedHours(db, ...asked), ({ site }) => site);
  return saveProfiles(
    db,
    wanted.flatMap(({ source, days }) =>
      days.map((day) => ({ source, day, profile: profileFrom(rows.get(source.site) ?? [], source, day) })),
    ),
  );
};

const metersOf = (site: number, ofSite: readonly ProfileDays[]): MeterKey[] =>
  [...new Set(ofSite.flatMap(({ source }) => source.meters))].map((meter) => ({ site, meter }));
