import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../../platform/http/endpoint.js";
import { momentToWire } from "../../platform/http/timestamps.js";
import { rounded } from "../../platform/rounded.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import { type ShortDispatch, type ShortSite, type ShortSitesPorts, shortSites } from "../operations/short-sites.js";

export const shortSitesRoute = (app: FastifyInstance, ports: ShortSitesPorts): void =>
  serve(app, operator.listShortSites, async () => {
    const { asOf, dispatches, sites } = await shortSites(ports);
    return {
      as_of: formatTimestamp(asOf),
      dispatches: dispatches.map(dispatchToWire),
      sites: sites.slice(0, operator.MAX_SHORT_SITES).map(siteToWire),
    };
  });

const dispatchToWire = (dispatch: ShortDispatch): operator.ShortDispatch => ({
  id: dispatch.id,
  program_name: dispatch.programName,
  timezone: dispatch.timezone,
  start_time: formatTimestamp(dispatch.start),
  end_time: momentToWire(dispatch.end),
  ramp_until: momentToWire(dispatch.rampUntil),
  sites: dispatch.sites,
  sites_measured: dispatch.sitesMeasured,
  short_sites: dispatch.shortSites,
  short_kw: rounded(dispatch.shortKw),
});

const siteToWire = ({ siteId, dispatchId, state, deliveredKw, shortKw }: ShortSite): operator.ShortSite => ({
  site_id: siteId,
  dispatch_id: dispatchId,
  state,
  delivered_kw: rounded(deliveredKw),
  short_kw: rounded(shortKw),
});
