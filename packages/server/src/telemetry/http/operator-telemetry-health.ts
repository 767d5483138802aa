import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import type { Ports } from "../../platform/ports.js";
import { isRefusal } from "../../platform/refusal.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import { lastReadingToWire } from "../../portfolio/http/wire-meter.js";
import type { LastReading, LastReadingReader } from "../../portfolio/operations/last-reading.js";
import type { PortfolioStores } from "../../portfolio/operations/portfolio-stores.js";
import type { Stretch } from "../domain/telemetry-health.js";
import {
  checkTelemetry,
  type MeterHealth,
  type SiteHealth,
  type SiteHealthReader,
} from "../operations/check-telemetry.js";
import type { TelemetryReader } from "../operations/read-telemetry.js";

export type TelemetryHealthRoutePorts = Pick<Ports<PortfolioStores>, "stores" | "clock"> &
  LastReadingReader & { readonly telemetry: TelemetryReader; readonly siteHealth: SiteHealthReader };

export const telemetryHealthRoutes = (app: FastifyInstance, ports: TelemetryHealthRoutePorts): void => {
  serve(app, operator.getTelemetryHealth, async ({ params }) => {
    const meters = await checkTelemetry(ports, params.id);
    if (isRefusal(meters)) return meters;
    const last = await ports.lastReadings(meters.map(({ meter }) => meter.id));
    return { site_id: params.id, meters: meters.map((each) => toWire(each, last.get(each.meter.id))) };
  });
  serve(app, operator.listTelemetryHealth, ({ query }) => {
    const isStale = query.stale === undefined ? null : query.stale === "true";
    const filter = { now: ports.clock.now(), isStale };
    return listed(query, (page) => ports.siteHealth.list(filter, page), siteToWire);
  });
};

const siteToWire = (site: SiteHealth) => ({
  site_id: site.siteId,
  name: site.name,
  account_id: site.accountId,
  account_name: site.accountName,
  meters: site.meters,
  last_reading_at: site.lastReadingAt === null ? null : formatTimestamp(site.lastReadingAt),
  stale_meters: site.staleMeters,
  completeness_last_hour: site.lastHour,
  in_dispatch: site.isInDispatch,
});

const toWire = ({ meter, health }: MeterHealth, last: LastReading | undefined) => ({
  meter_id: meter.id,
  name: meter.name,
  last_reading: lastReadingToWire(last),
  completeness_last_hour: health.lastHour,
  completeness_last_day: health.lastDay,
  gaps: health.gaps.map(stretchToWire),
  flat_lines: health.flatLines.map((line) => ({ ...stretchToWire(line), value_kw: line.powerKw })),
  spikes: health.spikes.map(({ endMs, powerKw }) => ({ timestamp: formatTimestamp(endMs), value_kw: powerKw })),
});

const stretchToWire = ({ startMs, endMs }: Stretch) => ({
  start_time: formatTimestamp(startMs),
  end_time: formatTimestamp(endMs),
});
