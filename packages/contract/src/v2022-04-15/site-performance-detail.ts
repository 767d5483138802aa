import Type, { type Static } from "typebox";
import { id, meterName, moment, nullable, string } from "../values.js";
import { BaselineExplanation } from "./baseline-explanation.js";
import { measuredDispatch } from "./measured-dispatch.js";
import { kw } from "./measured-values.js";
import { SitePerformance } from "./site-performance.js";

/** From an hour before the start to an hour after the end. */
export const curvePeriod = "30-second intervals from an hour before the start to an hour after the end.";

const CurveCell = Type.Object(
  {
    timestamp: moment("End of the interval."),
    baseline_kw: kw("Baseline", 412),
    unadjusted_kw: kw("Baseline before its adjustment", 405),
    load_kw: kw("Mean load", 162),
    reduction_kw: kw("Baseline minus load", 250),
    target_kw: kw("Load at which the commitment is met", 162),
    quality: nullable(
      Type.Enum(["measured", "late", "corrected", "gap"], {
        description:
          "Quality of the load, compared with earlier versions of the result. `gap`: no reading. `corrected`: an earlier version has another value. `late`: an earlier version has none. null while it is not due.",
        examples: ["measured"],
      }),
    ),
  },
  { $id: "CurveCell", description: "A 30-second interval of a site." },
);

const namedMeter = { meter_id: id("meter"), name: meterName };

const MeasuredMeters = Type.Object(
  {
    summed: Type.Array(Type.Object(namedMeter), { description: "Meters whose sum is the load." }),
    left_out: Type.Array(
      Type.Object({
        ...namedMeter,
        reason: Type.Enum(["not_named", "behind_poi", "silent", "younger_than_look_back"], {
          description:
            "`not_named`: the operator has named other meters. `behind_poi`: the point of interconnection measures it, too. `silent`: no reading in the seven days before the start. `younger_than_look_back`: its first reading is later than the days that the baseline uses.",
        }),
      }),
      { description: "Meters that are part of neither load nor baseline." },
    ),
  },
  {
    $id: "MeasuredMeters",
    description: "Meters that the result is measured by. null in results from before this was recorded.",
  },
);

export const SitePerformanceDetail = Type.Object(
  {
    ...measuredDispatch,
    site: SitePerformance,
    meters: nullable(MeasuredMeters),
    preset: nullable(
      string("Id of the preset that the method is from; null for a method with parameters of its own.", "high_4_of_5"),
    ),
    method: Type.Record(Type.String(), Type.Unknown(), {
      description: "The baseline method with its parameters.",
      examples: [{ kind: "flat", kw: 412 }],
    }),
    steps: Type.Array(
      Type.Enum(["pool", "choice", "average", "adjustment", "no_less_than_zero", "window", "agreed", "reduction"]),
      {
        description:
          "Steps in the order in which they were computed. `pool`: the days that could be chosen. `choice`: those that are. `average`: their mean in each interval. `adjustment`: to the load of the window. `no_less_than_zero`: lower values become 0. `window`: the mean of the load just before. `agreed`: a constant. `reduction`: baseline minus load. Without a baseline the steps end where there was none.",
        examples: [["pool", "choice", "average", "adjustment", "no_less_than_zero", "reduction"]],
      },
    ),
    explanation: BaselineExplanation,
    curve: Type.Array(CurveCell, { description: curvePeriod }),
  },
  { $id: "SitePerformanceDetail", description: "Performance of one site with its curves and baseline." },
);
export type SitePerformanceDetail = Static<typeof SitePerformanceDetail>;
