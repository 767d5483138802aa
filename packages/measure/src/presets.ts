import type { Adjustment, BaselineMethod, DayRule, DaysMethod, DayType, Pick, Pool, Window } from "./method.js";

/**
 * A common method under a stable id. "-style": it has the shape of a market's published rules with the given
 * parameters; it is not that market's settlement baseline.
 */
export interface Preset {
  readonly id: string;
  readonly name: string;
  /** Its origin and typical use. */
  readonly rationale: string;
  readonly method: BaselineMethod;
}

const beforeStart = (from: number, to: number): Window => ({
  anchor: "start",
  from_minutes_before: from,
  to_minutes_before: to,
});

const pool = (day_types: readonly DayType[], days: number, rest: Partial<Pool> = {}): Pool => ({
  day_types,
  lookback_days: 45,
  days,
  min_days: days,
  exclude: { event: true, incomplete: true, low_usage: null },
  ...rest,
});

const ratio = (window: Window): Adjustment => ({ kind: "multiplicative", window, lowest: 0.8, highest: 1.2 });

const WEEKDAYS: readonly DayType[] = ["weekday"];
const DAYS_OFF: readonly DayType[] = ["saturday", "sunday", "holiday"];
const NO_ADJUSTMENT: Adjustment = { kind: "none" };

const days = (rules: readonly DayRule[], adjust: Adjustment, intervalSeconds: number): DaysMethod => ({
  kind: "days",
  interval_seconds: intervalSeconds,
  rules,
  average: { kind: "mean" },
  adjust,
  allow_negative: true,
  fallback: null,
});

const high = (count: number, rank_by: "event_mean" | "per_interval" = "event_mean"): Pick => ({
  kind: "high",
  count,
  rank_by,
});
const middle: Pick = { kind: "middle", drop_highest: 1, drop_lowest: 1, rank_by: "daily_energy" };
const all: Pick = { kind: "all" };

const lowUsage: Partial<Pool> = { exclude: { event: true, incomplete: true, low_usage: 0.25 } };

const likeDays = (pick: Pick, intervalSeconds: number): DaysMethod =>
  days(
    [
      { pool: pool(WEEKDAYS, 10), pick },
      { pool: pool(DAYS_OFF, 10), pick },
    ],
    NO_ADJUSTMENT,
    intervalSeconds,
  );

const withAndWithoutRatio = (plain: Preset & { readonly method: DaysMethod }, window: Window): Preset[] => [
  plain,
  {
    ...plain,
    id: `${plain.id}_ratio`,
    name: plain.name.replace("-style)", "-style, ratio)"),
    method: { ...plain.method, adjust: ratio(window) },
  },
];

/** The common methods, in the order to present them to an operator. */
export const presets: readonly Preset[] = [
  {
    id: "high_4_of_5",
    name: "high 4 of 5 (PJM-style)",
    rationale:
      "Customer baseline load of PJM's economic and emergency programs (Manual 11): recent hot days weigh most, and an additive adjustment moves the whole curve to the day. Suits weather-sensitive commercial load.",
    method: days(
      [
        { pool: pool(WEEKDAYS, 5, { min_days: 4, ...lowUsage }), pick: high(4) },
        { pool: pool(["saturday"], 3, { min_days: 2, ...lowUsage }), pick: high(2) },
        { pool: pool(["sunday", "holiday"], 3, { min_days: 2, ...lowUsage }), pick: high(2) },
      ],
      { kind: "additive", window: beforeStart(240, 60), lowest: null, highest: null },
      3600,
    ),
  },
  {
    id: "ten_of_ten",
    name: "10 of 10 (CAISO-style)",
    rationale:
      "California's day matching: plain mean of ten like days, four on days off, scaled by the morning within 20 %. The hour just before the start is excluded, so that early curtailment does not count against a site.",
    method: days(
      [
        { pool: pool(WEEKDAYS, 10), pick: all },
        { pool: pool(DAYS_OFF, 4), pick: all },
      ],
      ratio(beforeStart(240, 60)),
      3600,
    ),
  },
  ...withAndWithoutRatio(
    {
      id: "middle_8_of_10",
      name: "middle 8 of 10 (ERCOT-style)",
      rationale:
        "Texas' emergency response service: the days with the highest and lowest energy are excluded as outliers. Suits steady industrial load.",
      method: likeDays(middle, 900),
    },
    beforeStart(180, 60),
  ),
  ...withAndWithoutRatio(
    {
      id: "high_5_of_10",
      name: "high 5 of 10 (NYISO-style)",
      rationale:
        "New York's average-day baseline: the five highest of ten like days, since dispatches come on days of high load.",
      method: likeDays(high(5), 3600),
    },
    beforeStart(240, 120),
  ),
  {
    id: "weekdays_10_5min",
    name: "10 weekdays, 5-minute (ISO-NE-style)",
    rationale:
      "New England's five-minute baseline, moved by the quarter of an hour before notification: actions after notification cannot raise the baseline.",
    method: days(
      [{ pool: pool(WEEKDAYS, 10), pick: all }],
      {
        kind: "additive",
        window: { anchor: "notification", from_minutes_before: 15, to_minutes_before: 0 },
        lowest: null,
        highest: null,
      },
      300,
    ),
  },
  {
    id: "high_15_of_20_per_hour",
    name: "15 of 20 per hour (IESO-style)",
    rationale:
      "Ontario's high 15 of 20: each hour takes its own fifteen highest of twenty business days, which follows shifted working hours; scaled within 20 %.",
    method: days([{ pool: pool(WEEKDAYS, 20), pick: high(15, "per_interval") }], ratio(beforeStart(240, 60)), 3600),
  },
  {
    id: "meter_before",
    name: "meter before",
    rationale:
      "The load just before notification, held constant. Needs no history. Suits short dispatches, reserves and batteries.",
    method: { kind: "meter_before", seconds: 900, anchor: "notification" },
  },
  {
    id: "firm_service_level",
    name: "firm service level",
    rationale:
      "Drop-to: comply while at or below a level in kW. Set level_kw, 0 here, to the agreed level, and reference_kw (such as a peak load contribution) if a reduction is to be shown too.",
    method: { kind: "firm_service_level", level_kw: 0, reference_kw: null },
  },
];
