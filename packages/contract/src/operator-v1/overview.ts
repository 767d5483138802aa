import Type, { type Static } from "typebox";
import { SILENT_MINUTES } from "../constants.js";
import { endpoint } from "../endpoint.js";
import { dispatchEnd, dispatchStart, isTest } from "../v2022-04-15/dispatch.js";
import { PerformanceLimits } from "../v2022-04-15/measured-dispatch.js";
import { id, integer, moment, nullable, number, programName, timezone } from "../values.js";
import { commitmentKw, notificationTime, siteCount } from "./dispatch.js";

const sitesThat = (are: string, example: number) => integer(`Number of sites that are ${are}.`, example);

const ShortCurve = Type.Object(
  {
    from: moment("Where the first interval begins: the start of the dispatch.", "start"),
    step_seconds: integer("Length of an interval in seconds.", 60),
    delivered_kw: Type.Array(nullable(number("kW.", 2950)), {
      description: "Mean reduction of all sites in each interval, in kW; null where it is unknown. At most 60.",
    }),
  },
  { $id: "ShortCurve", description: "What all sites of a dispatch have delivered since its start, in few points." },
);

/** A dispatch with the totals of its sites. */
const DispatchOverview = Type.Object(
  {
    id: id("dispatch"),
    program_id: id("program"),
    program_name: programName,
    timezone: timezone("Time zone of the program."),
    test: isTest,
    notification_time: notificationTime,
    start_time: dispatchStart,
    end_time: dispatchEnd,
    ramp_until: nullable(
      moment(
        "When sites have had the ramp-up time of the program since the start: before, a shortfall is no failure; null without one.",
        "start",
      ),
    ),
    accounts: nullable(
      integer(
        "Number of its accounts that are not disabled; null, as the next, for a dispatch that starts in more than a day.",
        8,
      ),
    ),
    accounts_notified: nullable(
      integer(
        "How many of them the latest modification has reached, over any channel; null for a record as well, of which nobody is notified.",
        6,
      ),
    ),
    sites: siteCount,
    commitment_kw: commitmentKw,
    delivered_kw: nullable(number("Current reduction in kW; null while it is unknown, and before the start.", 2950)),
    trend_kw: nullable(
      number(
        "Change of the reduction in the last 5 minutes, in kW; null while it is unknown, and before the start.",
        60,
      ),
    ),
    sites_measured: nullable(integer("Number of sites that `delivered_kw` covers; null before the start.", 12)),
    curve: nullable(ShortCurve),
    status_limits: PerformanceLimits,
    sites_by_status: nullable(
      Type.Object(
        {
          red: sitesThat("well below commitment", 0),
          amber: sitesThat("below commitment", 1),
          green: sitesThat("on commitment", 10),
          blue: sitesThat("well above commitment", 1),
          grey: sitesThat("not judged, or without enough data", 0),
        },
        { description: "Sites by performance status; null before the start." },
      ),
    ),
  },
  { $id: "DispatchOverview", description: "A dispatch with sums over its sites." },
);
export type DispatchOverview = Static<typeof DispatchOverview>;

/** The state of the whole service. Disabled accounts, and their sites and meters, are not counted. */
export const OperatorOverview = Type.Object(
  {
    as_of: moment("When the overview was computed."),
    accounts: integer("Number of accounts.", 8),
    sites: integer("Number of sites.", 120),
    sites_streaming: integer(`Number of sites with a reading in the last ${SILENT_MINUTES} minutes.`, 118),
    sites_stale: integer(
      `Number of sites without a reading in the last ${SILENT_MINUTES} minutes, or with a silent meter that reported in the last 7 days. The latter may stream and be stale.`,
      3,
    ),
    meters: integer("Number of meters.", 140),
    load_meters: integer("Number of meters that count in `load_kw` while they report.", 130),
    load_meters_reporting: integer("Number of them that count in it now.", 128),
    load_kw: nullable(
      number(
        `Sum of the newest readings of meters that reported in the last ${SILENT_MINUTES} minutes, in kW; null without any. Of a site with meters at its point of interconnection, or with named ones, only those count.`,
        48210,
      ),
    ),
    alarms_open: integer("Number of alarms that nobody has acknowledged.", 1),
    dispatches: Type.Object(
      {
        active: Type.Array(DispatchOverview, { description: "Dispatches in progress." }),
        upcoming: Type.Array(DispatchOverview, {
          description: "Dispatches that start in the next 7 days, at most 50.",
        }),
      },
      { description: "Current dispatches." },
    ),
  },
  { $id: "OperatorOverview", description: "The state of the whole service." },
);
export type OperatorOverview = Static<typeof OperatorOverview>;

export const getOverview = endpoint({
  id: "getOverview",
  method: "GET",
  path: "/overview",
  tag: "Overview",
  summary: "Retrieve an overview of the service",
  description:
    "Returns counts of accounts, sites, meters and open alarms, the current load, and current dispatches. Disabled accounts and their sites are not counted.",
  reply: OperatorOverview,
});
