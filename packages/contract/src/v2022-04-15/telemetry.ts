import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { documented, id, integer, moment, number, sentence, withoutExample } from "../values.js";
import {
  INTERVAL_STEP_SECONDS,
  MAX_CONTROLLABLE_LOAD_SECONDS,
  MAX_INTERVAL_SECONDS,
  MAX_POWER_KW,
  READ_INTERVALS_SECONDS,
} from "./limits.js";

/** Bounds of the power of a reading in kW, and in this size of its energy in kWh (G27). */
const power = { minimum: -MAX_POWER_KW, maximum: MAX_POWER_KW };

const endOfInterval = moment("End of the interval.");
const intervalSeconds = "Length of the interval in seconds.";

/** A reading as uploaded: shape A has `kW`, shape B has `value` and `units`; one of `meter_id` and `site_id` (G20, G26). */
export const TelemetryReading = Type.Object(
  {
    interval_seconds: integer(intervalSeconds, 60, {
      minimum: INTERVAL_STEP_SECONDS,
      maximum: MAX_INTERVAL_SECONDS,
      multipleOf: INTERVAL_STEP_SECONDS,
    }),
    timestamp: endOfInterval,
    meter_id: Type.Optional(id("meter", "Meter of the reading. Do not combine with `site_id`.")),
    site_id: Type.Optional(
      withoutExample(id("site", "Site of the reading, if it has exactly one meter. Do not combine with `meter_id`.")),
    ),
    kW: Type.Optional(
      documented(number("Shape A: mean power over the interval in kW. Negative for export to the grid.", 412.5), power),
    ),
    value: Type.Optional(
      withoutExample(
        documented(
          number(
            "Shape B: power in kW, or energy over the interval in kWh; of a battery, its state of charge in kWh.",
            6.875,
          ),
          power,
        ),
      ),
    ),
    units: Type.Optional(withoutExample(Type.Enum(["kW", "kWh"], { description: "Shape B: unit of `value`." }))),
  },
  {
    $id: "TelemetryReading",
    description:
      "Power or energy of a meter over an interval. `timestamp` is the END of the interval. Shape A has `kW`; shape B has `value` and `units`. A reading has exactly one of `meter_id` and `site_id`.",
    examples: [
      { meter_id: "mtr_1t5y8u3i6o9p", interval_seconds: 60, timestamp: "2026-07-01T18:01:00Z", kW: 412.5 },
      {
        meter_id: "mtr_1t5y8u3i6o9p",
        interval_seconds: 60,
        timestamp: "2026-07-01T18:01:00Z",
        value: 6.875,
        units: "kWh",
      },
    ],
  },
);
export type TelemetryReading = Static<typeof TelemetryReading>;

/** How much a site can reduce or increase its load (G28). */
export const ControllableLoadReading = Type.Object(
  {
    interval_seconds: integer("How long the reading is valid, in seconds.", 900, {
      minimum: 1,
      maximum: MAX_CONTROLLABLE_LOAD_SECONDS,
    }),
    site_id: id("site", "Site of the reading."),
    timestamp: moment("Time of the reading."),
    units: Type.Enum(["kW"], { description: "Unit of `value`." }),
    value: documented(number("Load that the site can reduce or increase, in kW.", 180), power),
  },
  { $id: "ControllableLoadReading", description: "How much load a site can reduce or increase for a dispatch." },
);
export type ControllableLoadReading = Static<typeof ControllableLoadReading>;

const Received = Type.Object(
  {
    received: integer("Number of readings stored; in the sandbox, of readings that were checked.", 1, { minimum: 0 }),
    warnings: Type.Optional(
      Type.Array(
        sentence(
          "What production would refuse, or keep as a state of charge.",
          'telemetry[0].meter_id is "meter-7", which is no meter of the sandbox or of this account; production would refuse the upload',
        ),
        {
          description:
            "In the sandbox only: ids that neither the sandbox nor your account has, and readings in kWh of your batteries that production would keep as their state of charge; at most 20. Absent if there are none.",
        },
      ),
    ),
  },
  { $id: "Received", description: "Result of an upload." },
);

