import { listSites, type Site as WireSite } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { callerOf } from "../../access/caller/caller.js";
import { serve } from "../../platform/http/endpoint.js";
import type { Site } from "../domain/site.js";
import type { SiteService } from "../operations/site-service.js";

const toWire = (site: Site): WireSite => ({
  id: site.id,
  customer_location_id: site.customerLocationId,
  name: site.name,
  meters: site.meters.map(({ id, name }) => ({ id, name })),
});

export const siteRoutes = (app: FastifyInstance, service: SiteService): void => {
  serve(app, listSites, async ({ request }) => {
    const sites = await service.listSites(callerOf(request));
    return { page: 0, perPage: 0, sites: sites.map(toWire) };
  });
};
