import type { FastifyInstance } from "fastify";
import { notFound } from "../../domain/refusal.js";
import { refused } from "../error-replies.js";
import { serveStream } from "../performance-stream.js";
import { operatorPerformanceToWire, operatorSiteToWire } from "../wire/performance.js";
import { mayGoOn } from "./actor.js";
import type { OperatorPorts } from "./operator-ports.js";

/** Live changes of all sites of a dispatch. */
export const performanceStreamRoute = (app: FastifyInstance, { live }: OperatorPorts): void =>
  serveStream(app, async (request, dispatchId) => {
    if (!(await live.exists(dispatchId))) throw refused(notFound("dispatch"));
    return {
      live,
      dispatchId,
      toWire: (tracker, since) => {
        const whole = operatorPerformanceToWire(tracker.report());
        return since === null ? whole : { ...whole, sites: tracker.changedSince(since).map(operatorSiteToWire) };
      },
      mayGoOn: () => mayGoOn(request),
    };
  });
