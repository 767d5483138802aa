import { operator, type ParamsOf } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { notFound } from "../../domain/refusal.js";
import type { DispatchTracker } from "../../operations/dispatch-tracker.js";
import type { LivePerformance } from "../../operations/live-performance.js";
import { visibleToOperators } from "../../operations/visible-sites.js";
import { serveEvents } from "../event-stream.js";
import { tellPerformance } from "../performance-stream.js";
import { operatorPerformanceToWire, operatorSiteToWire } from "../wire/performance.js";
import { actorOf, mayGoOn } from "./actor.js";

export interface PerformanceStreamRoutePorts {
  readonly live: LivePerformance;
}

/** Live changes of all sites of a dispatch. */
export const performanceStreamRoute = (app: FastifyInstance, { live }: PerformanceStreamRoutePorts): void =>
  serveEvents(app, operator.streamAnyDispatchPerformance, async (request) => {
    const { id: dispatchId } = request.params as ParamsOf<typeof operator.streamAnyDispatchPerformance>;
    if (!(await live.exists(dispatchId))) return notFound("dispatch");
    const watched = {
      live,
      dispatchId,
      toWire: (tracker: DispatchTracker, since: number | null) => {
        const whole = operatorPerformanceToWire(visibleToOperators(tracker.report()));
        return since === null ? whole : { ...whole, sites: tracker.changedSince(since).map(operatorSiteToWire) };
      },
      lastEventId: request.headers["last-event-id"],
      log: request.log,
    };
    return {
      reader: actorOf(request),
      mayGoOn: () => mayGoOn(request),
      begin: (sink) => tellPerformance(watched, sink),
    };
  });
