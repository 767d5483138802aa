import {
  type DispatchPerformance,
  type LoadSeries,
  measuredPeriod,
  STATUS_LIMITS,
  measureDispatch as sumOf,
} from "@curtail/measure";
import { grouped } from "../../platform/grouped.js";
import { DAY_MS } from "../../platform/period.js";
import { notFound, type Result } from "../../platform/refusal.js";
import { judgementOf, type PerformanceState, performanceState } from "../domain/performance.js";
import type { FinalVersion } from "../domain/version.js";
import { judgedSites, judgedTotals } from "./judged.js";
import type { DispatchToMeasure, HistoryBySite, MeasurementPorts, SiteFilter } from "./measurement-ports.js";
import { inputsFor, siteMethod } from "./site-method.js";
import type { SiteResult, SiteSummary } from "./site-summary.js";

/** What the sites of a dispatch delivered, as of a moment. */
export interface DispatchReport<Site extends SiteSummary = SiteSummary> {
  readonly dispatch: DispatchToMeasure;
  readonly state: PerformanceState;
  readonly asOfMs: number;
  readonly measuredUntilMs: number;
  /** Its version as a final result; null while it is not final. */
  readonly version: number | null;
  /** All final versions, oldest first. */
  readonly versions: readonly FinalVersion[];
  readonly totals: DispatchPerformance;
  readonly sites: readonly Site[];
}

/** What one site delivered, and the loads of the results that this one replaced. */
export type SiteReport = Omit<DispatchReport, "sites"> & {
  readonly site: SiteResult;
  readonly earlier: readonly LoadSeries[];
};

/** The one site of a report; not found if the filter left none (G4). */
export const siteReport = (
  { sites: [site], ...report }: DispatchReport<SiteResult>,
  earlier: readonly LoadSeries[] = [],
): Result<SiteReport> => (site === undefined ? notFound("site") : { ...report, site, earlier });

/** Longest look-back of a method, from a window of a week that moves; earlier dispatches are irrelevant. */
export const LONGEST_LOOKBACK_MS = 375 * DAY_MS;
/** A site recovers after an earlier dispatch, and local days begin at other times. */
const BEFORE_LOOKBACK_MS = 2 * DAY_MS;

/** Where the look-backs of all sites begin. */
const lookbackFromMs = (dispatch: DispatchToMeasure): number =>
  dispatch.sites.reduce(
    (fromMs, site) => Math.min(fromMs, inputsFor(siteMethod(dispatch, site), dispatch)?.fromMs ?? fromMs),
    Math.min(dispatch.startMs, dispatch.notificationMs),
  );

/** Other dispatches within the look-back and excluded days, by site. */
export const historyOf = async (
  { reader }: Pick<MeasurementPorts, "reader">,
  dispatch: DispatchToMeasure,
): Promise<HistoryBySite> => {
  const toMs = dispatch.startMs;
  // Not all that any method could look back on: a site that was called daily has hundreds of them.
  const fromMs = lookbackFromMs(dispatch) - BEFORE_LOOKBACK_MS;
  const [events, excludedDays] = await Promise.all([
    reader.otherEvents(dispatch.id, { fromMs, toMs }),
    reader.excludedDays(dispatch.sites.map(({ id }) => id)),
  ]);
  const eventsBySite = grouped(events, ({ siteId }) => siteId);
  return new Map(
    [...new Set([...eventsBySite.keys(), ...excludedDays.keys()])].map((id) => [
      id,
      { events: eventsBySite.get(id) ?? [], excludedDays: excludedDays.get(id) ?? [] },
    ]),
  );
};

/** The part of a report that matches the filter, with its own totals. */
export const filtered = <Site extends SiteSummary>(
  report: DispatchReport<Site>,
  { accountId, siteId }: SiteFilter,
): DispatchReport<Site> => {
  if (accountId === undefined && siteId === undefined) return report;
  const sites = report.sites.filter(
    (site) => (accountId ?? site.accountId) === site.accountId && (siteId ?? site.siteId) === site.siteId,
  );
  return reportOf(report.dispatch, sites, report);
};

/** The time of a report, and its final version. */
interface AsOf {
  readonly asOfMs: number;
  readonly version: number | null;
  readonly versions: readonly FinalVersion[];
}

export const reportOf = <Site extends SiteSummary>(
  dispatch: DispatchToMeasure,
  sites: readonly Site[],
  { asOfMs, version, versions }: AsOf,
): DispatchReport<Site> => {
  const measuredUntilMs = measuredPeriod(dispatch, asOfMs).endMs;
  const { staleSeconds } = dispatch.statusLimits ?? STATUS_LIMITS;
  const judgement = judgementOf(dispatch, version === (versions.at(-1)?.version ?? null));
  const shown = judgedSites(judgement, sites);
  return {
    dispatch,
    state: performanceState(dispatch, asOfMs, version !== null),
    asOfMs,
    measuredUntilMs,
    version,
    versions,
    // After the end, "now" is the end.
    totals: judgedTotals(judgement, sumOf(shown, { nowMs: measuredUntilMs, staleSeconds })),
    sites: shown,
  };
};
