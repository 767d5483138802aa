import type { BaselineExplanation, DaysExplanation } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { DATE_LOCALE, NUMBER_LOCALE } from "../format/locale.js";
import { count, power } from "../format/quantity.js";
import { clock, period } from "../format/time.js";
import { whyNoBaseline } from "../rules/service-sentences.js";
import { choiceWords } from "./performance-days.js";

type Adjustment = NonNullable<DaysExplanation["adjustment"]>;
type MeterBefore = Extract<BaselineExplanation, { readonly kind: "meter_before" }>;

/** How a baseline was computed, in sentences. */
export const baselineWords = (explained: BaselineExplanation, timeZone: string): string[] => {
  switch (explained.kind) {
    case "days":
      return daysWords(explained);
    case "meter_before":
      return meterBeforeWords(explained, timeZone);
    case "flat":
      return [say("The baseline is the agreed constant {power}.", { power: power(explained.kw) })];
    case "firm_service_level":
      return [
        say("The site must stay at or below {power}.", { power: power(explained.level_kw) }),
        explained.reference_kw === null
          ? say("No reference load is agreed, so compliance is measured instead of reduction.")
          : say("Reduction is measured from the agreed reference load of {power}.", {
              power: power(explained.reference_kw),
            }),
      ];
  }
};

const daysWords = (explained: DaysExplanation): string[] => {
  const { adjustment, timezone, later_days, other_days } = explained;
  const rest = [
    ...later_days.map((day) => dayWords(day, "within")),
    ...other_days.map((day) => dayWords(day, day.event_date < explained.event_date ? "before" : "after")),
  ];
  const words = choiceWords(explained).join(" ");
  const first = rest.length === 0 ? words : ofDay(explained.event_date, "within", words);
  return [first, ...rest, ...adjustmentWords(adjustment, timezone)];
};

type Day = DaysExplanation["later_days"][number];

/** Where a day is as seen from the dispatch. */
type Where = "before" | "within" | "after";

const dayWords = (day: Day, where: Where): string =>
  ofDay(
    day.event_date,
    where,
    day.reason === null
      ? choiceWords(day).join(" ")
      : say("no baseline: {reason}.", { reason: whyNoBaseline(day.reason) }),
  );

const ofDay = (date: string, where: Where, words: string): string =>
  say(
    "{where, select, before {On {day}, before the dispatch: {words}} after {On {day}, after the dispatch: {words}} other {On {day}: {words}}}",
    { where, day: dayName(date), words },
  );

const adjustmentWords = (adjustment: DaysExplanation["adjustment"], timeZone: string): string[] => {
  if (adjustment === null) return [say("The baseline is not adjusted to the day.")];
  const { window_start, window_end, moved_hours, actual_mean_kw, baseline_mean_kw, not_applied } = adjustment;
  if (not_applied !== null) return [say("The baseline is not adjusted to the day: {reason}.", { reason: not_applied })];
  const moved =
    moved_hours === 0
      ? []
      : [
          say(
            "{n, plural, one {The window was moved # hour earlier, to before another dispatch of the site.} other {The window was moved # hours earlier, to before another dispatch of the site.}}",
            { n: moved_hours },
          ),
        ];
  const used = say("From {start} to {end} the site used {used} on average; the chosen days averaged {averaged}.", {
    start: clock(window_start, timeZone),
    end: clock(window_end, timeZone),
    used: power(actual_mean_kw),
    averaged: power(baseline_mean_kw),
  });
  return [...moved, `${used} ${appliedWords(adjustment)}`];
};

const factor = new Intl.NumberFormat(NUMBER_LOCALE, { minimumFractionDigits: 3, maximumFractionDigits: 3 });

const appliedWords = ({ kind, raw, applied }: Adjustment): string => {
  const isMultiplied = kind === "multiplicative";
  const written = isMultiplied ? (value: number) => factor.format(value) : power;
  const values = {
    how: isMultiplied ? "multiplied" : applied >= 0 ? "added" : "subtracted",
    amount: written(isMultiplied ? applied : Math.abs(applied)),
  };
  return raw === null || Math.abs(raw - applied) <= 1e-9
    ? say(
        "{how, select, multiplied {Therefore the baseline is multiplied by {amount}.} added {Therefore {amount} is added to the baseline.} other {Therefore {amount} is subtracted from the baseline.}}",
        values,
      )
    : say(
        "{how, select, multiplied {Therefore the baseline is multiplied by {amount}, the limit of the method (without it: {raw}).} added {Therefore {amount} is added to the baseline, the limit of the method (without it: {raw}).} other {Therefore {amount} is subtracted from the baseline, the limit of the method (without it: {raw}).}}",
        { ...values, raw: written(raw) },
      );
};

const meterBeforeWords = (explained: MeterBefore, timeZone: string): string[] => {
  const { anchor, window_start, window_end, mean_kw, cells_used, cells_expected, because } = explained;
  const window = period(window_start, window_end, timeZone);
  return [
    ...(because === undefined
      ? []
      : [say("A baseline from earlier days could not be calculated: {reason}.", { reason: because })]),
    mean_kw === null
      ? say(
          "{anchor, select, start {The load before the start, {window}, would be the baseline, but has no readings.} other {The load before the participant was notified, {window}, would be the baseline, but has no readings.}}",
          { anchor, window },
        )
      : say(
          "{anchor, select, start {The baseline is the average load before the start, {window}: {power}, held constant.} other {The baseline is the average load before the participant was notified, {window}: {power}, held constant.}}",
          { anchor, window, power: power(mean_kw) },
        ),
    say("{n} of {all} 30-second intervals of that period have readings.", {
      n: count(cells_used),
      all: count(cells_expected),
    }),
  ];
};

/** A local day as `Mon 29 Aug 2022`. */
export const dayName = (date: string): string =>
  new Intl.DateTimeFormat(DATE_LOCALE, {
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    timeZone: "UTC",
  }).format(new Date(`${date}T00:00:00Z`));
