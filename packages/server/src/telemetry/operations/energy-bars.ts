import {
  type CalendarStep,
  CELL_SECONDS,
  COUNTING_HOURS,
  calendarGrid,
  dayOfDate,
  type EnergyGrid,
  EnergySums,
  type HourRow,
  isDate,
  type MeterKey,
  measuredMeters,
  SiteHours,
} from "@curtail/measure";
import type { Caller } from "../../access/operations/caller.js";
import { grouped } from "../../platform/grouped.js";
import { quote } from "../../platform/quote.js";
import { invalid, isRefusal, mapResult, type Refusal, type Result } from "../../platform/refusal.js";
import { refuseTimezone } from "../../portfolio/domain/program.js";
import type { Site } from "../../portfolio/domain/site.js";
import { findVisibleSite, sitesVisibleTo, type Visible, visibleSum } from "../../portfolio/operations/visible-sites.js";
import { refuseBars } from "../domain/energy.js";
import type { EnergyPorts } from "./find-metered.js";
import { hourStretches, hoursOf } from "./hour-stretches.js";

/** Which bars of which sites; null: all sites, and the time zone that most of them have. */
export interface BarsQuestion {
  /** The first and the last local day: `2026-06-01`. */
  readonly from: string;
  readonly to: string;
  readonly by: CalendarStep;
  readonly siteId: string | null;
  readonly timezone: string | null;
  readonly viewer: Caller;
}

export interface SiteBars {
  readonly site: Site;
  readonly sums: EnergySums;
}

export interface EnergyBars {
  readonly by: CalendarStep;
  readonly timezone: string;
  readonly grid: EnergyGrid;
  /** The last 30-second cell that is over. */
  readonly nowCell: number;
  /** By name. */
  readonly sites: readonly SiteBars[];
  readonly hiddenSites: number;
}

/** The energy of one site or of all by hour, day or month. */
export const readEnergyBars = async (
  ports: EnergyPorts,
  question: BarsQuestion,
): Promise<Result<Visible<EnergyBars>>> => {
  const wrong = refuseDays(question) ?? (question.timezone === null ? null : refuseTimezone(question.timezone));
  if (wrong !== null) return wrong;
  const { from, to, by, viewer } = question;
  const sites = await askedSites(ports, question);
  if (isRefusal(sites)) return sites;
  const visible = await sitesVisibleTo(ports.stores.sites, viewer);
  return visibleSum(visible, async (isCounted): Promise<Result<EnergyBars>> => {
    const counted = sites.filter(({ id: siteId, accountId }) => isCounted({ siteId, accountId }));
    const days = dayOfDate(to) - dayOfDate(from) + 1;
    const refused = refuseBars({ days, sites: counted.length, isHourly: by === "hour" });
    if (refused !== null) return refused;
    const timezone = question.timezone ?? commonZone(counted);
    const grid = calendarGrid({ from, to }, by, timezone);
    const nowCell = Math.floor(ports.clock.now().getTime() / 1000 / CELL_SECONDS);
    const bars = await barsOf(ports, { accountId: viewer.accountId, sites: counted, grid });
    return { by, timezone, grid, nowCell, sites: bars, hiddenSites: sites.length - counted.length };
  });
};

const refuseDays = ({ from, to }: BarsQuestion): Refusal | null => {
  const wrong = Object.entries({ from, to }).find(([, date]) => !isDate(date) || dayOfDate(date) < 0);
  if (wrong === undefined) return null;
  return invalid(`${wrong[0]} is "${quote(wrong[1])}"; give a date between 1970 and 9999 as YYYY-MM-DD`);
};

const askedSites = async (
  { stores }: EnergyPorts,
  { siteId, viewer }: BarsQuestion,
): Promise<Result<readonly Site[]>> => {
  if (siteId === null) return stores.sites.ofAccount(viewer.accountId);
  return mapResult(findVisibleSite(stores, siteId, viewer), (site) => [site]);
};

/** The zone of most sites; of two, the first by name. */
const commonZone = (sites: readonly Site[]): string => {
  const zones = [...grouped(sites, ({ timezone }) => timezone)].toSorted(
    ([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1),
  );
  return zones[0]?.[0] ?? "UTC";
};

interface Summing {
  readonly accountId: string;
  readonly sites: readonly Site[];
  readonly grid: EnergyGrid;
}

/** Read together, so that a day of many sites takes few statements. */
const SITES_AT_ONCE = 20;

const barsOf = async (ports: EnergyPorts, { accountId, sites, grid }: Summing): Promise<SiteBars[]> => {
  const bars: SiteBars[] = [];
  for (let at = 0; at < sites.length; at += SITES_AT_ONCE) {
    const some = sites.slice(at, at + SITES_AT_ONCE);
    bars.push(...(await sumSites(ports, { accountId, sites: some, grid })));
  }
  return bars.toSorted((a, b) => a.site.name.localeCompare(b.site.name));
};

/** A site, and what it used until the hours that were read. */
interface Counted extends SiteBars {
  readonly hours: SiteHours;
}

const sumSites = async ({ telemetry }: EnergyPorts, { accountId, sites, grid }: Summing): Promise<SiteBars[]> => {
  const keysOf = await telemetry.metersOf(
    accountId,
    sites.map(({ id }) => id),
  );
  const measured = new Map(sites.map((site) => [site, measuredKeys(site, keysOf.get(site.id) ?? [])]));
  const keys = [...measured.values()].flat();
  const hours = hoursOf(grid);
  const newest = await telemetry.newestHours(keys, hours.from - COUNTING_HOURS, hours.from - 1);
  const bars = [...measured].map(([site, ofSite]) => ({
    site,
    sums: new EnergySums(grid),
    hours: new SiteHours(new Map(ofSite.flatMap(({ meter }) => hourOfMeter(newest, meter)))),
  }));
  const byMeter = new Map([...measured.values()].flatMap((ofSite, nth) => ofSite.map(({ meter }) => [meter, nth])));
  for await (const { rows, from, to } of hourStretches(telemetry, keys, hours)) {
    const bySite = grouped(rows, ({ meter }) => byMeter.get(meter));
    for (const [nth, counted] of bars.entries()) addHours(counted, bySite.get(nth) ?? [], { from, to });
  }
  return bars;
};

const measuredKeys = (site: Site, known: ReadonlyArray<{ readonly id: string; readonly key: MeterKey }>) => {
  const measured = new Set(measuredMeters(site.meters, site.measuredMeters).map(({ id }) => id));
  return known.filter(({ id }) => measured.has(id)).map(({ key }) => key);
};

const hourOfMeter = (newest: ReadonlyMap<number, number>, meter: number): Array<[number, number]> => {
  const hour = newest.get(meter);
  return hour === undefined ? [] : [[meter, hour]];
};

const addHours = (
  { hours, sums }: Counted,
  rows: readonly HourRow[],
  { from, to }: { readonly from: number; readonly to: number },
): void => {
  for (const { firstCell, cells } of hours.take(rows, from, to)) sums.add(firstCell, cells);
};
