import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { AssetType } from "../operator-v1/site.js";
import { DispatchProgram } from "../v2022-04-15/dispatch.js";
import { PerformanceStatus } from "../v2022-04-15/performance.js";
import { Commitment, id, nullable, Timestamp } from "../values.js";

const kw = (description: string) => nullable(Type.Number({ description }));

const MeterOverview = Type.Object(
  {
    id: id("meter", "Meter id."),
    name: Type.String(),
    asset_type: AssetType,
    last_reading: nullable(Type.Object({ timestamp: Timestamp, value: Type.Number({ description: "kW" }) })),
  },
  { $id: "MeterOverview" },
);

const CurrentDispatch = Type.Object(
  {
    id: id("dispatch", "Primary key of the dispatch."),
    state: Type.Enum(["upcoming", "in_progress"]),
    program: DispatchProgram,
    start_time: Timestamp,
    end_time: nullable(Timestamp),
    commitment_kw: Commitment,
    delivered_kw: kw("Reduction now, in kW; null while it is not known, and before the start."),
    status: nullable(PerformanceStatus),
  },
  { $id: "CurrentDispatch" },
);

/** A site as it stands now. What was measured is null where its display is not enabled. */
export const SiteOverview = Type.Object(
  {
    id: id("site", "Site id."),
    name: Type.String(),
    customer_location_id: Type.String(),
    timezone: Type.String(),
    dispatch_group: Type.String(),
    display_enabled: Type.Boolean({ description: "false: the operator has yet to enable the display of its data." }),
    load_kw: kw("Sum of the newest readings of the meters that read within 15 minutes, in kW; negative is export."),
    last_reading_at: nullable(Timestamp),
    stale: Type.Boolean({
      description: "No meter read within 15 minutes, or one that did in the last 7 days is not among those that did.",
    }),
    meters: Type.Array(MeterOverview),
    available: Type.Boolean({ description: "Whether it may be dispatched now." }),
    unavailable_until: nullable(Timestamp),
    dispatch: nullable(CurrentDispatch),
  },
  { $id: "SiteOverview" },
);
export type SiteOverview = Static<typeof SiteOverview>;

export const getAccountOverview = endpoint({
  id: "getAccountOverview",
  method: "GET",
  path: "/overview",
  tag: "Overview",
  summary: "How your sites stand now",
  description: "`dispatch` is the one in progress, or else the next.",
  reply: Type.Object({ as_of: Timestamp, sites: Type.Array(SiteOverview) }, { $id: "AccountOverview" }),
});
