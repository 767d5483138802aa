import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import type { AccessStores } from "../../access/operations/access-stores.js";
import { actorNames } from "../../access/operations/actor-names.js";
import { serve } from "../../platform/http/endpoint.js";
import { momentToWire } from "../../platform/http/timestamps.js";
import { isRefusal } from "../../platform/refusal.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { Happened } from "../domain/timeline.js";
import { dispatchTimeline, type TimelinePorts } from "../operations/dispatch-timeline.js";

export type TimelineRoutePorts = TimelinePorts & { readonly stores: Pick<AccessStores, "users"> };

export const timelineRoute = (app: FastifyInstance, ports: TimelineRoutePorts): void =>
  serve(app, operator.getDispatchTimeline, async ({ params }) => {
    const timeline = await dispatchTimeline(ports, params.id);
    if (isRefusal(timeline)) return timeline;
    const nameOf = await actorNames(
      ports.stores.users,
      timeline.flatMap(({ actor }) => actor ?? []),
    );
    return { items: timeline.map((each) => toWire(each, nameOf)) };
  });

const toWire = (each: Happened, nameOf: (actor: string) => string | null): operator.TimelineEntry => ({
  at: formatTimestamp(each.at),
  until: momentToWire(each.until),
  what: each.what,
  count: each.count,
  modification_number: each.modificationNumber,
  channel: each.channel,
  account_id: each.accountId,
  account_name: each.accountName,
  actor: each.actor,
  actor_name: each.actor === null ? null : nameOf(each.actor),
  start_time: momentToWire(each.start),
  end_time: momentToWire(each.end),
  detail: each.detail,
  version: each.version,
});
