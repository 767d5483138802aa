import type { BaselineExplanation, DaysExplanation } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { DATE_LOCALE } from "../format/locale.js";
import { count, counted, power } from "../format/quantity.js";
import { clock, period } from "../format/time.js";

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
      return [`The baseline is the agreed constant ${power(explained.kw)}.`];
    case "firm_service_level":
      return [
        `The site must stay at or below ${power(explained.level_kw)}.`,
        explained.reference_kw === null
          ? say("No reference load is agreed, so compliance is measured instead of reduction.")
          : `Reduction is measured from the agreed reference load of ${power(explained.reference_kw)}.`,
      ];
  }
};

const daysWords = (explained: DaysExplanation): string[] => {
  const { adjustment, timezone, later_days, other_days } = explained;
  const rest = [
    ...later_days.map((day) => dayWords(day, "")),
    ...other_days.map((day) =>
      dayWords(day, `, ${day.event_date < explained.event_date ? "before" : "after"} the dispatch`),
    ),
  ];
  const first = rest.length === 0 ? "" : `On ${dayName(explained.event_date)}: `;
  return [first + choiceWords(explained).join(" "), ...rest, ...adjustmentWords(adjustment, timezone)];
};

type Day = DaysExplanation["later_days"][number];
type Choice = Omit<Day, "reason">;

const dayWords = (day: Day, where: string): string => {
  const words = day.reason === null ? choiceWords(day).join(" ") : `no baseline: ${day.reason}.`;
  return `On ${dayName(day.event_date)}${where}: ${words}`;
};

const choiceWords = ({ pool, filled_with, chosen, chosen_by_interval, distances, event_day_type }: Choice) => {
  const pooled = `${counted(pool.length, "day")} before this ${event_day_type} ${pool.length === 1 ? "is" : "are"} comparable.`;
  const picked =
    distances !== null
      ? `The ${counted(chosen?.length ?? 0, "day")} whose load is nearest to that of the day of the dispatch are chosen; the baseline is their average.`
      : chosen_by_interval !== null
        ? say(
            "For each interval, the days with the highest load at that time of day are chosen; the baseline is their average.",
          )
        : `${count(chosen?.length ?? 0)} of them ${chosen?.length === 1 ? "was" : "were"} chosen, and the baseline is their average load at each time of day.`;
  const filled =
    filled_with.length === 0
      ? []
      : [`${counted(filled_with.length, "day")} of them had another dispatch: there were too few others.`];
  return [pooled, ...filled, ...(pool.length === 0 ? [] : [picked])];
};

const adjustmentWords = (adjustment: DaysExplanation["adjustment"], timeZone: string): string[] => {
  if (adjustment === null) return [say("The baseline is not adjusted to the day.")];
  const { window_start, window_end, moved_hours, actual_mean_kw, baseline_mean_kw, not_applied } = adjustment;
  if (not_applied !== null) return [`The baseline is not adjusted to the day: ${not_applied}.`];
  const moved =
    moved_hours === 0
      ? []
      : [`The window was moved ${counted(moved_hours, "hour")} earlier, to before another dispatch of the site.`];
  return [
    ...moved,
    `From ${clock(window_start, timeZone)} to ${clock(window_end, timeZone)} the site used ${power(actual_mean_kw)} on average; the chosen days averaged ${power(baseline_mean_kw)}. Therefore ${appliedWords(adjustment)}.`,
  ];
};

const appliedWords = ({ kind, raw, applied }: Adjustment): string => {
  const limited = raw !== null && Math.abs(raw - applied) > 1e-9;
  if (kind === "multiplicative")
    return `the baseline is multiplied by ${applied.toFixed(3)}${limited ? `, the limit of the method (without it: ${raw.toFixed(3)})` : ""}`;
  const moved =
    applied >= 0 ? `${power(applied)} is added to the baseline` : `${power(-applied)} is subtracted from the baseline`;
  return `${moved}${limited ? `, the limit of the method (without it: ${power(raw)})` : ""}`;
};

const meterBeforeWords = (explained: MeterBefore, timeZone: string): string[] => {
  const { anchor, window_start, window_end, mean_kw, cells_used, cells_expected, because } = explained;
  const window = period(window_start, window_end, timeZone);
  const before = anchor === "start" ? say("before the start") : say("before the participant was notified");
  return [
    ...(because === undefined ? [] : [`A baseline from earlier days could not be calculated: ${because}.`]),
    mean_kw === null
      ? `The load ${before}, ${window}, would be the baseline, but has no readings.`
      : `The baseline is the average load ${before}, ${window}: ${power(mean_kw)}, held constant.`,
    `${count(cells_used)} of ${count(cells_expected)} 30-second intervals of that period have readings.`,
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