const RetrievedReading = Type.Object(
  {
    interval_seconds: integer(intervalSeconds, 30),
    timestamp: endOfInterval,
    value: number("Mean power over the interval in kW. Negative for export to the grid.", 412.5),
    units: Type.Literal("kw", { description: "Unit of `value`: always kW." }),
  },
  { $id: "RetrievedReading", description: "Mean power over an interval." },
);

const MeterTelemetry = Type.Object(
  {
    meter_id: id("meter"),
    telemetry: Type.Array(RetrievedReading, { description: "Readings, oldest first. Missing intervals are left out." }),
  },
  { $id: "MeterTelemetry", description: "Telemetry of a meter." },
);

const SiteTelemetry = Type.Object(
  {
    site_id: id("site"),
    meters: Type.Array(MeterTelemetry, { description: "Meters of the site, including those without readings." }),
  },
  { $id: "SiteTelemetry", description: "Telemetry of a site." },
);

const TelemetryOfSites = Type.Object(
  { sites: Type.Array(SiteTelemetry, { description: "Sites in the order of the request." }) },
  { $id: "TelemetryOfSites", description: "The telemetry." },
);

/** Telemetry by site and meter, in the order of the request. */
export const TelemetryData = Type.Object(
  { data: TelemetryOfSites },
  { $id: "TelemetryData", description: "Stored telemetry." },
);

export const uploadTelemetry = endpoint({
  id: "uploadTelemetry",
  method: "POST",
  path: "/telemetry",
  tag: "Telemetry",
  summary: "Upload telemetry readings",
  description:
    "Takes many readings of many meters in any order. 200 means that all of them are stored permanently. If one reading breaks a rule, nothing is stored and the reply is 400; correct the readings that the message lists, and send the request again.\n\nA retry is safe: a reading replaces what is stored for the same interval. A timestamp may be at most 5 minutes in the future. The sandbox checks readings without storing them. It also accepts ids that it does not have, and names them in `warnings`.\n\nReadings in kWh of a battery are its state of charge, unless the operator set the meter to energy: they are stored apart and are no power, so send its power in kW, for the same intervals if you like.\n\nThe body may be compressed, with `Content-Encoding: gzip`; each answer says so by `Accept-Encoding: gzip`. The limits hold for the unpacked body.",
  body: Type.Object(
    { telemetry: Type.Array(TelemetryReading, { description: "Readings; 50,000 at most by default." }) },
    { $id: "TelemetryUpload", description: "Readings to store." },
  ),
  reply: Received,
});

export const uploadControllableLoad = endpoint({
  id: "uploadControllableLoad",
  method: "POST",
  path: "/telemetry/controllable-load",
  tag: "Telemetry",
  summary: "Upload controllable load readings",
  description:
    "Takes past readings, and forecasts up to a year ahead. They inform the operator; they do not change commitments. If one reading breaks a rule, nothing is stored and the reply is 400.\n\nA site has one value per second: fractions of a second are cut off, and a later value replaces an earlier one.",
  body: Type.Object(
    {
      controllable_load: Type.Array(ControllableLoadReading, { description: "Readings; 50,000 at most by default." }),
    },
    { $id: "ControllableLoadUpload", description: "Controllable load readings to store." },
  ),
  reply: Received,
});

export const readTelemetry = endpoint({
  id: "readTelemetry",
  method: "GET",
  path: "/telemetry/kw",
  tag: "Telemetry",
  summary: "Retrieve stored telemetry",
  description:
    "Returns mean power in intervals of 30 seconds, or of `interval_seconds`. Missing intervals are left out, never interpolated. A coarser interval is returned if readings cover at least half of it.\n\nOne request covers at most 50 sites, 90 days, and 10,000 points per site; beyond that the reply is 400. Ask for several sites in one request rather than one by one.",
  query: Type.Object({
    site_id: Type.Array(id("site"), {
      minItems: 1,
      description: "Sites to return. Repeat the parameter for several sites.",
    }),
    start_time: moment("Start of the period, exclusive. To include a reading, start one second earlier.", "start"),
    end_time: Type.Optional(moment("End of the period, inclusive. Default: 24 hours after the start.", "end")),
    interval_seconds: Type.Optional(
      Type.Enum([...READ_INTERVALS_SECONDS], { description: "Length of the intervals in seconds. Default: 30." }),
    ),
  }),
  reply: TelemetryData,
});
