import { outlookAt } from "../control/outlook.js";
import type { SiteState } from "../control/site-control.js";
import type { MeterSampler } from "../readings/meter-sampler.js";
import {
  dispatchStatus,
  iso,
  type MeterStatus,
  outlookStatus,
  outputStatus,
  overrideStatus,
  type SiteStatus,
} from "../status/status.js";
import type { Log } from "./log.js";
import type { SiteRunner } from "./site-runner.js";

/** What the status page shows of a site; `readingAt` has the end of each meter's newest interval with a reading. */
export const siteStatus = (runner: SiteRunner, nowMs: number, readingAt: ReadonlyMap<string, number>): SiteStatus => {
  const { site, state, override, windows, samplers, outputs } = runner;
  return {
    id: site.id,
    name: site.name,
    phase: state.phase,
    cause: state.cause,
    commitment_kw: state.demand?.commitmentKw ?? null,
    outlook: outlookStatus(outlookAt(windows ?? [], nowMs, site.control)),
    override: override === null ? null : overrideStatus(override),
    dispatches: (windows ?? []).map(dispatchStatus),
    meters: samplers.map((sampler) => meterStatus(sampler, readingAt)),
    outputs: outputs.map(({ status }) => outputStatus(status)),
  };
};

const meterStatus = ({ meter, last, lastNote }: MeterSampler, readingAt: ReadonlyMap<string, number>): MeterStatus => ({
  id: meter.id,
  name: meter.name,
  kw: last?.kw ?? null,
  at: iso(last?.atMs ?? null),
  note: lastNote,
  reading_at: iso(readingAt.get(meter.id) ?? null),
});

/** A line for each change of a site's phase or cause. */
export const logChange = (
  log: Log,
  site: string,
  { before, state }: { readonly before: SiteState | undefined; readonly state: SiteState },
): void => {
  const { phase, cause, demand } = state;
  if (phase === before?.phase && cause === before.cause) return;
  const { dispatchIds = [], commitmentKw = null } = demand ?? {};
  log.info(phase, { site, cause, dispatches: dispatchIds.join(","), kw: commitmentKw });
};
