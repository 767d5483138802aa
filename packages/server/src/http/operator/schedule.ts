import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { isRefusal, notFound } from "../../domain/refusal.js";
import type { AvailabilityBlock } from "../../domain/schedule.js";
import { formatTimestamp } from "../../domain/timestamp.js";
import { removeBlock } from "../../operations/change-schedule.js";
import { serve } from "../endpoint.js";
import { listed } from "../page.js";
import { actorOf } from "./actor.js";
import type { OperatorPorts } from "./operator-ports.js";

const toWire = (block: AvailabilityBlock) => ({
  id: block.id,
  site_id: block.siteId,
  available: false as const,
  start_time: formatTimestamp(block.start),
  end_time: formatTimestamp(block.end),
  created_at: formatTimestamp(block.createdAt),
});

export const scheduleRoutes = (app: FastifyInstance, ports: OperatorPorts): void => {
  serve(app, operator.listSchedule, async ({ params, query }) => {
    if ((await ports.stores.sites.find(params.id)) === null) return notFound("site");
    return listed(query, (page) => ports.stores.schedule.list(params.id, page), toWire);
  });
  serve(app, operator.deleteScheduleBlock, async ({ params, request }) => {
    const removed = await removeBlock(ports, actorOf(request), params.id);
    return isRefusal(removed) ? removed : undefined;
  });
};
