import Type, { type Static } from "typebox";
import { date, id, integer, moment, nullable, number, string, timezone } from "../values.js";

const localDay = (description: string, example = "2026-06-30") =>
  date(`${description} Local date, YYYY-MM-DD.`, example);
const meanKw = (description: string, example: number) => nullable(number(`${description}, in kW.`, example));

const ConsideredDay = Type.Object(
  {
    date: localDay("The day."),
    event_mean_kw: number(
      "Mean load at the time of day of the dispatch, in kW; for `other_days`, in the `intervals`.",
      408,
    ),
    energy_kwh: number(
      "Energy of the whole day, in kWh. Where days are ranked by it, intervals without readings count as the mean of the pool at that time of day; by the first rules, as nothing.",
      7420,
    ),
    missing_intervals: integer("Intervals without load. The other intervals of the day still count.", 0),
    kw: Type.Array(meanKw("Mean load in the interval", 408), {
      description:
        "Mean load in each of the `intervals`, in kW; null without load. Empty in results from before this was recorded.",
    }),
  },
  { $id: "ConsideredDay", description: "A day that the baseline could be computed from." },
);

/** Why a day is in no pool. */
export const dropReasons = ["event_day", "excluded", "holiday", "other_day_type", "incomplete", "low_usage"] as const;

const DroppedDay = Type.Object(
  {
    date: localDay("The day.", "2026-06-29"),
    reason: Type.Enum([...dropReasons], {
      description: "Reason for dropping the day. `excluded`: an operator excluded it; `why` has the reason.",
    }),
    why: string("The reason in words.", "another dispatch was on this day"),
    dispatches: Type.Array(id("dispatch"), { description: "For `event_day`: the other dispatches of the site." }),
  },
  { $id: "DroppedDay", description: "A day that was dropped, and why." },
);

const ComparedInterval = Type.Object(
  {
    start: moment("Start of the interval.", "notified"),
    end: moment("End of the interval.", "start"),
    actual_kw: meanKw("Mean load", 415),
    baseline_kw: meanKw("Baseline before its adjustment", 408),
  },
  { $id: "ComparedInterval", description: "An interval of the adjustment window; null means unknown." },
);

const BaselineAdjustment = Type.Object(
  {
    kind: Type.Enum(["additive", "multiplicative"], { description: "How the baseline is adjusted." }),
    window_start: moment("Start of the adjustment window.", "notified"),
    window_end: moment("End of the adjustment window.", "start"),
    moved_hours: integer(
      "Hours by which the window was moved earlier, so that it meets no other dispatch of the site and not the hour after one.",
      0,
    ),
    intervals_expected: integer("Intervals in the window.", 60),
    intervals_used: integer("Intervals in the window that have both load and baseline.", 60),
    intervals: Type.Array(ComparedInterval, {
      description: "Intervals of the window. Empty in results from before this was recorded.",
    }),
    actual_mean_kw: meanKw("Mean load of the intervals used", 415),
    baseline_mean_kw: meanKw("Mean baseline of the intervals used", 408),
    raw: nullable(
      number("Adjustment before its bounds: kW if additive, a ratio if multiplicative; null if undefined.", 7),
    ),
    applied: number("Adjustment after its bounds; 0 (additive) or 1 (multiplicative) if nothing was applied.", 7),
    not_applied: nullable(
      string("Why nothing was applied; null if the adjustment was applied.", "the window has too few readings"),
    ),
  },
  {
    $id: "BaselineAdjustment",
    description: "How the baseline was adjusted to the load before the dispatch; null without an adjustment.",
  },
);

const DayDistance = Type.Object(
  {
    date: localDay("The day."),
    kw2: nullable(
      number("Sum of the squared differences over the intervals of the window, in kW²; null if it lacks one.", 84),
    ),
  },
  { $id: "DayDistance", description: "How far the load of a day is from that of the day of the dispatch." },
);

