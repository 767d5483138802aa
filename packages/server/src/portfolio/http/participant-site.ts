import { changeSchedule, listSites, type Site as WireSite } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { callerOf } from "../../access/caller/caller.js";
import { serve, serveTagged } from "../../platform/http/endpoint.js";
import { seconds } from "../../platform/http/timestamps.js";
import { isRefusal } from "../../platform/refusal.js";
import { formatSecond } from "../../platform/timestamp.js";
import type { Site } from "../domain/site.js";
import type { SiteService } from "../operations/site-service.js";

const toWire = (site: Site): WireSite => ({
  id: site.id,
  customer_location_id: site.customerLocationId,
  name: site.name,
  meters: site.meters.map(({ id, name, assetType }) => ({ id, name, asset_type: assetType })),
});

/** @param credentialHeader header that says who asks */
export const siteRoutes = (app: FastifyInstance, service: SiteService, credentialHeader: string): void => {
  serveTagged(app, listSites, credentialHeader, async ({ request }) => {
    const sites = await service.listSites(callerOf(request));
    return { page: 0, perPage: 0, sites: sites.map(toWire) };
  });
};

export const scheduleRoutes = (app: FastifyInstance, service: SiteService): void => {
  serve(app, changeSchedule, async ({ params, body, request }) => {
    const times = seconds({ start_time: body.start_time, end_time: body.end_time });
    if (isRefusal(times)) return times;
    const block = await service.changeSchedule(callerOf(request), {
      siteId: params.site_id,
      available: body.available,
      start: times.start_time,
      end: times.end_time,
    });
    if (isRefusal(block)) return block;
    return {
      site_id: block.siteId,
      available: false as const,
      start_time: formatSecond(block.start),
      end_time: formatSecond(block.end),
    };
  });
};
