/**
 * How a baseline is computed, as plain JSON data: it is stored with a program and travels over an API, hence the
 * snake_case. `methodFaults` validates unknown values; `presets` has common methods.
 */
export type BaselineMethod = DaysMethod | MeterBeforeMethod | FlatMethod | FirmServiceLevelMethod;

/** Pool of earlier days, some of them picked, averaged for each local time of day, then adjusted. */
export interface DaysMethod {
  readonly kind: "days";
  /** Resolution of the baseline in seconds: one of `INTERVAL_SECONDS`. */
  readonly interval_seconds: number;
  /** The first rule for the type of the dispatch's day applies; without one there is no baseline. */
  readonly rules: readonly DayRule[];
  readonly average: Average;
  readonly adjust: Adjustment;
  /** Whether the baseline may be negative (export); otherwise it is clipped at zero. */
  readonly allow_negative: boolean;
  /** Used if there are too few days; null: no baseline then. */
  readonly fallback: MeterBeforeMethod | null;
}

/** Mean load of the last `seconds` before the anchor, held constant. */
export interface MeterBeforeMethod {
  readonly kind: "meter_before";
  readonly seconds: number;
  readonly anchor: Anchor;
}

/** An agreed baseline in kW. */
export interface FlatMethod {
  readonly kind: "flat";
  readonly kw: number;
}

/**
 * Drop-to: a site complies while its load is at or below the level. A reduction is defined only against a reference.
 */
export interface FirmServiceLevelMethod {
  readonly kind: "firm_service_level";
  readonly level_kw: number;
  readonly reference_kw: number | null;
}

/** The instant that windows are counted back from: the start of the dispatch, or its notification. */
export type Anchor = "start" | "notification";

export const INTERVAL_SECONDS = [30, 60, 300, 900, 1800, 3600] as const;

/** Type of a local day. A holiday counts as neither weekday, Saturday nor Sunday. */
export const DAY_TYPES = ["weekday", "saturday", "sunday", "holiday"] as const;
export type DayType = (typeof DAY_TYPES)[number];

export interface DayRule {
  readonly pool: Pool;
  readonly pick: Pick;
}

/** The latest `days` days of the given types within `lookback_days` calendar days before the dispatch. */
export interface Pool {
  /** Types of day that the rule applies to, and that its pool contains. Holidays are excluded unless listed. */
  readonly day_types: readonly DayType[];
  readonly lookback_days: number;
  readonly days: number;
  /** With fewer days there is no baseline. */
  readonly min_days: number;
  /** Days that were dropped for another dispatch fill the pool up to `min_days`, those of the highest load first (M14). */
  readonly fill?: "highest_event_days" | null;
  readonly exclude: Exclusion;
}

export interface Exclusion {
  /** Exclude days with another dispatch. */
  readonly event: boolean;
  /** Exclude days that lack an interval. */
  readonly incomplete: boolean;
  /** Replace days whose event-period mean is below this fraction of the pool's; null: keep them. */
  readonly low_usage: number | null;
}

/** By the mean over the event period, the energy of the whole local day, or each interval separately. */
export const RANKINGS = ["event_mean", "daily_energy", "per_interval"] as const;
export type RankBy = (typeof RANKINGS)[number];

export type Pick =
  | { readonly kind: "all" }
  | { readonly kind: "high"; readonly count: number; readonly rank_by: RankBy }
  | {
      readonly kind: "middle";
      readonly drop_highest: number;
      readonly drop_lowest: number;
      readonly rank_by: RankBy;
    }
  /**
   * The days whose load in the window is closest to that of the dispatch's day, by the sum of squares over its intervals.
   * The window may extend beyond the start, with negative minutes: intervals of the dispatch itself do not count (M13).
   */
  | { readonly kind: "match"; readonly count: number; readonly window: Window };

/**
 * `rolling`: begins with the mean of the oldest `seed_days` days (`SEED_DAYS` unless given); of those after it, each
 * counts `alpha`, and all before it together 1 − alpha (M7).
 */
export type Average =
  | { readonly kind: "mean" }
  | { readonly kind: "rolling"; readonly alpha: number; readonly seed_days?: number };

export const SEED_DAYS = 10;

/** From `from_minutes_before` to `to_minutes_before` the anchor; only intervals entirely inside count. */
export interface Window {
  readonly anchor: Anchor;
  readonly from_minutes_before: number;
  readonly to_minutes_before: number;
}

/** Limits are kW for an additive adjustment and a ratio for a multiplicative one; null: no limit. */
export type Adjustment =
  | { readonly kind: "none" }
  | {
      readonly kind: "additive" | "multiplicative";
      readonly window: Window;
      readonly lowest: number | null;
      readonly highest: number | null;
    };
