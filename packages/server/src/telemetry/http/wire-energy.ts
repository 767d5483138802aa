import type { operator, participantConsole } from "@curtail/contract";
import { rounded } from "../../platform/rounded.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { Visible } from "../../portfolio/operations/visible-sites.js";
import { barsOfAll, type EnergySum, totalOf } from "../operations/energy-bar-sums.js";
import type { EnergyBars } from "../operations/energy-bars.js";
import type { MeterEnergy, SiteEnergy } from "../operations/read-energy.js";

const DAY_SECONDS = 86_400;

export const energyToWire = ({
  site,
  intervalSeconds,
  edgesMs,
  expectedCells,
  load,
  meters,
}: SiteEnergy): operator.SiteEnergy => {
  const edges = edgesMs.map((ms) => formatTimestamp(ms));
  return {
    site_id: site.id,
    name: site.name,
    timezone: site.timezone,
    start_time: edges[0] ?? "",
    end_time: edges.at(-1) ?? "",
    interval_seconds: intervalSeconds,
    day_ends: intervalSeconds === DAY_SECONDS ? edges.slice(1) : null,
    site: sumsToWire(load, expectedCells),
    meters: meters.map(({ meter, sums, charge }) => ({
      meter_id: meter.id,
      name: meter.name,
      asset_type: meter.assetType,
      ...sumsToWire(sums, expectedCells),
      charge: newestToWire(charge),
      charge_kwh: charge && Array.from(charge.kwh, roundedOrNull),
    })),
  };
};

const newestToWire = (charge: MeterEnergy["charge"]): operator.MeterEnergy["charge"] => {
  const newest = charge?.newest() ?? null;
  return newest && { timestamp: formatTimestamp(newest.at), value: newest.chargeKwh };
};

const sumsToWire = (sums: SiteEnergy["load"], expectedCells: number) => {
  const { importedKwh, exportedKwh, energyKwh, presentCells, peakKw } = sums.totals();
  const energy = (kwh: number) => (presentCells === 0 ? null : roundedOrNull(kwh));
  return {
    energy_kwh: energy(energyKwh),
    imported_kwh: energy(importedKwh),
    exported_kwh: energy(exportedKwh),
    peak_kw: roundedOrNull(peakKw),
    // A meter with a fast clock has cells in the future.
    coverage: expectedCells === 0 ? null : rounded(Math.min(1, presentCells / expectedCells)),
    power_kw: Array.from(sums.present, (_, index) => roundedOrNull(sums.meanKw(index))),
    min_kw: Array.from(sums.leastKw, roundedOrNull),
    max_kw: Array.from(sums.mostKw, roundedOrNull),
  };
};

/** A milliwatt, or milliwatt-hour, is precise enough for a screen, and halves the answer. */
const DECIMALS = 6;

const roundedOrNull = (value: number): number | null => (Number.isNaN(value) ? null : rounded(value, DECIMALS));

export const energyBarsToWire = (energy: Visible<EnergyBars>): participantConsole.EnergyBars => {
  const bars = barsOfAll(energy);
  const total = totalOf(energy, energy.sites);
  return {
    by: energy.by,
    timezone: energy.timezone,
    start_time: formatTimestamp(bars[0]?.startMs ?? 0),
    end_time: formatTimestamp(bars.at(-1)?.endMs ?? 0),
    ...sumToWire(total),
    imported_kwh: rounded(total.importedKwh, DECIMALS),
    exported_kwh: rounded(total.exportedKwh, DECIMALS),
    hidden_sites: energy.hiddenSites,
    sites: energy.sites.map((each) => ({
      site_id: each.site.id,
      name: each.site.name,
      ...sumToWire(totalOf(energy, [each])),
    })),
    bars: bars.map(({ startMs, endMs, sites, ...sum }) => ({
      start_time: formatTimestamp(startMs),
      end_time: formatTimestamp(endMs),
      sites,
      ...sumToWire(sum),
    })),
  };
};

const sumToWire = ({ energyKwh, coverage }: EnergySum) => ({
  energy_kwh: rounded(energyKwh, DECIMALS),
  coverage: rounded(coverage),
});
