import { participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { personOf } from "../../access/caller/person.js";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import type { Ports } from "../../platform/ports.js";
import { isRefusal, notFound } from "../../platform/refusal.js";
import { removeBlock } from "../operations/change-schedule.js";
import type { SiteManagingStores } from "../operations/manage-sites.js";
import { blockToWire } from "./wire-schedule.js";

export type OwnScheduleRoutePorts = Ports<SiteManagingStores>;

/** Availability blocks of the caller's own sites. */
export const ownScheduleRoutes = (app: FastifyInstance, ports: OwnScheduleRoutePorts): void => {
  serve(app, participantConsole.listOwnSchedule, async ({ params, query, request }) => {
    const site = await ports.stores.sites.find(params.id);
    if (site?.accountId !== personOf(request).within) return notFound("site");
    return listed(query, (page) => ports.stores.schedule.list(params.id, page), blockToWire);
  });
  serve(app, participantConsole.deleteOwnScheduleBlock, async ({ params, request }) => {
    const removed = await removeBlock(ports, personOf(request), params.id);
    return isRefusal(removed) ? removed : undefined;
  });
};
