import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import * as operator from "../operator-v1/energy.js";
import { id, integer, moment, nullable, number, ratio, siteName, Timezone, timezone } from "../values.js";

/** Energy of the caller's own sites. */
export const getSiteEnergy = endpoint({ ...operator.getAnySiteEnergy, id: "getSiteEnergy" });
export const downloadSiteEnergy = endpoint({ ...operator.downloadAnySiteEnergy, id: "downloadSiteEnergy" });

const kwh = (description: string, example: number) => nullable(number(description, example));
const coverage = nullable(
  ratio(
    "Received 30-second intervals divided by expected ones, over the sites; null before the first is over.",
    0.983,
    {
      minimum: 0,
      maximum: 1,
    },
  ),
);
const localDay = (description: string, example: string) =>
  Type.String({ pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", description, examples: [example] });

const EnergyBar = Type.Object(
  {
    start_time: moment("Start of the interval.", "start"),
    end_time: moment("End of the interval.", "end"),
    energy_kwh: kwh("Net energy in kWh: import minus export. Null without any reading.", 780),
    coverage,
    sites: integer("Number of sites with a reading in the interval.", 3),
  },
  { $id: "EnergyBar", description: "Energy of an hour, a day or a month." },
);

const SiteEnergySum = Type.Object(
  {
    site_id: id("site"),
    name: siteName,
    energy_kwh: kwh("Net energy of the period in kWh; null without any reading.", 780),
    coverage,
  },
  { $id: "SiteEnergySum", description: "Energy of a site over the period." },
);

/** Steps of the bars. */
export const energySteps = ["hour", "day", "month"] as const;

export const EnergyBars = Type.Object(
  {
    by: Type.Enum([...energySteps], { description: "Length of the intervals." }),
    timezone: timezone("Time zone of the hours, days and months."),
    start_time: moment("Start of the first interval.", "start"),
    end_time: moment("End of the last interval.", "end"),
    energy_kwh: kwh("Net energy in kWh: `imported_kwh` minus `exported_kwh`. Null without any reading.", 780),
    imported_kwh: kwh("Energy in kWh of each site's 30-second intervals with power above 0.", 790),
    exported_kwh: kwh("Energy in kWh of each site's intervals with power below 0, as a positive number.", 10),
    coverage,
    hidden_sites: integer("Sites whose data is not visible. They are in no sum.", 0),
    sites: Type.Array(SiteEnergySum, { description: "The sites of the sums, by name." }),
    bars: Type.Array(EnergyBar, { description: "Intervals in order of time, including those without readings." }),
  },
  {
    $id: "EnergyBars",
    description: "Energy by hour, day or month. Only received readings count; nothing is filled.",
  },
);
export type EnergyBars = Static<typeof EnergyBars>;

export const getEnergyBars = endpoint({
  id: "getEnergyBars",
  method: "GET",
  path: "/energy",
  tag: "Energy",
  summary: "Retrieve energy by hour, day or month",
  description:
    "Sums up one of your sites, or all of them. Hours, days and months are those of one time zone: a day on which the clocks change has 23 or 25 hours. What a site uses is the sum of its measured meters, as in GET /sites/{id}/energy. At most 400 days, 32 by hour, and 8,000 days of all sites together; beyond that the reply is 400.",
  query: Type.Object({
    from: localDay("First local day of the period.", "2026-06-01"),
    to: localDay("Last local day of the period.", "2026-06-30"),
    by: Type.Enum([...energySteps], { description: "Length of the intervals." }),
    site_id: Type.Optional(id("site", "Only this site. Default: all sites.")),
    timezone: Type.Optional(Timezone),
  }),
  reply: EnergyBars,
});
