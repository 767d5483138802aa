import { operator, type ParamsOf } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { actorOf, mayContinue } from "../../access/caller/actor.js";
import type { LoopClock } from "../../platform/clock.js";
import { serveEvents } from "../../platform/http/event-stream.js";
import { notFound } from "../../platform/refusal.js";
import { visibleToOperators } from "../../portfolio/operations/visible-sites.js";
import type { DispatchTracker, PartlyMeasured } from "../operations/dispatch-tracker.js";
import type { LivePerformance } from "../operations/live-performance.js";
import { partOf } from "../operations/performance-part.js";
import { sendPerformance } from "./performance-stream.js";
import { operatorPerformanceToWire, operatorSiteToWire } from "./wire-performance.js";
import { operatorPartToWire } from "./wire-performance-part.js";

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
