import type { BaselineExplanation, DaysExplanation } from "@curtail/contract";
import { count, counted, power } from "../format/quantity.js";
import { clock, period } from "../format/time.js";

type Adjustment = NonNullable<DaysExplanation["adjustment"]>;
type MeterBefore = Extract<BaselineExplanation, { readonly kind: "meter_before" }>;

/** How a baseline came about, in sentences. */
export const baselineWords = (explained: BaselineExplanation, timeZone: string): string[] => {
  switch (explained.kind) {
    case "days":
      return daysWords(explained);
    case "meter_before":
      return meterBeforeWords(explained, timeZone);
    case "flat":
      return [`The baseline is the agreed ${power(explained.kw)}, the same all the time.`];
    case "firm_service_level":
      return [
        `The site has to stay at or below ${power(explained.level_kw)}.`,
        explained.reference_kw === null
          ? "No reference is agreed, so there is no reduction to be measured: compliance is."
          : `Reductions are counted from the agreed reference of ${power(explained.reference_kw)}.`,
      ];
  }
};

const daysWords = ({ pool, chosen, chosen_by_interval, adjustment, timezone, event_day_type }: DaysExplanation) => {
  const pooled = `${counted(pool.length, "day")} before this ${event_day_type} ${pool.length === 1 ? "is" : "are"} comparable.`;
  const picked =
    chosen_by_interval !== null
      ? "Each interval takes the days with the highest load at its time of day; the baseline is their mean."
      : `${count(chosen?.length ?? 0)} of them ${chosen?.length === 1 ? "was" : "were"} chosen, and the baseline is their mean load at each time of day.`;
  return [pooled, ...(pool.length === 0 ? [] : [picked]), ...adjustmentWords(adjustment, timezone)];
};

const adjustmentWords = (adjustment: DaysExplanation["adjustment"], timeZone: string): string[] => {
  if (adjustment === null) return ["It is not adjusted to the day."];
  const { window_start, window_end, actual_mean_kw, baseline_mean_kw, not_applied } = adjustment;
  if (not_applied !== null) return [`It is not adjusted to the day: ${not_applied}.`];
  return [
    `From ${clock(window_start, timeZone)} to ${clock(window_end, timeZone)} the site used ${power(actual_mean_kw)} on average, where the chosen days used ${power(baseline_mean_kw)}: ${appliedWords(adjustment)}.`,
  ];
};

const appliedWords = ({ kind, raw, applied }: Adjustment): string => {
  const limited = raw !== null && Math.abs(raw - applied) > 1e-9;
  if (kind === "multiplicative")
    return `the baseline is multiplied by ${applied.toFixed(3)}${limited ? `, which is as far as the method goes (it would have been ${raw.toFixed(3)})` : ""}`;
  const moved =
    applied >= 0 ? `${power(applied)} is added to the baseline` : `${power(-applied)} is taken off the baseline`;
  return `${moved}${limited ? `, which is as far as the method goes (it would have been ${power(raw)})` : ""}`;
};

const meterBeforeWords = (explained: MeterBefore, timeZone: string): string[] => {
  const { anchor, window_start, window_end, mean_kw, cells_used, cells_expected, because } = explained;
  const window = period(window_start, window_end, timeZone);
  const before = anchor === "start" ? "before the start" : "before the site was told";
  return [
    ...(because === undefined ? [] : [`The method of earlier days could not be used: ${because}.`]),
    mean_kw === null
      ? `The load ${before}, ${window}, would be the baseline, and is not known.`
      : `The baseline is the mean load ${before}, ${window}: ${power(mean_kw)}, held flat.`,
    `${count(cells_used)} of ${count(cells_expected)} half-minutes of that time have readings.`,
  ];
};

/** `Mon 29 Aug 2022` of a local day. */
export const dayName = (date: string): string =>
  new Intl.DateTimeFormat("en-GB", {
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    timeZone: "UTC",
  }).format(new Date(`${date}T00:00:00Z`));