/** How one local day got its baseline. */
const choiceOfDays = {
  event_date: localDay("Day of the dispatch; in `other_days`, a day before or after it.", "2026-07-01"),
  event_day_type: Type.Enum(["weekday", "saturday", "sunday", "holiday"], { description: "Type of that day." }),
  intervals: Type.Array(string("Start by the local clock, HH:MM:SS.", "13:00:00"), {
    description:
      "Intervals of that day that the baseline is averaged in: from an hour before the start to an hour after the end, and those of the windows.",
  }),
  pool: Type.Array(ConsideredDay, { description: "Days that could be chosen, latest first." }),
  dropped: Type.Array(DroppedDay, { description: "Days that were dropped." }),
  filled_with: Type.Array(localDay("A day of the pool."), {
    description: "Days of the pool that had another dispatch, because there were too few others.",
  }),
  chosen: nullable(
    Type.Array(localDay("A chosen day."), {
      description: "Chosen days, highest-ranking first; null if each interval chooses its own.",
    }),
  ),
  chosen_by_interval: nullable(
    Type.Record(Type.String(), Type.Array(localDay("A chosen day.")), {
      description:
        "Chosen days of each of the `intervals`, by local start of the interval, HH:MM:SS; null if all intervals use the same days.",
      examples: [{ "13:00:00": ["2026-06-30"] }],
    }),
  ),
  distances: nullable(
    Type.Array(DayDistance, {
      description: "Distance of each day of the pool, nearest first; null unless the nearest days are chosen.",
    }),
  ),
};

const choiceWithReason = {
  ...choiceOfDays,
  reason: nullable(
    string("Why the day has no baseline; null if it has.", "the method has no rule for a saturday; add one"),
  ),
};

const LaterDay = Type.Object(choiceWithReason, {
  $id: "LaterDay",
  description: "How a day after the first of a dispatch got its baseline.",
});

const OtherDay = Type.Object(choiceWithReason, {
  $id: "OtherDay",
  description:
    "How a day before or after a dispatch got its baseline. Its days are ranked by their mean over `intervals`.",
});

export const DaysExplanation = Type.Object(
  {
    kind: Type.Enum(["days"], { description: "Kind of baseline method." }),
    timezone: timezone("Zone of the local days."),
    interval_seconds: integer("Resolution of the baseline, in seconds.", 300),
    ...choiceOfDays,
    adjustment: nullable(BaselineAdjustment),
    later_days: Type.Array(LaterDay, {
      description: "Days after the first of a dispatch over several days; each has its own type and pool.",
    }),
    other_days: Type.Array(OtherDay, {
      description:
        "Days before and after the dispatch that the curve or the adjustment window needs a baseline on; each has its own type and pool. Empty in results from before this was recorded.",
    }),
  },
  { $id: "DaysExplanation", description: "A baseline computed from the load of earlier days." },
);
export type DaysExplanation = Static<typeof DaysExplanation>;

const MeterBeforeExplanation = Type.Object(
  {
    kind: Type.Enum(["meter_before"], { description: "Kind of baseline method." }),
    anchor: Type.Enum(["start", "notification"], { description: "The moment at which the window ends." }),
    window_start: moment("Start of the window.", "notified"),
    window_end: moment("End of the window.", "start"),
    cells_expected: integer("30-second intervals in the window.", 60),
    cells_used: integer("Intervals in the window that have load.", 60),
    kw: Type.Array(meanKw("Mean load in the interval", 415), {
      description:
        "Mean load in each 30-second interval of the window, in kW; null without load. Empty in results from before this was recorded.",
    }),
    mean_kw: meanKw("Mean load of the intervals used", 415),
    instead_of: Type.Optional(DaysExplanation),
    because: Type.Optional(
      string("Why the method tried first gave no baseline.", "no earlier day has enough readings"),
    ),
  },
  { $id: "MeterBeforeExplanation", description: "The mean load just before the dispatch, held flat." },
);

const FlatExplanation = Type.Object(
  {
    kind: Type.Enum(["flat"], { description: "Kind of baseline method." }),
    kw: number("The agreed baseline, in kW.", 412),
  },
  { $id: "FlatExplanation", description: "An agreed baseline." },
);

const FirmServiceLevelExplanation = Type.Object(
  {
    kind: Type.Enum(["firm_service_level"], { description: "Kind of baseline method." }),
    level_kw: number("Load that must not be exceeded during a dispatch, in kW.", 160),
    reference_kw: meanKw("Agreed load without a dispatch; null means that only compliance is measured", 412),
  },
  { $id: "FirmServiceLevelExplanation", description: "An agreed level that the load must stay at or below." },
);

export const BaselineExplanation = Type.Union(
  [DaysExplanation, MeterBeforeExplanation, FlatExplanation, FirmServiceLevelExplanation],
  {
    $id: "BaselineExplanation",
    description: "Everything needed to recompute the baseline: chosen and dropped days, window, adjustment.",
  },
);
export type BaselineExplanation = Static<typeof BaselineExplanation>;
