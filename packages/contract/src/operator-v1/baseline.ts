import Type, { type Static } from "typebox";

/** How the baseline of a dispatch's sites is computed. */
export const BaselineSetting = Type.Union(
  [
    Type.Object({
      preset: Type.String({
        description:
          "Id of a preset: high_4_of_5, ten_of_ten, middle_8_of_10, middle_8_of_10_ratio, high_5_of_10, high_5_of_10_ratio, weekdays_10_5min, high_15_of_20_per_hour, meter_before or firm_service_level.",
      }),
      anchor: Type.Optional(
        Type.Enum(["start", "notification"], {
          description: "What the preset's window is counted back from, instead of its own.",
        }),
      ),
    }),
    Type.Object({
      method: Type.Record(Type.String(), Type.Unknown(), {
        description: "Parameters of a method, as docs/measurement.md describes them.",
      }),
    }),
  ],
  {
    $id: "BaselineSetting",
    description: "null: high_4_of_5, and where it has too few days, the load before notification.",
  },
);
export type BaselineSetting = Static<typeof BaselineSetting>;

export const Holidays = Type.Array(Type.String({ examples: ["2026-07-03"] }), {
  maxItems: 1000,
  description: "Local days, YYYY-MM-DD, that count as holidays.",
});

const ratio = (description: string) => Type.Number({ minimum: 0, maximum: 100, description });

/** Between the statuses of a site. */
export const StatusLimits = Type.Object(
  {
    amber_from: ratio("Performance to date below this is red, as a ratio."),
    green_from: ratio("Below this: amber."),
    green_to: ratio("Above this: blue."),
    stale_seconds: Type.Integer({
      minimum: 30,
      maximum: 86_400,
      description: "A last reading older than this, or than twice the meter's interval where that is longer: grey.",
    }),
    least_coverage: Type.Number({ minimum: 0, maximum: 1, description: "Coverage below this: grey." }),
  },
  { $id: "StatusLimits", description: "null: 0.75, 0.95, 1.2, 90 s, 0.8." },
);
export type StatusLimits = Static<typeof StatusLimits>;
