import type { MeterKey, Period } from "@curtail/measure";
import type { Ports } from "../../platform/ports.js";
import { isRefusal, type Result } from "../../platform/refusal.js";
import type { Meter, Site } from "../../portfolio/domain/site.js";
import type { PortfolioStores } from "../../portfolio/operations/portfolio-stores.js";
import { findVisibleSite, type Viewer, type Visible } from "../../portfolio/operations/visible-sites.js";
import { refuseEnergyPeriod } from "../domain/energy.js";
import type { TelemetryReader } from "./read-telemetry.js";

export interface EnergyReader extends TelemetryReader {
  /** The newest hour with a reading among the hours `from` to `to`, by meter; meters without one are absent. */
  newestHours(meters: readonly MeterKey[], from: number, to: number): Promise<ReadonlyMap<number, number>>;
  /** Like `rows`, with states of charge in kWh. */
  chargeRows: TelemetryReader["rows"];
}

export type EnergyPorts = Pick<Ports<Pick<PortfolioStores, "sites">>, "stores" | "clock"> & {
  readonly telemetry: EnergyReader;
};

/** A site and a period. */
export interface EnergyQuestion {
  readonly siteId: string;
  readonly viewer: Viewer;
  readonly start: Date;
  readonly end: Date;
}

export interface MeteredMeter {
  readonly meter: Meter;
  readonly key: MeterKey;
}

export interface MeteredSite {
  readonly site: Visible<Site>;
  readonly meters: readonly MeteredMeter[];
  readonly period: Period;
}

/** The site and its meters, with the numbers by which their readings are stored. */
export const findMetered = async (
  { stores, telemetry }: EnergyPorts,
  { siteId, viewer, start, end }: EnergyQuestion,
): Promise<Result<MeteredSite>> => {
  const site = await findVisibleSite(stores, siteId, viewer);
  if (isRefusal(site)) return site;
  const refused = refuseEnergyPeriod({ start, end });
  if (refused !== null) return refused;
  const keys = (await telemetry.metersOf(site.accountId, [siteId])).get(siteId) ?? [];
  const meters = keys.flatMap(({ id, key }) => {
    const meter = site.meters.find((each) => each.id === id);
    return meter === undefined ? [] : [{ meter, key }];
  });
  return { site, meters, period: { startMs: start.getTime(), endMs: end.getTime() } };
};
