import { invalid, isRefusal, notFound, Refusal, type Result, tooMany } from "../../../platform/refusal.js";
import type { OwnedSite } from "../../../portfolio/operations/visible-sites.js";
import { type FinalVersion, standingVersion } from "../../domain/version.js";
import { type DispatchTable, tableOfReport } from "../dispatch-table.js";
import { finalReport, finalTable, type KeptVersion } from "../final/final-report.js";
import { type ComparedVersions, type ResultDifference, resultDifference } from "../final/result-difference.js";
import type { DispatchTracker } from "../live/dispatch-tracker.js";
import type { LivePerformance } from "../live/live-performance.js";
import { heldBytes, NoRoom } from "../live/measuring-memory.js";
import { isPreparing, type LookResult, lookedAt } from "../live/preparing.js";
import { type DispatchReport, filtered, reportOf, type SiteReport, siteReport } from "../measure-dispatch.js";
import { measuredSites } from "../measured-sites.js";
import type { MeasurementPorts, PerformanceStore, SiteFilter } from "../measurement-ports.js";
import { type CurvedSite, curveFor, measuringOf, type PortfolioCell } from "../portfolio-curve.js";
import type { SiteNumbers, SiteResult } from "../site-summary.js";
import { type SiteAt, siteAt } from "./site-at.js";

/** The requested final version; null: the one that applies or, without any, the live result. */
export type RequestedVersion = number | null;

/** Reads of performance. */
export interface PerformanceView {
  ofDispatch(id: string, filter: SiteFilter, version: RequestedVersion): Promise<LookResult<DispatchReport>>;
  ofSite(
    id: string,
    filter: SiteFilter & { readonly siteId: string },
    version: RequestedVersion,
  ): Promise<LookResult<SiteReport>>;
  /** The totals of the sites of a dispatch over time, of those that match the filter and that `isCounted` accepts. */
  curveOfDispatch(id: string, asked: CurveQuestion): Promise<LookResult<CurveReport>>;
  /** What each site delivered at a moment that has passed. */
  sitesAt(id: string, asked: MomentQuestion): Promise<LookResult<SitesAtReport>>;
  /** What differs between two final versions. */
  differenceOf(id: string, filter: SiteFilter, compared: ComparedVersions): Promise<Result<ResultDifference>>;
  /** The results of the sites, for a table. */
  tableOfDispatch(id: string, filter: SiteFilter, version: RequestedVersion): Promise<LookResult<DispatchTable>>;
}

/** Which sites of a dispatch a curve adds up, and of which result. */
export interface CurveQuestion {
  readonly version: RequestedVersion;
  readonly filter: SiteFilter;
  readonly isCounted: (site: OwnedSite) => boolean;
}

export interface CurveReport extends Omit<DispatchReport, "totals" | "sites"> {
  /** Number of sites that the curve is about, measured or not. */
  readonly countedSites: number;
  readonly curve: readonly PortfolioCell[];
}

export interface MomentQuestion {
  readonly version: RequestedVersion;
  readonly at: Date;
}

export interface SitesAtReport extends Omit<DispatchReport, "totals" | "sites"> {
  readonly sites: readonly SiteAt[];
}

export interface ViewPorts extends MeasurementPorts {
  readonly live: LivePerformance;
  readonly store: Pick<
    PerformanceStore,
    "versions" | "summaries" | "result" | "results" | "earlierLoads" | "changedSites"
  >;
}

export const performanceView = (ports: ViewPorts): PerformanceView => ({
  async ofDispatch(id, filter, wanted) {
    const versions = await ports.store.versions(id);
    const kept = keptVersion(versions, wanted);
    if (isRefusal(kept)) return kept;
    if (kept === null) return liveReport(ports, id, filter, numbersReport);
    const sites = await ports.store.summaries(id, kept.version, filter);
    return finalReport(ports, { id, filter, kept, versions }, sites);
  },
  differenceOf: (id, filter, compared) => resultDifference(ports, { id, filter }, compared),
  async ofSite(id, filter, wanted) {
    const versions = await ports.store.versions(id);
    const kept = keptVersion(versions, wanted);
    if (isRefusal(kept)) return kept;
    if (kept === null) {
      const report = await liveReport(ports, id, filter, explainedReport);
      return isRefusal(report) || isPreparing(report) ? report : siteReport(report);
    }
    if (kept.reason === "withdrawn") return withdrawn();
    const site = await ports.store.result(id, kept.version, filter.siteId);
    const isOwn = site !== null && (filter.accountId ?? site.accountId) === site.accountId;
    const report = await finalReport(ports, { id, filter, kept, versions }, isOwn ? [site] : []);
    if (isRefusal(report)) return report;
    const earlier = await ports.store.earlierLoads(id, kept.version, [filter.siteId]);
    return siteReport(report, earlier.get(filter.siteId));
  },
  async curveOfDispatch(id, asked) {
    const found = await gathered(ports, id, asked);
    if (isRefusal(found) || isPreparing(found)) return found;
    const curve = curveFor(found.report);
    for await (const site of found.sites) curve.add(site);
    return { ...found.report, countedSites: found.counted, curve: curve.result() };
  },
  async sitesAt(id, { version, at }) {
    const found = await gathered(ports, id, { version, filter: {}, isCounted: () => true });
    if (isRefusal(found) || isPreparing(found)) return found;
    const { report } = found;
    if (at.getTime() > report.asOfMs) return invalid("at is in the future; give a moment that has passed");
    const sites: SiteAt[] = [];
    for await (const site of found.sites) sites.push(siteAt(site, at.getTime(), measuringOf(report)));
    return { ...report, sites };
  },
  async tableOfDispatch(id, filter, wanted) {
    const versions = await ports.store.versions(id);
    const kept = keptVersion(versions, wanted);
    if (isRefusal(kept)) return kept;
    if (kept?.reason === "withdrawn") return withdrawn();
    if (kept !== null) return finalTable(ports, { id, filter, kept, versions });
    return lookedAt(await liveReport(ports, id, filter, numbersReport), tableOfReport);
  },
});

