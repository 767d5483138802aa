import { operator } from "@curtail/contract";
import type { BenchCluster, BenchDatabase } from "./database.js";
import { fillHistory, hasHistory, historyKw } from "./history.js";
import { firstLook, KEY, profiledService } from "./measure.js";
import { atMost, figure, median, report, spread } from "./report.js";
import { type BenchParticipant, type BenchService, startService } from "./service.js";

const SITES = Number(process.env["BENCH_MEASURE_MANY_SITES"] ?? 100_000);
const SITES_OF_DISPATCH = 10_000;
/** Sites whose profiles the service makes from readings; all others get copies. */
const MEASURED_SITES = 20;
const GOAL_SECONDS = 60;
const HOUR_MS = 3_600_000;

/** First numbers of dispatches of 10,000 sites each, one after the other, with ten-day baselines from load profiles. */
export const measureMany = async (cluster: BenchCluster): Promise<void> => {
  const database = await cluster.fresh("bench_measure_many");
  const first = await startService(database, { settings: KEY });
  const measured = await first.newParticipant(MEASURED_SITES);
  await fillHistory(database);
  (await firstLook(cluster, first, measured)).stream.close();
  await first.stop();
  const { service, made } = await profiledService(cluster, database);
  if (made.count === 0) throw new Error("the service has made no load profiles");
  const siteIds = await copySites(database, measured);
  const looks: Array<Omit<Awaited<ReturnType<typeof firstLook>>, "stream">> = [];
  for (let from = 0; from < siteIds.length; from += SITES_OF_DISPATCH) {
    const dispatched = { ...measured, siteIds: siteIds.slice(from, from + SITES_OF_DISPATCH) };
    const { stream, ...look } = await firstLook(cluster, service, dispatched);
    stream.close();
    await expectBaselines(service, look.dispatchId, dispatched.siteIds.length);
    looks.push(look);
  }
  const sum = (pick: (look: (typeof looks)[number]) => number): number =>
    looks.reduce((all, each) => all + pick(each), 0);
  const seconds = sum(({ allMs }) => allMs / 1000);
  report(`measuring ${siteIds.length} sites in dispatches of ${SITES_OF_DISPATCH}, days from profiles`, {
    "numbers of all sites after s, of all dispatches": atMost(seconds, GOAL_SECONDS),
    "of each dispatch": spread(looks.map(({ allMs }) => allMs / 1000)),
    "first numbers after s, median": figure(median(looks.map(({ firstMs }) => firstMs / 1000))),
    "processor of the service, s": figure(sum(({ spent }) => spent.service)),
    "processor of the database, s": figure(sum(({ spent }) => spent.database)),
    "processor of the load, s": figure(sum(({ spent }) => spent.load)),
  });
  await service.stop();
  await database.drop();
};

/** Fails unless all sites of a dispatch have a baseline, that of the days in `fillHistory`. */
const expectBaselines = async ({ operate }: BenchService, dispatchId: string, sites: number): Promise<void> => {
  const { curve } = await operate(operator.getDispatchCurve, { params: { id: dispatchId } });
  // Otherwise a site counts with the load of an interval before.
  const known = curve.filter(({ timestamp, load_kw }) => load_kw !== null && hasHistory(timestamp));
  if (known.length === 0) throw new Error("no site has a baseline");
  for (const { timestamp, sites: counted, baseline_kw } of known) {
    const hour = Math.ceil(Date.parse(timestamp) / HOUR_MS) - 1;
    if (counted !== sites || Math.abs((baseline_kw ?? 0) / sites - historyKw(hour)) > 1e-6)
      throw new Error(`at ${timestamp} ${counted} of ${sites} sites have a baseline, ${baseline_kw} kW in all`);
  }
};

/** Sites with the readings of two days and the profiles of a measured one; returns all ids. */
const copySites = async ({ pool }: BenchDatabase, { siteIds }: BenchParticipant): Promise<string[]> => {
  const [model] = siteIds;
  await pool.query(
    `insert into sites (id, account_id, name, customer_location_id, dispatch_group, timezone, created_at)
     select 'site_' || substr(md5(id || n), 1, 16), account_id, 'Copy ' || n, '', '', timezone, created_at
     from sites cross join generate_series(1, $2::int) as n where id = $1`,
    [model, SITES - siteIds.length],
  );
  await pool.query(
    `insert into meters (id, site_id, name, asset_type, created_at, interval_seconds)
     select 'mtr_' || substr(md5(copy.id), 1, 16), copy.id, 'Meter', model.asset_type, model.created_at, model.interval_seconds
     from sites as copy cross join meters as model where model.site_id = $1 and copy.name like 'Copy %'`,
    [model],
  );
  await pool.query(
    `insert into telemetry_hours (site, meter, hour, kw)
     select copy.key, meters.key, hour, kw
     from telemetry_hours join sites as model on model.key = site and model.id = $1
     cross join sites as copy join meters on meters.site_id = copy.id
     where copy.name like 'Copy %' and hour > (select max(hour) from telemetry_hours) - 48`,
    [model],
  );
  const copied = await pool.query(
    `insert into load_profiles (site, day, made_for, cut, kw)
     select copy.key, day, ${madeFor("meters.key")}, cut, kw
     from load_profiles join sites as model on model.key = site and model.id = $1
     join meters as measured on measured.site_id = model.id and made_for = ${madeFor("measured.key")}
     cross join sites as copy join meters on meters.site_id = copy.id where copy.name like 'Copy %'`,
    [model],
  );
  if (copied.rowCount === 0) throw new Error("no profile was copied: the service notes otherwise what one is made for");
  await pool.query("select note_change('site.create', '')");
  await pool.query("vacuum analyze");
  const { rows } = await pool.query<{ id: string }>("select id from sites order by key");
  return rows.map(({ id }) => id);
};

/** SQL: as the service notes what profiles of hours of one meter are made for. */
const madeFor = (meter: string): string =>
  `('x' || left(encode(sha256(convert_to('[1,"UTC",3600,[' || ${meter} || ']]', 'UTF8')), 'hex'), 13))::bit(52)::bigint`;
