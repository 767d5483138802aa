import { listSites, type Site as WireSite } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { callerOf } from "../../access/caller/caller.js";
import { serveTagged } from "../../platform/http/endpoint.js";
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
