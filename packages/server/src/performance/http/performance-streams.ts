import { operator, type ParamsOf, type PerformancePart, streamDispatchPerformance } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { actorOf, mayContinue } from "../../access/caller/actor.js";
import { callerMayContinue, callerOf, readerOf } from "../../access/caller/caller.js";
import type { DispatchService } from "../../dispatch/operations/dispatch-service.js";
import type { LoopClock } from "../../platform/clock.js";
import { serveEvents } from "../../platform/http/event-stream.js";
import { isRefusal, notFound } from "../../platform/refusal.js";
import type { SiteStore } from "../../portfolio/operations/portfolio-stores.js";
import {
  sitesVisibleTo,
  type Visible,
  type VisibleSites,
  visibleToOperators,
} from "../../portfolio/operations/visible-sites.js";
import type { DispatchTracker, PartlyMeasured } from "../operations/live/dispatch-tracker.js";
import type { LivePerformance } from "../operations/live/live-performance.js";
import { type PerformancePart as Part, partOf } from "../operations/live/performance-part.js";
import { reportOf } from "../operations/measure-dispatch.js";
import { visibleReport } from "../operations/report/visible-report.js";
import { sendPerformance } from "./performance-stream.js";
import {
  operatorPerformanceToWire,
  operatorSiteToWire,
  performanceToWire,
  siteToWire,
  sumsToWire,
} from "./wire-performance.js";

export interface PerformanceStreamRoutePorts {
  readonly live: LivePerformance;
  readonly clock: LoopClock;
}

/** Live changes of all sites of a dispatch. */
export const performanceStreamRoute = (app: FastifyInstance, { live, clock }: PerformanceStreamRoutePorts): void =>
  serveEvents(app, clock, operator.streamAnyDispatchPerformance, async (request) => {
    const { id: dispatchId } = request.params as ParamsOf<typeof operator.streamAnyDispatchPerformance>;
    if (!(await live.exists(dispatchId))) return notFound("dispatch");
    const watched = {
      live,
      dispatchId,
      toWire: (tracker: DispatchTracker, since: number | null) => {
        const whole = operatorPerformanceToWire(visibleToOperators(tracker.report()));
        return since === null ? whole : { ...whole, sites: tracker.changedSince(since).map(operatorSiteToWire) };
      },
      partToWire: (part: PartlyMeasured, after: number) => operatorPartToWire(visibleToOperators(partOf(part)), after),
      lastEventId: request.headers["last-event-id"],
      log: request.log,
    };
    return {
      reader: actorOf(request),
      mayContinue: () => mayContinue(request),
      begin: (sink) => sendPerformance(watched, sink),
    };
  });

interface OwnStreamPorts {
  readonly live: LivePerformance;
  readonly clock: LoopClock;
  readonly sites: Pick<SiteStore, "displayed">;
}

/** Live changes of the caller's own sites; changes of others' sites send no event. */
export const ownPerformanceStreamRoute = (
  app: FastifyInstance,
  service: Pick<DispatchService, "findDispatch">,
  { live, clock, sites }: OwnStreamPorts,
): void =>
  serveEvents(app, clock, streamDispatchPerformance, async (request) => {
    const { id: dispatchId } = request.params as ParamsOf<typeof streamDispatchPerformance>;
    const caller = callerOf(request);
    // Figures do not prove that the dispatch itself was read, so streaming does not acknowledge it.
    const seen = await service.findDispatch(caller, dispatchId, "unseen");
    if (isRefusal(seen)) return seen;
    let shown = await sitesVisibleTo(sites, caller);
    const lastEventId = request.headers["last-event-id"];
    const toWire = (tracker: DispatchTracker, since: number | null) => ownToWire(tracker, since, shown);
    const partToWire = (part: PartlyMeasured, after: number) => ownPartToWire(part, after, shown);
    return {
      reader: readerOf(request),
      begin: (sink) => sendPerformance({ live, dispatchId, toWire, partToWire, lastEventId, log: request.log }, sink),
      async mayContinue() {
        // Changes of data visibility apply at once; if the database does not respond, nothing changes.
        shown = await sitesVisibleTo(sites, caller).catch(() => shown);
        return callerMayContinue(request);
      },
    };
  });

const ownToWire = (tracker: DispatchTracker, since: number | null, shown: VisibleSites): object | null => {
  const report = visibleReport(tracker.report(), shown);
  if (since === null) return performanceToWire(report);
  const changed = tracker.changedSince(since);
  const own = changed.filter((site) => shown.has(site));
  // No site changed: the dispatch itself did, for example when its result became final.
  if (own.length === 0 && changed.length > 0) return null;
  return { ...performanceToWire(report), sites: own.map((site) => siteToWire(site)) };
};

/** What is measured of a dispatch while it is read, with the sites after the first so many. */
export const operatorPartToWire = (part: Visible<Part>, after: number): operator.OperatorPerformancePart => ({
  measured_sites: part.sites.length,
  sites: part.dispatch.sites.length,
  performance: { ...operatorPerformanceToWire(part), sites: part.sites.slice(after).map(operatorSiteToWire) },
  curve: part.curve.map(sumsToWire),
});

/** The same of a participant's visible sites; null if none of them is among those. */
const ownPartToWire = (
  { dispatch, results, asOfMs }: PartlyMeasured,
  after: number,
  shown: VisibleSites,
): PerformancePart | null => {
  const asOf = { asOfMs, version: null, versions: [] };
  const news = visibleReport(reportOf(dispatch, results.slice(after), asOf), shown).sites;
  if (news.length === 0) return null;
  const report = visibleReport(reportOf(dispatch, results, asOf), shown);
  return {
    measured_sites: report.sites.length,
    sites: dispatch.sites.filter(({ id, accountId }) => shown.has({ siteId: id, accountId })).length,
    performance: { ...performanceToWire(report), sites: news.map((site) => siteToWire(site)) },
  };
};
