import { operator, participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { managerOf } from "../../access/caller/actor.js";
import { personOf } from "../../access/caller/person.js";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import { type RepeatablePorts, serveOnce } from "../../platform/http/serve-once.js";
import { moments, seconds, spaceAsPlus } from "../../platform/http/timestamps.js";
import { done, isRefusal, notFound, type Result } from "../../platform/refusal.js";
import { formatSecond } from "../../platform/timestamp.js";
import type { AvailabilityBlock } from "../domain/schedule.js";
import { type AvailabilityChange, changeAvailability } from "../operations/change-availability.js";
import { removeBlock } from "../operations/change-schedule.js";
import type { SiteManagingStores } from "../operations/manage-sites.js";

export type ScheduleRoutePorts = RepeatablePorts<SiteManagingStores>;

/** Availability blocks of the caller's own sites. */
export const ownScheduleRoutes = (app: FastifyInstance, ports: ScheduleRoutePorts): void => {
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
  serve(app, participantConsole.deleteOwnScheduleBlock, ({ params, request }) =>
    done(removeBlock(ports, personOf(request), params.id)),
  );
};

/** Availability blocks of any site. */
export const scheduleRoutes = (app: FastifyInstance, ports: ScheduleRoutePorts): void => {
  serve(app, operator.listSchedule, async ({ params, query }) => {
    if ((await ports.stores.sites.find(params.id)) === null) return notFound("site");
    return listed(query, (page) => ports.stores.schedule.list(params.id, page), blockToWire);
  });
  serve(app, operator.deleteScheduleBlock, ({ params, request }) =>
    done(removeBlock(ports, managerOf(request), params.id)),
  );
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

const blockToWire = (block: AvailabilityBlock) => ({
  id: block.id,
  site_id: block.siteId,
  available: false as const,
  available_kw: block.availableKw,
  series_id: block.seriesId,
  start_time: formatSecond(block.start),
  end_time: formatSecond(block.end),
  created_at: formatSecond(block.createdAt),
});
