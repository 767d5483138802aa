import type { FastifyInstance } from "fastify";
import { isRefusal } from "../../domain/refusal.js";
import type { LivePerformance } from "../../operations/live-performance.js";
import { filtered } from "../../operations/measure-dispatch.js";
import type { ParticipantService } from "../../operations/participant-service.js";
import { callerMayGoOn, callerOf } from "../caller.js";
import { refused } from "../error-replies.js";
import { serveStream } from "../performance-stream.js";
import { performanceToWire, siteToWire } from "../wire/performance.js";

/** Live changes of the caller's own sites; what happens at others' makes no event. */
export const performanceStreamRoute = (
  app: FastifyInstance,
  service: Pick<ParticipantService, "findDispatch">,
  live: LivePerformance,
): void =>
  serveStream(app, async (request, dispatchId) => {
    const caller = callerOf(request);
    const { accountId } = caller;
    const seen = await service.findDispatch(caller, dispatchId);
    if (isRefusal(seen)) throw refused(seen);
    return {
      live,
      dispatchId,
      toWire: (tracker, since) => {
        const whole = performanceToWire(filtered(tracker.report(), { accountId }));
        if (since === null) return whole;
        const changed = tracker.changedSince(since);
        const own = changed.filter((site) => site.accountId === accountId);
        // No site at all: the dispatch itself changed, as when its result became final.
        return own.length === 0 && changed.length > 0 ? null : { ...whole, sites: own.map(siteToWire) };
      },
      mayGoOn: () => callerMayGoOn(request),
    };
  });
