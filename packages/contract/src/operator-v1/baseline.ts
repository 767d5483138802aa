import Type, { type Static } from "typebox";
import { BASELINE_PRESETS, DEFAULT_STATUS_LIMITS, MIN_STALE_SECONDS } from "../constants.js";
import { date, documented, integer, ratio, string } from "../values.js";

const BaselinePreset = Type.Object(
  {
    preset: documented(string("Id of a preset, described in docs/measurement.md.", "high_4_of_5"), {
      enum: BASELINE_PRESETS,
    }),
    anchor: Type.Optional(
      Type.Enum(["start", "notification"], {
        description: "Moment at which the preset's window ends. Default: that of the preset.",
      }),
    ),
  },
  { $id: "BaselinePreset", description: "A baseline by a preset." },
);

const BaselineMethod = Type.Object(
  {
    method: Type.Record(Type.String(), Type.Unknown(), {
      description: "A method with its parameters, as described in docs/measurement.md.",
      examples: [{ kind: "flat", kw: 412 }],
    }),
  },
  { $id: "BaselineMethod", description: "A baseline by a method with parameters." },
);

/** How the baseline of a dispatch's sites is computed. */
export const BaselineSetting = Type.Union([BaselinePreset, BaselineMethod], {
  $id: "BaselineSetting",
  description:
    "How the baseline is computed: a preset, or a method with parameters. null: `high_4_of_5`, or the load before the notification if there are too few days.",
});
export type BaselineSetting = Static<typeof BaselineSetting>;

export const Holidays = Type.Array(date("A local date, YYYY-MM-DD.", "2026-07-03"), {
  maxItems: 1000,
  description:
    "Local dates that count as holidays. With a calendar they are its stored days, corrected by hand, and change only through it.",
});

const limit = (description: string, example: number) => ratio(description, example, { minimum: 0, maximum: 100 });

const defaults = DEFAULT_STATUS_LIMITS;

/** Limits between the performance statuses of a site. */
export const StatusLimits = Type.Object(
  {
    amber_from: limit("Performance below this is well below commitment.", defaults.amber_from),
    green_from: limit("Performance below this is below commitment.", defaults.green_from),
    green_to: limit("Performance above this is well above commitment.", defaults.green_to),
    stale_seconds: integer(
      "Maximum age of the last reading in seconds, or twice the meter's interval if that is longer. A site with older readings is not judged.",
      defaults.stale_seconds,
      { minimum: MIN_STALE_SECONDS, maximum: 86_400 },
    ),
    least_coverage: ratio("A site with less coverage is not judged.", defaults.least_coverage, {
      minimum: 0,
      maximum: 1,
    }),
  },
  {
    $id: "StatusLimits",
    description: `Limits between the performance statuses. null: ${defaults.amber_from}, ${defaults.green_from} and ${defaults.green_to}, readings of ${defaults.stale_seconds} s, and a coverage of ${defaults.least_coverage}.`,
  },
);
export type StatusLimits = Static<typeof StatusLimits>;