const withdrawn = (): Refusal =>
  new Refusal("not_found", "The dispatch was voided and its results withdrawn; request an earlier version.");

/** A site with what its curve is made of. */
type GatheredSite = CurvedSite & OwnedSite;

interface Gathering {
  readonly version: RequestedVersion;
  readonly filter: SiteFilter;
  readonly isCounted: CurveQuestion["isCounted"];
}

interface Gathered {
  readonly report: Omit<DispatchReport, "sites">;
  /** Number of sites, measured or not. */
  readonly counted: number;
  /** Those that are measured, some at a time, so that not all need to be in memory. */
  readonly sites: AsyncIterable<GatheredSite>;
}

const gathered = async (ports: ViewPorts, id: string, asked: Gathering): Promise<LookResult<Gathered>> => {
  const versions = await ports.store.versions(id);
  const kept = keptVersion(versions, asked.version);
  if (isRefusal(kept)) return kept;
  if (kept === null) return liveSites(ports, id, asked);
  return finalSites(ports, { id, filter: asked.filter, kept, versions }, asked);
};

const liveSites = async (
  ports: ViewPorts,
  id: string,
  { filter, isCounted }: Gathering,
): Promise<LookResult<Gathered>> => {
  const report = await liveReport(ports, id, filter, numbersReport);
  if (isRefusal(report) || isPreparing(report)) return report;
  const sites = report.sites.filter(isCounted);
  return { report, counted: sites.length, sites: inOrder(sites) };
};

/** A result is some ten kilobytes. */
const RESULTS_AT_ONCE = 200;

const finalSites = async (
  ports: ViewPorts,
  final: KeptVersion,
  { isCounted }: Gathering,
): Promise<Result<Gathered>> => {
  const { kept } = final;
  const report = await finalReport(ports, final, []);
  if (isRefusal(report)) return report;
  const called = report.dispatch.sites.filter(({ id: siteId, accountId }) => isCounted({ siteId, accountId }));
  const siteIds = kept.reason === "withdrawn" ? [] : called.map((site) => site.id);
  return { report, counted: called.length, sites: resultsOf(ports, final, siteIds) };
};

async function* resultsOf(ports: ViewPorts, { id, kept }: KeptVersion, siteIds: readonly string[]) {
  for (let from = 0; from < siteIds.length; from += RESULTS_AT_ONCE)
    yield* await ports.store.results(id, kept.version, siteIds.slice(from, from + RESULTS_AT_ONCE));
}

async function* inOrder<T>(items: readonly T[]) {
  yield* items;
}

const keptVersion = (versions: readonly FinalVersion[], wanted: RequestedVersion): Result<FinalVersion | null> => {
  if (wanted === null) return standingVersion(versions);
  return versions.find(({ version }) => version === wanted) ?? notFound("version");
};

type ReportOf<Site extends SiteNumbers> = (
  tracker: DispatchTracker,
  filter: SiteFilter,
) => Promise<DispatchReport<Site>>;

const numbersReport: ReportOf<SiteNumbers> = async (tracker, filter) => filtered(tracker.report(), filter);

const explainedReport: ReportOf<SiteResult> = async (tracker, filter) => {
  const { sites } = filtered(tracker.report(), filter);
  return tracker.explainedReport(new Set(sites.map(({ siteId }) => siteId)));
};

const liveReport = async <Site extends SiteNumbers>(
  ports: ViewPorts,
  id: string,
  filter: SiteFilter,
  reportOn: ReportOf<Site>,
): Promise<LookResult<DispatchReport<Site | SiteResult>>> => {
  try {
    const tracker = await ports.live.current(id);
    if (isPreparing(tracker)) return tracker;
    return tracker === null ? notFound("dispatch") : await reportOn(tracker, filter);
  } catch (error) {
    if (error instanceof NoRoom) return reportOnce(ports, error, filter);
    throw error;
  }
};

/** Memory that one answer may use for a dispatch that does not fit. */
const ONCE_BYTES = 16_000_000;
const LATER_SECONDS = 60;

/** The part that matches the filter, measured for this answer alone. */
const reportOnce = async (
  ports: ViewPorts,
  { dispatchId, isTooLarge }: NoRoom,
  filter: SiteFilter,
): Promise<Result<DispatchReport<SiteResult>>> => {
  const nowMs = ports.clock.now().getTime();
  const dispatch = await ports.reader.findDispatch(dispatchId, filter);
  if (dispatch === null) return notFound("dispatch");
  if (heldBytes(dispatch, dispatch.sites, nowMs) > ONCE_BYTES) return noRoom(dispatch.sites.length, isTooLarge);
  const results: SiteResult[] = [];
  for await (const measurement of measuredSites(ports, dispatch, dispatch.sites))
    results.push(measurement.explained(nowMs));
  return reportOf(dispatch, results, { asOfMs: nowMs, version: null, versions: [] });
};

const noRoom = (sites: number, isTooLarge: boolean): Refusal =>
  isTooLarge
    ? invalid(
        `the dispatch is too large to be measured as a whole while it runs, with ${sites} sites; ` +
          "request single sites, or wait for its final result",
      )
    : tooMany("other dispatches use all the memory for live measurement; request single sites", LATER_SECONDS);
