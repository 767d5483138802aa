import { type ParamsOf, streamDispatchPerformance } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { isRefusal } from "../../domain/refusal.js";
import type { DispatchTracker } from "../../operations/dispatch-tracker.js";
import { displayedOf } from "../../operations/heed-display.js";
import type { LivePerformance } from "../../operations/live-performance.js";
import { filtered } from "../../operations/measure-dispatch.js";
import type { ParticipantService } from "../../operations/participant-service.js";
import { callerMayGoOn, callerOf, readerOf } from "../caller.js";
import { serveEvents } from "../event-stream.js";
import { tellPerformance } from "../performance-stream.js";
import { performanceToWire, siteToWire } from "../wire/performance.js";

export interface OwnStreamPorts {
  readonly live: LivePerformance;
  /** Those of the account's sites that whoever reads sees; null: all of them. */
  readonly displayed: (accountId: string) => Promise<ReadonlySet<string> | null>;
}

/** Live changes of the caller's own sites; what happens at others' makes no event. */
export const performanceStreamRoute = (
  app: FastifyInstance,
  service: Pick<ParticipantService, "findDispatch">,
  { live, displayed }: OwnStreamPorts,
): void =>
  serveEvents(app, streamDispatchPerformance, async (request) => {
    const { id: dispatchId } = request.params as ParamsOf<typeof streamDispatchPerformance>;
    const caller = callerOf(request);
    // What is streamed is figures: they do not prove that somebody read the dispatch.
    const seen = await service.findDispatch(caller, dispatchId, "unseen");
    if (isRefusal(seen)) return seen;
    const { accountId } = caller;
    let shown = await displayed(accountId);
    const lastEventId = request.headers["last-event-id"];
    const toWire = (tracker: DispatchTracker, since: number | null) => ownToWire(tracker, since, { accountId, shown });
    return {
      reader: readerOf(request),
      begin: (sink) => tellPerformance({ live, dispatchId, toWire, lastEventId, log: request.log }, sink),
      async mayGoOn() {
        // Display that is enabled or taken away meanwhile counts from now on; a database that does not answer changes nothing.
        shown = await displayed(accountId).catch(() => shown);
        return callerMayGoOn(request);
      },
    };
  });

interface Own {
  readonly accountId: string;
  readonly shown: ReadonlySet<string> | null;
}

const ownToWire = (tracker: DispatchTracker, since: number | null, { accountId, shown }: Own): object | null => {
  const report = filtered(tracker.report(), { accountId });
  const whole = performanceToWire(shown === null ? report : displayedOf(report, shown));
  if (since === null) return whole;
  const changed = tracker.changedSince(since);
  const own = changed.filter((site) => site.accountId === accountId && shown?.has(site.siteId) !== false);
  // No site at all: the dispatch itself changed, as when its result became final.
  return own.length === 0 && changed.length > 0 ? null : { ...whole, sites: own.map(siteToWire) };
};
