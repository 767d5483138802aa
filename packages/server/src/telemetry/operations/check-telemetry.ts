import { CELL_SECONDS, CELLS_PER_HOUR, cellEndMs, type HourRow, hourOf } from "@curtail/measure";
import type { Page, PageRequest } from "../../platform/page.js";
import type { Ports } from "../../platform/ports.js";
import { notFound, type Result } from "../../platform/refusal.js";
import type { Meter } from "../../portfolio/domain/site.js";
import type { PortfolioStores } from "../../portfolio/operations/portfolio-stores.js";
import { healthOf, type TelemetryHealth } from "../domain/telemetry-health.js";
import type { TelemetryReader } from "./read-telemetry.js";
import { loadFrom } from "./site-load.js";

export interface MeterHealth {
  readonly meter: Meter;
  readonly health: TelemetryHealth;
}

/** Telemetry health of a site, in one row. */
export interface SiteHealth {
  readonly siteId: string;
  readonly name: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly meters: number;
  /** Number of meters because of which the site cannot be measured. */
  readonly staleMeters: number;
  readonly lastReadingAt: Date | null;
  /** Received cells of the last hour divided by expected ones; null without meters. */
  readonly lastHour: number | null;
  readonly isInDispatch: boolean;
}

export interface SiteHealthReader {
  /** `isStale`: only sites that cannot be measured, or only the others; null: all. */
  list(filter: { readonly now: Date; readonly isStale: boolean | null }, page: PageRequest): Promise<Page<SiteHealth>>;
}

const HOURS = 24;

/** How well each meter of a site reported in the last 24 hours. */
export const checkTelemetry = async (
  {
    stores,
    clock,
    telemetry,
  }: Pick<Ports<Pick<PortfolioStores, "sites">>, "stores" | "clock"> & { readonly telemetry: TelemetryReader },
  siteId: string,
): Promise<Result<readonly MeterHealth[]>> => {
  const site = await stores.sites.find(siteId);
  if (site === null) return notFound("site");
  const meters = (await telemetry.metersOf(site.accountId, [siteId])).get(siteId) ?? [];
  // A cell counts from its end on.
  const last = Math.floor(clock.now().getTime() / 1000 / CELL_SECONDS);
  const first = last - HOURS * CELLS_PER_HOUR + 1;
  const keys = meters.map(({ key }) => key);
  const rows = await telemetry.rows(keys, hourOf(first), hourOf(last));
  return meters.flatMap(({ id, key }) => {
    const meter = site.meters.find((each) => each.id === id);
    return meter === undefined ? [] : { meter, health: healthIn(rows, key.meter, { first, last }) };
  });
};

const healthIn = (
  rows: readonly HourRow[],
  meter: number,
  range: { readonly first: number; readonly last: number },
): TelemetryHealth => {
  const { values } = loadFrom(rows, new Set([meter]), range);
  return healthOf({ values, firstEndMs: cellEndMs(range.first), cellMs: CELL_SECONDS * 1000 });
};
