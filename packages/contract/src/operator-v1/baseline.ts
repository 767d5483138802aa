import Type, { type Static } from "typebox";
import { integer, ratio, string } from "../values.js";

/** How the baseline of a dispatch's sites is computed. */
export const BaselineSetting = Type.Union(
  [
    Type.Object({
      preset: string(
        "Id of a preset: `high_4_of_5`, `ten_of_ten`, `middle_8_of_10`, `middle_8_of_10_ratio`, `high_5_of_10`, `high_5_of_10_ratio`, `weekdays_10_5min`, `high_15_of_20_per_hour`, `meter_before` or `firm_service_level`.",
        "high_4_of_5",
      ),
      anchor: Type.Optional(
        Type.Enum(["start", "notification"], {
          description: "Moment at which the preset's window ends. Default: that of the preset.",
        }),
      ),
    }),
    Type.Object({
      method: Type.Record(Type.String(), Type.Unknown(), {
        description: "A method with its parameters, as described in docs/measurement.md.",
        examples: [{ kind: "flat", kw: 412 }],
      }),
    }),
  ],
  {
    $id: "BaselineSetting",
    description:
      "How the baseline is computed: a preset, or a method with parameters. null: `high_4_of_5`, or the load before the notification if there are too few days.",
  },
);
export type BaselineSetting = Static<typeof BaselineSetting>;

export const Holidays = Type.Array(string("A local date, YYYY-MM-DD.", "2026-07-03"), {
  maxItems: 1000,
  description: "Local dates that count as holidays.",
});

const limit = (description: string, example: number) => ratio(description, example, { minimum: 0, maximum: 100 });

/** Limits between the performance statuses of a site. */
export const StatusLimits = Type.Object(
  {
    amber_from: limit("Performance below this is well below commitment.", 0.75),
    green_from: limit("Performance below this is below commitment.", 0.95),
    green_to: limit("Performance above this is well above commitment.", 1.2),
    stale_seconds: integer(
      "Maximum age of the last reading in seconds, or twice the meter's interval if that is longer. A site with older readings is not judged.",
      90,
      { minimum: 30, maximum: 86_400 },
    ),
    least_coverage: ratio("A site with less coverage is not judged.", 0.8, { minimum: 0, maximum: 1 }),
  },
  {
    $id: "StatusLimits",
    description:
      "Limits between the performance statuses. null: 0.75, 0.95 and 1.2, readings of 90 s, and a coverage of 0.8.",
  },
);
export type StatusLimits = Static<typeof StatusLimits>;
