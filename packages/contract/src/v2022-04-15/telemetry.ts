import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { id, Timestamp } from "../values.js";
import {
  INTERVAL_STEP_SECONDS,
  MAX_CONTROLLABLE_LOAD_SECONDS,
  MAX_INTERVAL_SECONDS,
  READ_INTERVALS_SECONDS,
} from "./limits.js";

/** A reading as uploaded: shape A has `kW`, shape B has `value` and `units`; one of `meter_id` and `site_id`. */
export const TelemetryReading = Type.Object(
  {
    interval_seconds: Type.Integer({
      minimum: INTERVAL_STEP_SECONDS,
      maximum: MAX_INTERVAL_SECONDS,
      multipleOf: INTERVAL_STEP_SECONDS,
      description: "Length of the interval in seconds.",
    }),
    timestamp: Timestamp,
    meter_id: Type.Optional(id("meter", "Meter the reading belongs to; not together with site_id.")),
    site_id: Type.Optional(
      id("site", "Site the reading belongs to, where it has exactly one meter; not together with meter_id."),
    ),
    kW: Type.Optional(Type.Number({ description: "Shape A: average power in kW; negative is export." })),
    value: Type.Optional(Type.Number({ description: "Shape B: power in kW or energy in kWh over the interval." })),
    units: Type.Optional(Type.Enum(["kW", "kWh"], { description: "Shape B: unit of value." })),
  },
  {
    $id: "TelemetryReading",
    description:
      "`timestamp` is the END of the interval. Shape A carries `kW`; shape B carries `value` and `units`. Exactly one of `meter_id` and `site_id`.",
    examples: [
      { meter_id: "mtr_4f9k2m7q1x8c", interval_seconds: 60, timestamp: "2026-07-01T18:01:00Z", kW: 412.5 },
      {
        meter_id: "mtr_4f9k2m7q1x8c",
        interval_seconds: 60,
        timestamp: "2026-07-01T18:01:00Z",
        value: 6.875,
        units: "kWh",
      },
    ],
  },
);
export type TelemetryReading = Static<typeof TelemetryReading>;

export const ControllableLoadReading = Type.Object(
  {
    interval_seconds: Type.Integer({
      minimum: 1,
      maximum: MAX_CONTROLLABLE_LOAD_SECONDS,
      description: "How long the reading is valid, in seconds.",
    }),
    site_id: id("site", "Site the reading belongs to."),
    timestamp: Timestamp,
    units: Type.Enum(["kW"]),
    value: Type.Number({ description: "Load the site can shed or add, in kW." }),
  },
  { $id: "ControllableLoadReading" },
);
export type ControllableLoadReading = Static<typeof ControllableLoadReading>;

const Received = Type.Object(
  { received: Type.Integer({ minimum: 0, description: "Readings stored by this request." }) },
  { $id: "Received" },
);

const RetrievedReading = Type.Object(
  {
    interval_seconds: Type.Integer(),
    timestamp: Timestamp,
    value: Type.Number({ description: "Mean power over the interval in kW." }),
    units: Type.Literal("kw"),
  },
  { $id: "RetrievedReading" },
);

export const TelemetryData = Type.Object(
  {
    data: Type.Object({
      sites: Type.Array(
        Type.Object({
          site_id: Type.String(),
          meters: Type.Array(Type.Object({ meter_id: Type.String(), telemetry: Type.Array(RetrievedReading) })),
        }),
      ),
    }),
  },
  { $id: "TelemetryData" },
);

export const uploadTelemetry = endpoint({
  id: "uploadTelemetry",
  method: "POST",
  path: "/telemetry",
  tag: "Telemetry",
  summary: "Upload telemetry readings",
  description:
    "Many readings in one request, of several meters, in any order, sent before or not. If one breaks a rule nothing is stored. 200 means stored for good; a retry is safe.",
  body: Type.Object({ telemetry: Type.Array(TelemetryReading) }, { $id: "TelemetryUpload" }),
  reply: Received,
});

export const uploadControllableLoad = endpoint({
  id: "uploadControllableLoad",
  method: "POST",
  path: "/telemetry/controllable-load",
  tag: "Telemetry",
  summary: "Upload controllable load readings",
  description:
    "Readings of the past, and forecasts of up to a year ahead. A site has one value a second: a timestamp is cut to its second, and a later value of the same second replaces the one before.",
  body: Type.Object({ controllable_load: Type.Array(ControllableLoadReading) }, { $id: "ControllableLoadUpload" }),
  reply: Received,
});

export const readTelemetry = endpoint({
  id: "readTelemetry",
  method: "GET",
  path: "/telemetry/kw",
  tag: "Telemetry",
  summary: "Retrieve stored telemetry",
  description:
    "Mean power on the 30-second grid or on a coarser one. start_time is excluded, end_time included. At most 50 sites, 90 days, and 10,000 points per site.",
  query: Type.Object({
    site_id: Type.Array(Type.String(), { minItems: 1, description: "Repeat the parameter for several sites." }),
    start_time: Timestamp,
    end_time: Type.Optional(Timestamp),
    interval_seconds: Type.Optional(
      Type.Enum([...READ_INTERVALS_SECONDS], { description: "Spacing of the points in seconds; 30 unless given." }),
    ),
  }),
  reply: TelemetryData,
});
