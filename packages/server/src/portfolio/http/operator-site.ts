import { type BodyOf, operator, type QueryOf } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { actorOf, mayContinue } from "../../access/caller/actor.js";
import { sentTable } from "../../access/http/sent-table.js";
import type { AnswerBudget } from "../../platform/http/answer-budget.js";
import { serve, serveFile } from "../../platform/http/endpoint.js";
import { given } from "../../platform/http/given.js";
import { listed } from "../../platform/http/page.js";
import { type RepeatablePorts, serveOnce } from "../../platform/http/serve-once.js";
import { everyItem, type PageRequest } from "../../platform/page.js";
import { isRefusal, notFound, type Result } from "../../platform/refusal.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import { keptDegrees, type Site } from "../domain/site.js";
import { canonicalTimezone } from "../domain/timezone.js";
import { type LastReadingReader, type LastSent, newestOf, nothingSent } from "../operations/last-reading.js";
import type { SiteManagingStores } from "../operations/manage-sites.js";
import { addMeter, changeMeter, changeSite, createSite } from "../operations/manage-sites.js";
import { SITE_COLUMNS, siteRows } from "./site-table.js";
import { meterToWire } from "./wire-meter.js";

export type SiteRoutePorts = RepeatablePorts<SiteManagingStores> & LastReadingReader;

const toWire = (site: Site, newest: LastSent): operator.OperatorSite => ({
  id: site.id,
  account_id: site.accountId,
  name: site.name,
  customer_location_id: site.customerLocationId,
  dispatch_group: site.dispatchGroup,
  timezone: site.timezone,
  latitude: site.latitude,
  longitude: site.longitude,
  created_at: formatTimestamp(site.createdAt),
  display_enabled: site.displayedSince !== null,
  display_enabled_at: site.displayedSince === null ? null : formatTimestamp(site.displayedSince),
  measured_meters: site.measuredMeters === null ? null : [...site.measuredMeters],
  simulated: site.isSimulated,
  meters: site.meters.map((meter) => meterToWire(meter, newest)),
});

const withReadings = async (ports: LastReadingReader, site: Result<Site>): Promise<Result<operator.OperatorSite>> =>
  isRefusal(site) ? site : toWire(site, await newestOf(ports, site.meters));

export const siteRoutes = (app: FastifyInstance, ports: SiteRoutePorts, budget: AnswerBudget): void => {
  const newestOfSites = (sites: readonly Site[]): Promise<LastSent> =>
    newestOf(
      ports,
      sites.flatMap(({ meters }) => meters),
    );

  serveOnce(app, operator.createSite, ports, async ({ params, body, request }, ports) => {
    const input = {
      accountId: params.id,
      name: body.name,
      customerLocationId: body.customer_location_id ?? "",
      dispatchGroup: body.dispatch_group ?? "",
      timezone: canonicalTimezone(body.timezone ?? "UTC"),
      latitude: degreesOf(body.latitude) ?? null,
      longitude: degreesOf(body.longitude) ?? null,
      meters: (body.meters ?? []).map(newMeterOf),
    };
    const site = await createSite(ports, actorOf(request), input, body.confirm_near_match === true);
    return isRefusal(site) ? site : toWire(site, nothingSent);
  });
  serve(app, operator.listAccountSites, async ({ params, query }) => {
    if ((await ports.stores.accounts.find(params.id)) === null) return notFound("account");
    let newest = nothingSent;
    const list = async (page: PageRequest) => {
      const sites = await ports.stores.sites.list(params.id, page);
      newest = await newestOfSites(sites.items);
      return sites;
    };
    return listed(query, list, (site) => toWire(site, newest));
  });
  serve(app, operator.listAllSites, async ({ query }) => {
    let newest = nothingSent;
    const list = async (page: PageRequest) => {
      const sites = await ports.stores.sites.search(filterOf(query), page);
      newest = await newestOfSites(sites.items.map(({ site }) => site));
      return sites;
    };
    return listed(query, list, ({ site, accountName }) => ({ ...toWire(site, newest), account_name: accountName }));
  });
  serveFile(app, operator.downloadSites, async (call) => {
    const { format = "csv", ...query } = call.query;
    const sites = everyItem((page: PageRequest) => ports.stores.sites.search(filterOf(query), page));
    const callers = { reader: actorOf, mayContinue, budget };
    return sentTable(callers, call, { name: "sites", format, columns: SITE_COLUMNS, rows: siteRows(ports, sites) });
  });
  serve(app, operator.getSite, async ({ params }) =>
    withReadings(ports, (await ports.stores.sites.find(params.id)) ?? notFound("site")),
  );
  serve(app, operator.changeSite, async ({ params, body, request }) => {
    const change = given({
      name: body.name,
      customerLocationId: body.customer_location_id,
      dispatchGroup: body.dispatch_group,
      timezone: body.timezone && canonicalTimezone(body.timezone),
      latitude: degreesOf(body.latitude),
      longitude: degreesOf(body.longitude),
      displayed: body.display_enabled,
      measuredMeters: body.measured_meters,
    });
    return withReadings(
      ports,
      await changeSite(ports, actorOf(request), params.id, change, body.confirm_near_match === true),
    );
  });
};

const degreesOf = (given: number | null | undefined) => (typeof given === "number" ? keptDegrees(given) : given);

const newMeterOf = ({ name, asset_type, kwh_means }: BodyOf<typeof operator.createMeter>) => ({
  name,
  assetType: asset_type ?? ("load" as const),
  ...given({ kwhMeans: kwh_means }),
});

const filterOf = (query: Omit<QueryOf<typeof operator.downloadSites>, "format">) => ({
  accountId: query.account_id ?? null,
  dispatchGroup: query.dispatch_group ?? null,
  located: query.located ?? null,
  search: query.search ?? null,
});

export const meterRoutes = (app: FastifyInstance, ports: SiteRoutePorts): void => {
  serveOnce(app, operator.createMeter, ports, async ({ params, body, request }, ports) => {
    const isNearConfirmed = body.confirm_near_match === true;
    const meter = await addMeter(ports, actorOf(request), params.id, newMeterOf(body), isNearConfirmed);
    return isRefusal(meter) ? meter : meterToWire(meter, nothingSent);
  });
  serve(app, operator.changeMeter, async ({ params, body, request }) => {
    const change = given({ name: body.name, assetType: body.asset_type, kwhMeans: body.kwh_means });
    const meter = await changeMeter(ports, actorOf(request), params.id, change, body.confirm_near_match === true);
    if (isRefusal(meter)) return meter;
    return meterToWire(meter, await newestOf(ports, [meter]));
  });
};
