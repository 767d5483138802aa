import Type, { type Static } from "typebox";
import { nullable, Timestamp } from "../values.js";

const LocalDay = Type.String({ description: "Local day, YYYY-MM-DD.", examples: ["2026-07-01"] });
const meanKw = (description: string) => nullable(Type.Number({ description: `${description}, in kW.` }));

const ConsideredDay = Type.Object(
  {
    date: LocalDay,
    event_mean_kw: Type.Number({ description: "Mean load at the dispatch's time of day, in kW." }),
    energy_kwh: Type.Number({ description: "Energy of the whole day, in kWh." }),
    missing_intervals: Type.Integer({ description: "Intervals without load; the day's other intervals still count." }),
  },
  { $id: "ConsideredDay", description: "A day that the baseline could be built from." },
);

const DroppedDay = Type.Object(
  {
    date: LocalDay,
    reason: Type.Enum(["event_day", "holiday", "other_day_type", "incomplete", "low_usage"]),
    why: Type.String({ description: "The reason in words.", examples: ["another dispatch was on this day"] }),
  },
  { $id: "DroppedDay", description: "A day that was left out, and why." },
);

const BaselineAdjustment = Type.Object(
  {
    kind: Type.Enum(["additive", "multiplicative"]),
    window_start: Timestamp,
    window_end: Timestamp,
    intervals_expected: Type.Integer({ description: "Intervals of the window." }),
    intervals_used: Type.Integer({ description: "Intervals of the window that have both load and baseline." }),
    actual_mean_kw: meanKw("Mean load of the intervals used"),
    baseline_mean_kw: meanKw("Mean baseline of the intervals used"),
    raw: nullable(
      Type.Number({ description: "Before the bounds: kW if additive, a ratio if multiplicative; null if undefined." }),
    ),
    applied: Type.Number({
      description: "After the bounds; 0 (additive) or 1 (multiplicative) if nothing was applied.",
    }),
    not_applied: nullable(Type.String({ description: "Why nothing was applied; null if it was." })),
  },
  { $id: "BaselineAdjustment", description: "How the baseline was adjusted to the load before the dispatch." },
);

export const DaysExplanation = Type.Object(
  {
    kind: Type.Enum(["days"]),
    timezone: Type.String({ description: "IANA name; the days are days of this zone." }),
    interval_seconds: Type.Integer({ description: "Resolution of the baseline, in seconds." }),
    event_date: LocalDay,
    event_day_type: Type.Enum(["weekday", "saturday", "sunday", "holiday"]),
    pool: Type.Array(ConsideredDay, { description: "Days that could be picked, latest first." }),
    dropped: Type.Array(DroppedDay),
    chosen: nullable(
      Type.Array(LocalDay, {
        description: "Days picked, highest-ranking first; null where every interval picks its own.",
      }),
    ),
    chosen_by_interval: nullable(
      Type.Record(Type.String(), Type.Array(LocalDay), {
        description: "Where every interval picks its own: the days picked, by local start time HH:MM:SS.",
      }),
    ),
    adjustment: nullable(BaselineAdjustment),
  },
  { $id: "DaysExplanation", description: "A baseline built from the load of earlier days." },
);
export type DaysExplanation = Static<typeof DaysExplanation>;

const MeterBeforeExplanation = Type.Object(
  {
    kind: Type.Enum(["meter_before"]),
    anchor: Type.Enum(["start", "notification"], { description: "The moment that the window ends at." }),
    window_start: Timestamp,
    window_end: Timestamp,
    cells_expected: Type.Integer({ description: "Intervals of the window." }),
    cells_used: Type.Integer({ description: "Intervals of the window that have load." }),
    mean_kw: meanKw("Mean load of the intervals used"),
    instead_of: Type.Optional(DaysExplanation),
    because: Type.Optional(Type.String({ description: "Why the method that was tried first gave no baseline." })),
  },
  { $id: "MeterBeforeExplanation", description: "The mean load just before the dispatch, held flat." },
);

const FlatExplanation = Type.Object(
  { kind: Type.Enum(["flat"]), kw: Type.Number({ description: "The agreed baseline, in kW." }) },
  { $id: "FlatExplanation", description: "An agreed baseline." },
);

const FirmServiceLevelExplanation = Type.Object(
  {
    kind: Type.Enum(["firm_service_level"]),
    level_kw: Type.Number({ description: "Load that must not be exceeded during a dispatch, in kW." }),
    reference_kw: meanKw("Agreed load without a dispatch; null: there is no baseline, compliance is measured instead"),
  },
  { $id: "FirmServiceLevelExplanation", description: "An agreed level to stay below." },
);

export const BaselineExplanation = Type.Union(
  [DaysExplanation, MeterBeforeExplanation, FlatExplanation, FirmServiceLevelExplanation],
  {
    $id: "BaselineExplanation",
    description: "What it takes to compute the baseline again: days chosen and dropped, window, adjustment.",
  },
);
export type BaselineExplanation = Static<typeof BaselineExplanation>;
