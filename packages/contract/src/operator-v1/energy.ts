import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { id, nullable, Timestamp } from "../values.js";
import { byId } from "./list.js";
import { assetTypes } from "./site.js";

/** Lengths of cells that energy is shown and downloaded in. */
export const ENERGY_INTERVALS_SECONDS = [30, 60, 300, 900, 1800, 3600, 10_800, 21_600, 86_400] as const;
export const MAX_ENERGY_POINTS = 5000;
export const energyFormats = ["csv", "parquet"] as const;

const moment = (description: string) =>
  Type.String({ format: "date-time", description, examples: ["2026-07-01T18:00:00Z"] });
const period = {
  start_time: Type.Optional(moment("A day before end_time unless given; at most 400 days before it.")),
  end_time: Type.Optional(moment("Now unless given.")),
};

const curve = (description: string) => Type.Array(nullable(Type.Number()), { description });
const kwh = (description: string) => nullable(Type.Number({ description }));

/** Null where no reading is there at all; else of the time that readings cover, nothing filled in. */
const energy = {
  energy_kwh: kwh("imported_kwh less exported_kwh."),
  imported_kwh: kwh("Energy of the 30-second cells with power above 0."),
  exported_kwh: kwh("Energy of the 30-second cells with power below 0, as a positive number."),
  peak_kw: nullable(Type.Number({ description: "The highest 30-second cell." })),
  coverage: nullable(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: "30-second cells that are there over those that are over; null before the first is.",
    }),
  ),
  power_kw: curve("Mean of the 30-second cells that are there; null where none is. Export is negative."),
  min_kw: curve("The lowest 30-second cell of each."),
  max_kw: curve("The highest 30-second cell of each."),
};

export const MeterEnergy = Type.Object(
  {
    meter_id: id("meter", "Meter id."),
    name: Type.String(),
    asset_type: Type.Enum([...assetTypes]),
    ...energy,
  },
  { $id: "MeterEnergy" },
);
export type MeterEnergy = Static<typeof MeterEnergy>;

export const SiteEnergy = Type.Object(
  {
    site_id: id("site", "Site id."),
    name: Type.String(),
    timezone: Type.String({ description: "Of the site; its days are those of interval_seconds 86400." }),
    start_time: moment("Start of the first cell: the one that start_time lies in."),
    end_time: moment("End of the last cell: the one that end_time lies in, or ends with."),
    interval_seconds: Type.Integer({
      description:
        "Length of the cells. Cell i, counted from 0, ends at start_time + (i + 1) * interval_seconds, on the UTC grid; days are the site's local days, see day_ends.",
    }),
    day_ends: nullable(
      Type.Array(Timestamp, {
        description:
          "Where cell i ends, if interval_seconds is 86400: a day on which the clocks change has 23 or 25 hours. Else null.",
      }),
    ),
    site: Type.Object(energy, {
      description:
        "The sum of its meters in each 30-second cell that all of them have. A meter counts from the hour of its first reading until it has been silent for a week.",
    }),
    meters: Type.Array(MeterEnergy),
  },
  {
    $id: "SiteEnergy",
    description:
      "All curves have the same cells. Times are ends, as everywhere. Totals are of the whole cells from start_time to end_time; kW and kWh are rounded to six decimals.",
  },
);
export type SiteEnergy = Static<typeof SiteEnergy>;

export const getAnySiteEnergy = endpoint({
  id: "getAnySiteEnergy",
  method: "GET",
  path: "/sites/{id}/energy",
  tag: "Energy",
  summary: "Power and energy of a site and its meters over a period",
  description: "In the finest cells of 30 s to a day of which the period has no more than `points`.",
  params: byId,
  query: Type.Object({
    ...period,
    points: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_ENERGY_POINTS,
        description: "The most cells that are wanted; 1500 unless given. Sites of more than 60 meters may get fewer.",
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
  summary: "Power and energy of a site's meters as a file",
  description:
    "One row for each meter and cell up to now, meter by meter: timestamp (end of the cell, UTC), meter_id, meter_name, power_kw, energy_kwh, coverage. Cells are those of GET /sites/{id}/energy; power and energy of a cell without readings are empty. At most 20,000,000 rows of CSV, 3,000,000 of Parquet. Names that a spreadsheet would take for a formula have an apostrophe before them in CSV.",
  params: byId,
  query: Type.Object({
    ...period,
    interval_seconds: Type.Optional(
      Type.Enum([...ENERGY_INTERVALS_SECONDS], {
        description: "Length of the cells; 300 unless given. 86400: the site's local days.",
      }),
    ),
    format: Type.Optional(Type.Enum([...energyFormats], { description: "csv unless given." })),
  }),
  files: ["text/csv", "application/vnd.apache.parquet"],
});
