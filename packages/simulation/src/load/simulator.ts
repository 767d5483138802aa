import type { MeterSpec, SiteSpec } from "../site-spec.js";
import { batteryStep } from "./battery.js";
import { type Moment, momentsIn } from "./moment.js";
import { naturalLoads } from "./natural.js";
import { wandering } from "./noise.js";
import { type Call, depthAt, reboundAt } from "./response.js";

/** Ends at `endMs`; the load is computed at its middle. */
export interface Interval {
  readonly endMs: number;
  readonly seconds: number;
}

/** Simulates the meters of one site, interval by interval: batteries keep their state. */
export type Simulator = (interval: Interval, calls: readonly Call[]) => readonly number[];

const FIRST_CHARGE = 0.8;
/** The share of a site's load that cannot be shed. */
const LEAST_SHARE = 0.08;
const REBOUND_SHARE = 0.12;

export const simulatorOf = (site: SiteSpec): Simulator => {
  const momentAt = momentsIn(site.timezone);
  const charges = site.meters.map((meter) => (meter.kind === "battery" ? meter.capacityKwh * FIRST_CHARGE : 0));
  return ({ endMs, seconds }, calls) => {
    const moment = momentAt(endMs - (seconds * 1000) / 2);
    const depth = depthAt(calls, site.response, moment.atMs) * (site.response.delivers > 0 ? 1 : 0);
    const rebound = site.rebounds ? reboundAt(calls, moment.atMs) * depthOfRebound(site) : 0;
    return site.meters.map((meter, at) => {
      if (meter.kind !== "battery") return rounded(loadOf(meter, { site, moment, depth, rebound }));
      const interval = { moment, hours: seconds / 3600, depth: depth * Math.min(1, site.response.delivers) };
      const { powerKw, energyKwh } = batteryStep(meter, charges[at] ?? 0, interval);
      charges[at] = energyKwh;
      return rounded(powerKw);
    });
  };
};

const depthOfRebound = ({ response }: SiteSpec): number => REBOUND_SHARE * Math.min(1, response.delivers);

interface Circumstances {
  readonly site: SiteSpec;
  readonly moment: Moment;
  readonly depth: number;
  readonly rebound: number;
}

const loadOf = (
  { kind, peakKw, sheds }: Extract<MeterSpec, { readonly peakKw: number }>,
  { site, moment, depth, rebound }: Circumstances,
): number => {
  const naturalKw = peakKw * naturalLoads[kind](moment, site.seed);
  if (!sheds) return naturalKw;
  const imperfection = 1 + 0.06 * wandering(site.seed + 3, moment.atMs, 300);
  const shedKw = depth * site.commitmentKw * site.response.delivers * imperfection;
  return Math.max(naturalKw * LEAST_SHARE, naturalKw * (1 + rebound) - shedKw);
};

/** To the watt, and never -0. */
const rounded = (kw: number): number => Math.round(kw * 1000) / 1000 + 0;
