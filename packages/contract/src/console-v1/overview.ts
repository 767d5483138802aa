import Type, { type Static } from "typebox";
import { SILENT_MINUTES } from "../constants.js";
import { endpoint } from "../endpoint.js";
import { AssetType, lastReading } from "../operator-v1/site.js";
import { DispatchProgram, dispatchEnd, dispatchStart, isTest } from "../v2022-04-15/dispatch.js";
import { PerformanceLimits } from "../v2022-04-15/measured-dispatch.js";
import { PerformanceStatus } from "../v2022-04-15/site-performance.js";
import {
  boolean,
  Commitment,
  customerLocationId,
  dispatchGroup,
  id,
  integer,
  meterName,
  moment,
  nullable,
  number,
  siteName,
  timezone,
} from "../values.js";

const MeterOverview = Type.Object(
  { id: id("meter"), name: meterName, asset_type: AssetType, last_reading: lastReading },
  { $id: "MeterOverview", description: "A meter and its newest reading." },
);

const nullableLimits = nullable(
  PerformanceLimits,
  "Limits between the performance statuses; null while nothing is measured.",
);

const CurrentDispatch = Type.Object(
  {
    id: id("dispatch"),
    state: Type.Enum(["upcoming", "in_progress"], { description: "State of the dispatch." }),
    program: DispatchProgram,
    start_time: dispatchStart,
    end_time: dispatchEnd,
    commitment_kw: Commitment,
    delivered_kw: nullable(number("Current reduction in kW; null while it is unknown, and before the start.", 248)),
    status: nullable(PerformanceStatus),
    status_limits: nullableLimits,
  },
  {
    $id: "CurrentDispatch",
    description: "The dispatch of the site that is in progress, or else the next; null if there is none.",
  },
);

/** The current state of a site. Measurements are null while its data is not visible to the account's users. */
export const SiteOverview = Type.Object(
  {
    id: id("site"),
    name: siteName,
    customer_location_id: customerLocationId,
    timezone: timezone("Time zone of the site."),
    dispatch_group: dispatchGroup,
    display_enabled: boolean(
      "Data visibility. `false`: the operator has not enabled the display of the site's data yet.",
      true,
    ),
    load_kw: nullable(
      number(
        `Sum of the newest readings of meters that reported in the last ${SILENT_MINUTES} minutes, in kW. Negative for export.`,
        412.5,
      ),
    ),
    last_reading_at: nullable(moment("End of the newest interval of its meters; null if there is none.")),
    stale: boolean(
      `\`true\`: no meter has reported in the last ${SILENT_MINUTES} minutes, or one that reported in the last 7 days is silent.`,
    ),
    meters: Type.Array(MeterOverview, { description: "Meters of the site." }),
    available: boolean("Whether the site can be dispatched now.", true),
    schedule_cutoff_seconds: integer(
      "How long before its start an availability block must be added, in seconds: the longest cut-off of the programs that the site is enrolled in.",
      86_400,
    ),
    unavailable_until: nullable(moment("End of the current availability block; null if the site is available.", "end")),
    dispatch: nullable(CurrentDispatch),
  },
  { $id: "SiteOverview", description: "The current state of a site." },
);
export type SiteOverview = Static<typeof SiteOverview>;

const CalledSite = Type.Object(
  {
    site_id: id("site"),
    commitment_kw: Commitment,
    delivered_kw: nullable(
      number("Current reduction in kW; null while it is unknown or not visible, and before the start.", 248),
    ),
  },
  { $id: "CalledSite", description: "A site of yours in a dispatch." },
);

const AccountDispatch = Type.Object(
  {
    id: id("dispatch"),
    state: Type.Enum(["in_progress", "upcoming", "cancelled"], { description: "State of the dispatch." }),
    test: isTest,
    program: DispatchProgram,
    start_time: dispatchStart,
    end_time: dispatchEnd,
    reached: boolean(
      "Whether your account was reached with the latest change: a webhook accepted it, it was read, a VEN acknowledged it, or the mail server accepted an email.",
      true,
    ),
    status_limits: nullableLimits,
    sites: Type.Array(CalledSite, { description: "Your sites in the dispatch." }),
  },
  { $id: "AccountDispatch", description: "A dispatch that concerns you now." },
);
export type AccountDispatch = Static<typeof AccountDispatch>;

export const getAccountOverview = endpoint({
  id: "getAccountOverview",
  method: "GET",
  path: "/overview",
  tag: "Overview",
  summary: "Retrieve the current state of your sites",
  description:
    "Returns load, availability and current dispatch of each site, and the dispatches that concern you now. It does not acknowledge a dispatch. Measurements are null while the data of a site is not visible to you.",
  reply: Type.Object(
    {
      as_of: moment("When the overview was computed."),
      sites: Type.Array(SiteOverview, { description: "All sites of the account." }),
      dispatches: Type.Array(AccountDispatch, {
        description:
          "Dispatches in progress by their end, upcoming ones by their start, then cancelled ones until they would have ended.",
      }),
    },
    { $id: "AccountOverview", description: "The current state of your sites." },
  ),
});
