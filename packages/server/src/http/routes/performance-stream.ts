import { type ParamsOf, streamDispatchPerformance } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { isRefusal, notFound } from "../../domain/refusal.js";
import type { DispatchTracker } from "../../operations/dispatch-tracker.js";
import type { LivePerformance } from "../../operations/live-performance.js";
import { filtered } from "../../operations/measure-dispatch.js";
import type { ParticipantService } from "../../operations/participant-service.js";
import { callerMayGoOn, callerOf } from "../caller.js";
import { serveEvents } from "../event-stream.js";
import { tellPerformance } from "../performance-stream.js";
import { performanceToWire, siteToWire } from "../wire/performance.js";

/** Live changes of the caller's own sites; what happens at others' makes no event. */
export const performanceStreamRoute = (
  app: FastifyInstance,
  service: Pick<ParticipantService, "dispatchPerformance">,
  live: LivePerformance,
): void =>
  serveEvents(app, streamDispatchPerformance, async (request) => {
    const { id: dispatchId } = request.params as ParamsOf<typeof streamDispatchPerformance>;
    const caller = callerOf(request);
    const seen = await service.dispatchPerformance(caller, dispatchId, null);
    if (isRefusal(seen)) return seen;
    if ((await live.current(dispatchId)) === null) return notFound("dispatch");
    const lastEventId = request.headers["last-event-id"];
    const watched = { live, dispatchId, toWire: ownToWire(caller.accountId), lastEventId };
    return { mayGoOn: () => callerMayGoOn(request), begin: (sink) => tellPerformance(watched, sink) };
  });

const ownToWire =
  (accountId: string) =>
  (tracker: DispatchTracker, since: number | null): object | null => {
    const whole = performanceToWire(filtered(tracker.report(), { accountId }));
    if (since === null) return whole;
    const changed = tracker.changedSince(since);
    const own = changed.filter((site) => site.accountId === accountId);
    // No site at all: the dispatch itself changed, as when its result became final.
    return own.length === 0 && changed.length > 0 ? null : { ...whole, sites: own.map(siteToWire) };
  };
