import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { managerOf } from "../../access/caller/actor.js";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import type { Ports } from "../../platform/ports.js";
import { isRefusal, notFound } from "../../platform/refusal.js";
import { removeBlock } from "../operations/change-schedule.js";
import type { SiteManagingStores } from "../operations/manage-sites.js";
import { blockToWire } from "./wire-schedule.js";

export type ScheduleRoutePorts = Ports<SiteManagingStores>;

export const scheduleRoutes = (app: FastifyInstance, ports: ScheduleRoutePorts): void => {
  serve(app, operator.listSchedule, async ({ params, query }) => {
    if ((await ports.stores.sites.find(params.id)) === null) return notFound("site");
    return listed(query, (page) => ports.stores.schedule.list(params.id, page), blockToWire);
  });
  serve(app, operator.deleteScheduleBlock, async ({ params, request }) => {
    const removed = await removeBlock(ports, managerOf(request), params.id);
    return isRefusal(removed) ? removed : undefined;
  });
};
