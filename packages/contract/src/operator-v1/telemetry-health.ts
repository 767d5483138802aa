import Type from "typebox";
import { endpoint } from "../endpoint.js";
import { id, nullable, Timestamp } from "../values.js";
import { byId, PageQuery, pageOf } from "./list.js";

const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
const period = { start_time: Timestamp, end_time: Timestamp };

/** How well a meter reported in the last 24 hours. */
const MeterHealth = Type.Object(
  {
    meter_id: id("meter", "Meter id."),
    name: Type.String(),
    last_reading: nullable(Type.Object({ timestamp: Timestamp, value: Type.Number({ description: "kW" }) })),
    completeness_last_hour: share("Cells of 30 s that are there over those that should be."),
    completeness_last_day: share("The same over 24 hours."),
    gaps: Type.Array(Type.Object(period), { description: "Cells that no reading filled; the latest 50." }),
    flat_lines: Type.Array(Type.Object({ ...period, value_kw: Type.Number() }), {
      description: "The same power, other than 0, for an hour or longer; the latest 50.",
    }),
    spikes: Type.Array(Type.Object({ timestamp: Timestamp, value_kw: Type.Number() }), {
      description:
        "At most two minutes, 20 times as far from the day's median as half of the cells are; the latest 50.",
    }),
  },
  { $id: "MeterHealth" },
);

export const getTelemetryHealth = endpoint({
  id: "getTelemetryHealth",
  method: "GET",
  path: "/sites/{id}/telemetry-health",
  tag: "Sites",
  summary: "How well the meters of a site report",
  params: byId,
  reply: Type.Object({ site_id: id("site", "Site id."), meters: Type.Array(MeterHealth) }, { $id: "TelemetryHealth" }),
});

/** How a site reports, in one line. */
const SiteHealth = Type.Object(
  {
    site_id: id("site", "Site id."),
    name: Type.String(),
    account_id: id("account", "Account of the site."),
    account_name: Type.String(),
    meters: Type.Integer({ description: "How many it has." }),
    last_reading_at: nullable({ ...Timestamp, description: "End of the newest cell of its meters." }),
    stale_meters: Type.Integer({
      description:
        "Meters that reported in the last week and not in the last 15 minutes; all of them where none did in the last 15 minutes.",
    }),
    completeness_last_hour: nullable(share("Cells of all its meters that are there over those that should be.")),
    in_dispatch: Type.Boolean({ description: "A dispatch that runs now calls it." }),
  },
  { $id: "SiteHealth" },
);

export const listTelemetryHealth = endpoint({
  id: "listTelemetryHealth",
  method: "GET",
  path: "/telemetry-health",
  tag: "Sites",
  summary: "How well sites report, a line for each",
  query: Type.Object({
    ...PageQuery.properties,
    stale: Type.Optional(
      Type.Enum(["true", "false"], {
        description: "true: only sites that could not be measured now, by the rule of the alarm telemetry_stale.",
      }),
    ),
  }),
  reply: pageOf(SiteHealth),
});
