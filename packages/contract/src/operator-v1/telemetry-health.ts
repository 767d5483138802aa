import Type from "typebox";
import { SILENT_MINUTES } from "../constants.js";
import { endpoint } from "../endpoint.js";
import {
  accountName,
  boolean,
  byId,
  id,
  integer,
  meterName,
  moment,
  nullable,
  number,
  ratio,
  siteName,
} from "../values.js";
import { PageQuery, pageOf } from "./list.js";
import { lastReading } from "./site.js";

const share = (description: string, example: number) => ratio(description, example, { minimum: 0, maximum: 1 });
const period = { start_time: moment("Start of the period.", "start"), end_time: moment("End of the period.") };
const powerKw = number("Power in kW.", 412.5);

/** How well a meter reported in the last 24 hours. */
const MeterHealth = Type.Object(
  {
    meter_id: id("meter"),
    name: meterName,
    last_reading: lastReading,
    completeness_last_hour: share("Received intervals divided by expected intervals, over the last hour.", 0.983),
    completeness_last_day: share("Received intervals divided by expected intervals, over 24 hours.", 0.991),
    gaps: Type.Array(Type.Object(period), { description: "Periods of missing intervals; the latest 50." }),
    flat_lines: Type.Array(Type.Object({ ...period, value_kw: powerKw }), {
      description: "Periods of an hour or longer with the same power other than 0; the latest 50.",
    }),
    spikes: Type.Array(Type.Object({ timestamp: moment("End of the interval."), value_kw: powerKw }), {
      description:
        "Outliers of at most two minutes: 20 times as far from the day's median as half of the intervals are; the latest 50.",
    }),
  },
  { $id: "MeterHealth", description: "How well a meter reported in the last 24 hours." },
);

export const getTelemetryHealth = endpoint({
  id: "getTelemetryHealth",
  method: "GET",
  path: "/sites/{id}/telemetry-health",
  tag: "Sites",
  summary: "Retrieve the telemetry health of a site",
  description: "Returns completeness, gaps, flat lines and spikes of each meter over the last 24 hours.",
  params: byId("site"),
  reply: Type.Object(
    { site_id: id("site"), meters: Type.Array(MeterHealth, { description: "The meters of the site." }) },
    { $id: "TelemetryHealth", description: "How well the meters of a site reported." },
  ),
});

/** How well a site reports, in one row. */
const SiteHealth = Type.Object(
  {
    site_id: id("site"),
    name: siteName,
    account_id: id("account", "Account of the site."),
    account_name: accountName,
    meters: integer("Number of meters.", 2),
    last_reading_at: nullable(moment("End of the newest interval of its meters; null if there is none.")),
    stale_meters: integer(
      `Number of meters that reported in the last week but not in the last ${SILENT_MINUTES} minutes; all meters if none did in the last ${SILENT_MINUTES} minutes.`,
      0,
    ),
    completeness_last_hour: nullable(
      share("Received intervals divided by expected intervals of all meters; null without meters.", 0.983),
    ),
    in_dispatch: boolean("Whether the site is in a dispatch in progress.", true),
  },
  { $id: "SiteHealth", description: "How well a site reports." },
);

export const listTelemetryHealth = endpoint({
  id: "listTelemetryHealth",
  method: "GET",
  path: "/telemetry-health",
  tag: "Sites",
  summary: "List the telemetry health of sites",
  description: "Returns one row per site. For gaps, flat lines and spikes, retrieve the telemetry health of the site.",
  query: Type.Object({
    ...PageQuery.properties,
    stale: Type.Optional(
      Type.Enum(["true", "false"], {
        description: "`true`: only sites that could not be measured now, by the rule of the alarm `telemetry_stale`.",
      }),
    ),
  }),
  reply: pageOf(SiteHealth),
});
