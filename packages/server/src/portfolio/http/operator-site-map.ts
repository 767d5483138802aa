import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { serveTagged } from "../../platform/http/endpoint.js";
import type { MappedSite, SiteMapPorts } from "../operations/site-map.js";

/** Headers that say who asks. */
const CREDENTIALS = "authorization, cookie";

export const siteMapRoute = (app: FastifyInstance, { siteMap, mapTiles }: SiteMapPorts): void =>
  serveTagged(app, operator.getSiteMap, CREDENTIALS, async () => {
    const { sites, withoutCoordinates } = await siteMap.read();
    return { sites: sites.map(toWire), without_coordinates: withoutCoordinates, tiles: mapTiles };
  });

const toWire = ({ id, accountId, name, latitude, longitude, commitmentKw, isSimulated }: MappedSite) => ({
  id,
  account_id: accountId,
  name,
  latitude,
  longitude,
  commitment_kw: commitmentKw,
  simulated: isSimulated,
});
