import type { FastifyInstance } from "fastify";
import { isRefusal, notFound } from "../../domain/refusal.js";
import { displayedOf } from "../../operations/heed-display.js";
import type { LivePerformance } from "../../operations/live-performance.js";
import { filtered } from "../../operations/measure-dispatch.js";
import type { ParticipantService } from "../../operations/participant-service.js";
import { callerMayGoOn, callerOf } from "../caller.js";
import { refused } from "../error-replies.js";
import { serveStream } from "../performance-stream.js";
import { performanceToWire, siteToWire } from "../wire/performance.js";

export interface OwnStreamPorts {
  readonly live: LivePerformance;
  /** Those of the account's sites that whoever reads sees; null: all of them. */
  readonly displayed: (accountId: string) => Promise<ReadonlySet<string> | null>;
}

/** Live changes of the caller's own sites; what happens at others' makes no event. */
export const performanceStreamRoute = (
  app: FastifyInstance,
  service: Pick<ParticipantService, "dispatchPerformance">,
  { live, displayed }: OwnStreamPorts,
): void =>
  serveStream(app, async (request, dispatchId) => {
    const caller = callerOf(request);
    const { accountId } = caller;
    const seen = await service.dispatchPerformance(caller, dispatchId, null);
    if (isRefusal(seen)) throw refused(seen);
    if ((await live.current(dispatchId)) === null) throw refused(notFound("dispatch"));
    let shown = await displayed(accountId);
    return {
      live,
      dispatchId,
      toWire: (tracker, since) => {
        const report = filtered(tracker.report(), { accountId });
        const whole = performanceToWire(shown === null ? report : displayedOf(report, shown));
        if (since === null) return whole;
        const changed = tracker.changedSince(since);
        const own = changed.filter((site) => site.accountId === accountId && shown?.has(site.siteId) !== false);
        // No site at all: the dispatch itself changed, as when its result became final.
        return own.length === 0 && changed.length > 0 ? null : { ...whole, sites: own.map(siteToWire) };
      },
      async mayGoOn() {
        // Display that is enabled or taken away meanwhile counts from the next look on.
        shown = await displayed(accountId).catch(() => shown);
        return callerMayGoOn(request);
      },
    };
  });
