import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { byId, id, integer, meterName, moment, nullable, number, ratio, siteName, timezone } from "../values.js";
import { AssetType, lastCharge } from "./site.js";

/** Lengths of the intervals in which energy is shown and downloaded, in seconds. */
export const ENERGY_INTERVALS_SECONDS = [30, 60, 300, 900, 1800, 3600, 10_800, 21_600, 86_400] as const;
export const MAX_ENERGY_POINTS = 5000;
export const energyFormats = ["csv", "parquet"] as const;

const period = {
  start_time: Type.Optional(
    moment("Start of the period, at most 400 days before its end. Default: a day before its end.", "start"),
  ),
  end_time: Type.Optional(moment("End of the period. Default: now.", "end")),
};

const curve = (description: string, example: number) =>
  Type.Array(nullable(number("Power in kW; null without readings.", example)), { description });
const kwh = (description: string, example: number) => nullable(number(description, example));

/** Figures from received intervals alone; gaps are not filled. Null without any reading. */
const energy = {
  energy_kwh: kwh("Net energy in kWh: `imported_kwh` minus `exported_kwh`.", 780),
  imported_kwh: kwh("Energy in kWh of the 30-second intervals with power above 0.", 790),
  exported_kwh: kwh("Energy in kWh of the 30-second intervals with power below 0, as a positive number.", 10),
  peak_kw: nullable(number("Highest 30-second interval, in kW.", 455)),
  coverage: nullable(
    ratio("Received 30-second intervals divided by expected ones; null before the first is over.", 0.983, {
      minimum: 0,
      maximum: 1,
    }),
  ),
  power_kw: curve(
    "Mean power of each interval in kW, over its received 30-second intervals. Negative for export.",
    412,
  ),
  min_kw: curve("Lowest 30-second interval of each interval, in kW.", 398),
  max_kw: curve("Highest 30-second interval of each interval, in kW.", 455),
};

export const MeterEnergy = Type.Object(
  {
    meter_id: id("meter"),
    name: meterName,
    asset_type: AssetType,
    ...energy,
    charge: lastCharge,
    charge_kwh: nullable(
      Type.Array(nullable(number("State of charge in kWh; null without any.", 500)), {
        description: "Last state of charge of each interval, in kWh; null if the meter is no battery.",
      }),
    ),
  },
  {
    $id: "MeterEnergy",
    description: "Power and energy of a meter, and the state of charge of a battery, which is no part of them.",
  },
);
export type MeterEnergy = Static<typeof MeterEnergy>;

export const SiteEnergy = Type.Object(
  {
    site_id: id("site"),
    name: siteName,
    timezone: timezone("Time zone of the site; days are local days of this zone."),
    start_time: moment("Start of the first interval, which contains the start of the period.", "start"),
    end_time: moment("End of the last interval, which contains the end of the period.", "end"),
    interval_seconds: integer(
      "Length of the intervals in seconds. Interval i, counted from 0, ends at `start_time` + (i + 1) × `interval_seconds`, on the UTC grid. For 86400, intervals are local days; see `day_ends`.",
      300,
    ),
    day_ends: nullable(
      Type.Array(moment("End of a day.", "later"), {
        description:
          "Ends of the intervals if `interval_seconds` is 86400, otherwise null. A day on which the clocks change has 23 or 25 hours.",
      }),
    ),
    site: Type.Object(energy, {
      description:
        "The site: in each 30-second interval the sum of its measured meters, if all of them have a reading: those that the operator named or, without any, its points of interconnection or, without any, all. A meter counts from the hour of its first reading until it has been silent for a week.",
    }),
    meters: Type.Array(MeterEnergy, { description: "The meters of the site." }),
  },
  {
    $id: "SiteEnergy",
    description:
      "Power and energy of a site and its meters. All curves have the same intervals. Totals cover the whole intervals from `start_time` to `end_time`. kW and kWh are rounded to six decimals.",
  },
);
export type SiteEnergy = Static<typeof SiteEnergy>;

export const getAnySiteEnergy = endpoint({
  id: "getAnySiteEnergy",
  method: "GET",
  path: "/sites/{id}/energy",
  tag: "Energy",
  summary: "Retrieve power and energy of a site",
  description:
    "Returns the site and each of its meters over a period, in the finest intervals from 30 seconds to a day that need no more than `points`. Missing intervals are never estimated; see `coverage`. A period of more than 400 days gets 400.",
  params: byId("site"),
  query: Type.Object({
    ...period,
    points: Type.Optional(
      integer("Maximum number of intervals. Default: 1500. Sites with more than 60 meters may get fewer.", 1500, {
        minimum: 1,
        maximum: MAX_ENERGY_POINTS,
      }),
    ),
  }),
  reply: SiteEnergy,
});

export const downloadAnySiteEnergy = endpoint({
  id: "downloadAnySiteEnergy",
  method: "GET",
  path: "/sites/{id}/energy/download",
  tag: "Energy",
  summary: "Download power and energy of a site as a file",
  description:
    "One row per meter and interval up to now, meter by meter: timestamp (end of the interval, UTC), meter_id, meter_name, power_kw, energy_kwh, coverage, charge_kwh (the last state of charge of a battery). Intervals are those of GET /sites/{id}/energy; without readings, power and energy are empty. CSV has at most 20,000,000 rows, Parquet 3,000,000; beyond that the reply is 400. In CSV, an apostrophe precedes names that a spreadsheet would take for a formula.",
  params: byId("site"),
  query: Type.Object({
    ...period,
    interval_seconds: Type.Optional(
      Type.Enum([...ENERGY_INTERVALS_SECONDS], {
        description: "Length of the intervals in seconds; 86400 for local days. Default: 300.",
      }),
    ),
    format: Type.Optional(Type.Enum([...energyFormats], { description: "Format of the file. Default: `csv`." })),
  }),
  files: ["text/csv", "application/vnd.apache.parquet"],
});
