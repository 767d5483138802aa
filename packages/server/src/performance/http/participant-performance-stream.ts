import { type ParamsOf, streamDispatchPerformance } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { callerMayContinue, callerOf, readerOf } from "../../access/caller/caller.js";
import type { DispatchService } from "../../dispatch/operations/dispatch-service.js";
import type { LoopClock } from "../../platform/clock.js";
import { serveEvents } from "../../platform/http/event-stream.js";
import { isRefusal } from "../../platform/refusal.js";
import type { SiteStore } from "../../portfolio/operations/site-ports.js";
import { sitesVisibleTo, type VisibleSites } from "../../portfolio/operations/visible-sites.js";
import type { DispatchTracker, PartlyMeasured } from "../operations/dispatch-tracker.js";
import type { LivePerformance } from "../operations/live-performance.js";
import { visibleReport } from "../operations/visible-report.js";
import { sendPerformance } from "./performance-stream.js";
import { performanceToWire, siteToWire } from "./wire-performance.js";
import { ownPartToWire } from "./wire-performance-part.js";

export interface OwnStreamPorts {
  readonly live: LivePerformance;
  readonly clock: LoopClock;
  readonly sites: Pick<SiteStore, "displayed">;
}

/** Live changes of the caller's own sites; changes of others' sites send no event. */
export const performanceStreamRoute = (
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
