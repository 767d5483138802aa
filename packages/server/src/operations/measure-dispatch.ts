import { type DispatchPerformance, measuredPeriod, STATUS_LIMITS, measureDispatch as sumOf } from "@curtail/measure";
import { type PerformanceState, performanceState } from "../domain/performance.js";
import { DAY_MS } from "../domain/period.js";
import { isRefusal, notFound, type Result } from "../domain/refusal.js";
import type { DispatchToMeasure, MeasurementPorts, OtherEvent, SiteFilter } from "./measurement-ports.js";
import { SiteMeasurement } from "./site-measurement.js";
import type { SiteResult } from "./site-result.js";

/** What the sites of a dispatch delivered, as of a moment. */
export interface DispatchReport {
  readonly dispatch: DispatchToMeasure;
  readonly state: PerformanceState;
  readonly asOfMs: number;
  readonly measuredUntilMs: number;
  /** Of the final result; null until there is one. */
  readonly version: number | null;
  readonly totals: DispatchPerformance;
  readonly sites: readonly SiteResult[];
}

/** What one site delivered. */
export type SiteReport = Omit<DispatchReport, "sites"> & { readonly site: SiteResult };

/** Measures the sites of a dispatch from what is stored. */
export const measureDispatch = async (
  { reader, clock }: MeasurementPorts,
  id: string,
  filter: SiteFilter = {},
): Promise<Result<DispatchReport>> => {
  const dispatch = await reader.findDispatch(id, filter);
  if (dispatch === null) return notFound("dispatch");
  const nowMs = clock.now().getTime();
  const sites = await readSites({ reader, clock }, dispatch);
  return reportOf(
    dispatch,
    sites.map((site) => site.result(nowMs)),
    { asOfMs: nowMs, version: null },
  );
};

/** Measures one site of a dispatch; one that the filter leaves out is not found (G4). */
export const measureSite = async (
  ports: MeasurementPorts,
  id: string,
  filter: Required<Pick<SiteFilter, "siteId">> & SiteFilter,
): Promise<Result<SiteReport>> => {
  const report = await measureDispatch(ports, id, filter);
  return isRefusal(report) ? report : siteReport(report);
};

const siteReport = ({ sites: [site], ...report }: DispatchReport): Result<SiteReport> =>
  site === undefined ? notFound("site") : { ...report, site };

/** Longest look-back of a method, and a day more: earlier dispatches are in nobody's way. */
const LONGEST_LOOKBACK_MS = 367 * DAY_MS;

/** Other dispatches that may lie in the look-back, by site. */
const eventsOf = async (
  { reader }: Pick<MeasurementPorts, "reader">,
  dispatch: DispatchToMeasure,
): Promise<ReadonlyMap<string, readonly OtherEvent[]>> => {
  const toMs = dispatch.startMs;
  const events = await reader.otherEvents(dispatch.id, { fromMs: toMs - LONGEST_LOOKBACK_MS, toMs });
  const bySite = new Map<string, OtherEvent[]>();
  for (const event of events) {
    const known = bySite.get(event.siteId);
    if (known === undefined) bySite.set(event.siteId, [event]);
    else known.push(event);
  }
  return bySite;
};

const readSites = async (ports: MeasurementPorts, dispatch: DispatchToMeasure): Promise<readonly SiteMeasurement[]> => {
  const events = await eventsOf(ports, dispatch);
  const sites = [];
  // One after the other: a thousand look-backs at once would crowd out everybody else.
  for (const site of dispatch.sites) {
    const task = { dispatch, site, events: events.get(site.id) ?? [] };
    sites.push(await SiteMeasurement.read(ports.reader, task, ports.clock.now().getTime()));
  }
  return sites;
};

const reportOf = (
  dispatch: DispatchToMeasure,
  sites: readonly SiteResult[],
  { asOfMs, version }: { readonly asOfMs: number; readonly version: number | null },
): DispatchReport => ({
  dispatch,
  state: performanceState(dispatch, asOfMs, version !== null),
  asOfMs,
  measuredUntilMs: measuredPeriod(dispatch, asOfMs).endMs,
  version,
  totals: sumOf(sites, {
    nowMs: asOfMs,
    staleSeconds: dispatch.statusLimits?.staleSeconds ?? STATUS_LIMITS.staleSeconds,
  }),
  sites,
});
