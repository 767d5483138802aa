import { participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { personOf } from "../../access/caller/person.js";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import { type RepeatablePorts, serveOnce } from "../../platform/http/serve-once.js";
import { moments, seconds, spaceAsPlus } from "../../platform/http/timestamps.js";
import { isRefusal, notFound, type Result } from "../../platform/refusal.js";
import { type AvailabilityChange, changeAvailability } from "../operations/change-availability.js";
import { removeBlock } from "../operations/change-schedule.js";
import type { SiteManagingStores } from "../operations/manage-sites.js";
import { blockToWire } from "./wire-schedule.js";

export type OwnScheduleRoutePorts = RepeatablePorts<SiteManagingStores>;

/** Availability blocks of the caller's own sites. */
export const ownScheduleRoutes = (app: FastifyInstance, ports: OwnScheduleRoutePorts): void => {
  serve(app, participantConsole.listOwnSchedule, async ({ params, query, request }) => {
    const site = await ports.stores.sites.find(params.id);
    if (site?.accountId !== personOf(request).within) return notFound("site");
    return listed(query, (page) => ports.stores.schedule.list(params.id, page), blockToWire);
  });
  serve(app, participantConsole.listOwnBlocks, ({ query, request }) => {
    const times = moments({ start_time: spaceAsPlus(query.start_time), end_time: spaceAsPlus(query.end_time) });
    if (isRefusal(times)) return Promise.resolve(times);
    const filter = { start: times.start_time ?? null, end: times.end_time ?? null, siteId: query.site_id ?? null };
    const { within } = personOf(request);
    return listed(query, (page) => ports.stores.schedule.listOfAccount(within, filter, page), blockToWire);
  });
  serveOnce(app, participantConsole.changeAvailability, ports, async ({ body, request }, within) => {
    const change = changeFrom(body);
    if (isRefusal(change)) return change;
    const added = await changeAvailability(within, personOf(request), change);
    return isRefusal(added) ? added : { items: added.map(blockToWire) };
  });
  serve(app, participantConsole.deleteOwnScheduleBlock, async ({ params, request }) => {
    const removed = await removeBlock(ports, personOf(request), params.id);
    return isRefusal(removed) ? removed : undefined;
  });
};

const changeFrom = ({ remove, add }: participantConsole.AvailabilityChange): Result<AvailabilityChange> => {
  const blocks: AvailabilityChange["add"][number][] = [];
  for (const [index, { site_id: siteId, start_time, end_time, available_kw: availableKw }] of add.entries()) {
    const times = seconds({ [`add[${index}].start_time`]: start_time, [`add[${index}].end_time`]: end_time });
    if (isRefusal(times)) return times;
    const [start, end] = Object.values(times);
    if (start !== undefined && end !== undefined) blocks.push({ siteId, start, end, availableKw });
  }
  return { remove, add: blocks };
};
