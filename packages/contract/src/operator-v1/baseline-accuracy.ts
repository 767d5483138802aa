import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { byId, date, id, integer, nullable, number, ratio, string, timezone } from "../values.js";

/** Lengths of the intervals in which a method may be compared with the load, in seconds. */
const COMPARED_SECONDS = [30, 60, 300, 900, 1800, 3600] as const;
const TRIAL_DAY_TYPES = ["weekday", "saturday", "sunday"] as const;

const kw = (description: string, example: number) =>
  nullable(number(`${description} Null if no day was tried.`, example));
const localDate = date("A local date, YYYY-MM-DD.", "2026-06-30");

const LeftOutDay = Type.Object({
  date: localDate,
  reason: string(
    "Why the day was not tried: too few readings, or no baseline.",
    "100 of 240 intervals of 30 seconds have readings; at least 192 are required",
  ),
});

const MethodAccuracy = Type.Object(
  {
    preset: nullable(
      string("Id of the preset. Null: the setting of the enrolment or, without one, of the program.", "ten_of_ten"),
    ),
    interval_seconds: integer("Length of the intervals that were compared, in seconds.", 3600),
    days_tried: Type.Array(localDate, { description: "Local dates that were compared, latest first." }),
    left_out: Type.Array(LeftOutDay, { description: "Days that could not be compared, latest first." }),
    intervals: integer("Number of intervals that were compared, over all days.", 40),
    mean_actual_kw: kw("Mean load in the compared intervals, in kW.", 480),
    bias_kw: kw(
      "Mean of baseline minus load, in kW. Above 0, the method shows reductions that nobody made; below 0, it hides some.",
      12,
    ),
    relative_bias: nullable(
      ratio(
        "`bias_kw` divided by `mean_actual_kw`; null if that is null or 0. Where a site exports, `mean_actual_kw` is negative, and the sign is the opposite of that of `bias_kw`.",
        0.025,
      ),
    ),
    rmse_kw: kw(
      "Root mean square error: the square root of the mean of the squares of baseline minus load, in kW.",
      36,
    ),
    relative_rmse: nullable(ratio("`rmse_kw` divided by `mean_actual_kw`; null if that is null, 0 or below.", 0.075)),
  },
  { $id: "MethodAccuracy", description: "How far the baselines of a method were from the load of a site." },
);

export const BaselineAccuracy = Type.Object(
  {
    site_id: id("site"),
    program_id: id("program"),
    timezone: timezone("Time zone of the program, which days and times refer to."),
    methods: Type.Array(MethodAccuracy, { description: "The methods, in the order of the request." }),
  },
  { $id: "BaselineAccuracy", description: "How far baselines were from the load on days without a dispatch." },
);
export type BaselineAccuracy = Static<typeof BaselineAccuracy>;

export const getBaselineAccuracy = endpoint({
  id: "getBaselineAccuracy",
  method: "GET",
  path: "/sites/{id}/baseline-accuracy",
  tag: "Performance",
  summary: "Retrieve the accuracy of baseline methods at a site",
  description:
    "Tries methods on the latest days of the last year on which the site had no dispatch: assumes one at the given local time, computes its baseline as for a dispatch, and compares it with the load. Holidays of the program are not tried, nor is today. A day with too few readings or without a baseline is listed in `left_out` and not replaced. The site need not be enrolled. An unknown preset gets 400. Nothing is stored.",
  params: byId("site"),
  query: Type.Object({
    program_id: id("program", "Program whose time zone, holidays, limits and baseline apply."),
    start: Type.String({
      pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$",
      description: "Local time of the assumed start, HH:MM.",
      examples: ["14:00"],
    }),
    minutes: integer("Length of the assumed dispatch in minutes.", 120, { minimum: 1, maximum: 1440 }),
    days: Type.Optional(integer("Maximum number of days to try. Default: 10.", 10, { minimum: 1, maximum: 30 })),
    day_type: Type.Optional(Type.Enum([...TRIAL_DAY_TYPES], { description: "Type of the days. Default: `weekday`." })),
    lead_minutes: Type.Optional(
      integer("Time between the assumed notification and the start, in minutes. Default: 0.", 60, {
        minimum: 0,
        maximum: 10_080,
      }),
    ),
    interval_seconds: Type.Optional(
      Type.Enum([...COMPARED_SECONDS], {
        description:
          "Length of the intervals to compare, in seconds. Default: that of each method, or 300 if it has none. Errors of methods are comparable only in the same intervals.",
      }),
    ),
    preset: Type.Optional(
      Type.Array(string("Id of a preset.", "ten_of_ten"), {
        maxItems: 10,
        description: "Presets to try. Default: the method that dispatches of the program use for the site.",
      }),
    ),
  }),
  reply: BaselineAccuracy,
});
