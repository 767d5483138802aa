import type { participantConsole } from "@curtail/contract";
import { rounded } from "../../platform/rounded.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { Visible } from "../../portfolio/operations/visible-sites.js";
import { barsOfAll, type EnergySum, totalOf } from "../operations/energy-bar-sums.js";
import type { EnergyBars } from "../operations/energy-bars.js";

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

/** A milliwatt-hour is precise enough, and halves the answer. */
const DECIMALS = 6;

const sumToWire = ({ energyKwh, coverage }: EnergySum) => ({
  energy_kwh: rounded(energyKwh, DECIMALS),
  coverage: rounded(coverage),
});
