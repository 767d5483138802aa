import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { boolean, byId, date, id, integer, meterName, nullable, number, siteName, string, version } from "../values.js";
import { dropReasons } from "./baseline-explanation.js";
import { ResultVersion } from "./measured-dispatch.js";
import { PerformanceTotals } from "./performance.js";
import { SitePerformance } from "./site-performance.js";

const ComparedMeter = Type.Object(
  { meter_id: id("meter"), name: meterName },
  { $id: "ComparedMeter", description: "A meter that only one of the versions sums." },
);

const meters = (description: string) => Type.Array(ComparedMeter, { description });

const use = (when: string) =>
  nullable(
    Type.Enum(["chosen", "considered", ...dropReasons], {
      description: `What the day was in the ${when} version: chosen, only considered, or the reason for dropping it. null if it was not looked at.`,
    }),
  );

const applied = (when: string) =>
  nullable(number(`Adjustment of the ${when} version: kW if additive, a ratio if multiplicative; null without.`, 7));

const InputDifference = Type.Object(
  {
    load: Type.Object(
      {
        added: integer("Intervals that have load only in the later version.", 0),
        removed: integer("Intervals that have load only in the earlier version.", 0),
        changed: integer("Intervals with another load.", 12),
        energy_kwh: number("Later minus earlier load over the changed intervals, in kWh.", -1.5),
      },
      { description: "30-second intervals of the curves whose load differs." },
    ),
    meters_added: meters("Meters that are summed only in the later version."),
    meters_removed: meters("Meters that are summed only in the earlier version."),
    dates: Type.Array(
      Type.Object({
        event_date: date("Day of the dispatch, or the day before or after it, YYYY-MM-DD.", "2026-07-01"),
        date: date("The day that was looked at, YYYY-MM-DD.", "2026-06-24"),
        before: use("earlier"),
        after: use("later"),
        corrected: boolean("Whether the load of the day was corrected."),
      }),
      { description: "Days that the baseline uses in another way, or with another load." },
    ),
    adjustment_before: applied("earlier"),
    adjustment_after: applied("later"),
  },
  {
    $id: "InputDifference",
    description: "Which inputs of a result differ; null unless both versions have a result of the site.",
  },
);

const changed = Type.Array(string("A member of `before` and `after`.", "mean_reduction_kw"), {
  description: "Names of the members that differ.",
});

/** A site whose result differs, in the form in which the reader sees sites. */
export const siteDifference = <S extends Type.TSchema>(Site: S) => ({
  site_id: id("site"),
  name: siteName,
  changed,
  before: nullable(Site, "The site in the earlier version; null if that has no result."),
  after: nullable(Site, "The site in the later version; null if that has no result."),
  inputs: nullable(InputDifference),
});

const SiteDifference = Type.Object(siteDifference(SitePerformance), {
  $id: "SiteDifference",
  description: "A site whose result differs.",
});

/** The first members of a difference. */
export const comparedVersions = {
  dispatch_id: id("dispatch"),
  from: ResultVersion,
  to: ResultVersion,
  totals_before: PerformanceTotals,
  totals_after: PerformanceTotals,
};

export const PerformanceDifference = Type.Object(
  { ...comparedVersions, sites: Type.Array(SiteDifference, { description: "Your sites whose results differ." }) },
  { $id: "PerformanceDifference", description: "What differs between two versions of a result." },
);
export type PerformanceDifference = Static<typeof PerformanceDifference>;

export const DifferenceQuery = Type.Object({
  from: Type.Optional(version("The earlier version. Default: the one before `to`.")),
  to: Type.Optional(version("The later version. Default: the newest.", 2)),
});

export const differenceRule =
  "Compares two versions of the final result: what changed in the figures of which sites, and which of their inputs. An unknown version, or a single one, gets 404.";

export const getPerformanceDifference = endpoint({
  id: "getPerformanceDifference",
  method: "GET",
  path: "/dispatches/{id}/performance/difference",
  tag: "Performance",
  summary: "Retrieve what differs between two versions of a result",
  description: `An extension of the interface. ${differenceRule}`,
  params: byId("dispatch"),
  query: DifferenceQuery,
  reply: PerformanceDifference,
});
