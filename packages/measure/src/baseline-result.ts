import type { AppliedAdjustment } from "./adjust.js";
import type { LoadProfile } from "./load-profile.js";
import type { LoadSeries, Period } from "./load-series.js";
import type { Anchor, DayType } from "./method.js";
import type { DroppedDay } from "./pool.js";

/** Inputs of a baseline. Instants are Unix milliseconds, local days `YYYY-MM-DD`. */
export interface BaselineRequest {
  /** Load of the site for the look-back and the dispatch's own day, on the method's grid or one that divides it. */
  readonly load: LoadSeries;
  /** Local days of the look-back by number, in the method's intervals: they take the place of `load` on these days. */
  readonly profiles?: ReadonlyMap<number, LoadProfile>;
  /** Finer load around the dispatch, on 30 s cells, for meter-before; default: `load`. */
  readonly recent?: LoadSeries;
  /** The dispatch. An open end counts as the end of the last local day of the curve. */
  readonly dispatch: { readonly startMs: number; readonly endMs: number | null; readonly notificationMs: number };
  /** IANA name of the time zone that local days are in. */
  readonly timezone: string;
  readonly holidays: readonly string[];
  /** Local days with another dispatch of the site. */
  readonly eventDays: readonly string[];
  /** Local days that an operator excluded, which are in no pool (M15). */
  readonly excludedDays?: readonly ExcludedDay[];
  /** Other dispatches of the site, which no adjustment window may meet (M3); the explanation names them by their ids. */
  readonly otherEvents?: readonly OtherDispatch[];
  /**
   * Rules of measuring. 1: a day that lacks any interval is incomplete. 2, unless given: only one that lacks an interval of the
   * hours that are used: the dispatch's, those of the windows and of the curve; and where days are ranked by daily energy, an eighth of any.
   */
  readonly rulesVersion?: 1 | 2;
  /** Period of the returned curve: the dispatch and up to an hour on either side, which `inputsOf` counts on. */
  readonly curve: Period;
}

/** A local day that an operator excluded from the look-back of a site. */
export interface ExcludedDay {
  readonly date: string;
  readonly reason: string;
}

/** Another dispatch of the site. */
export interface OtherDispatch extends Period {
  readonly id?: string;
}

/**
 * A baseline, or the reason why there is none; never a silent zero. `provisional` until its last input has arrived:
 * load up to the end of its window and, if days are ranked by the dispatch's period, up to the end of that.
 */
export type Baseline =
  | {
      readonly state: "found";
      /** kW; NaN if no chosen day has load at that time of day. */
      readonly curve: LoadSeries;
      /** The same before adjustment and clipping. */
      readonly unadjusted: LoadSeries;
      readonly provisional: boolean;
      readonly explanation: Explanation;
    }
  | {
      readonly state: "none";
      readonly reason: string;
      readonly provisional: boolean;
      readonly explanation: Explanation;
    };

export type Explanation = DaysExplanation | MeterBeforeExplanation | FlatExplanation | FirmServiceLevelExplanation;

export interface ConsideredDay {
  readonly date: string;
  readonly eventMeanKw: number;
  /** Where days are ranked by it, with what the pool had on average in intervals without load (not by the first rules). */
  readonly energyKwh: number;
  /** Intervals without load; the day's other intervals still count. */
  readonly missingIntervals: number;
  /** kW in each of the `intervals`; null without load. */
  readonly kw: ReadonlyArray<number | null>;
}

export interface DaysExplanation {
  readonly kind: "days";
  readonly timezone: string;
  readonly intervalSeconds: number;
  /** The local day that has the baseline: the first of the dispatch. */
  readonly eventDate: string;
  readonly eventDayType: DayType;
  /**
   * Local start times `HH:MM:SS` of the intervals of the day that the baseline was averaged in: of the curve and of the
   * windows.
   */
  readonly intervals: readonly string[];
  /** The pool, latest first. */
  readonly pool: readonly ConsideredDay[];
  readonly dropped: readonly DroppedDay[];
  /** Days of the pool that took part in another dispatch, since there were too few others; absent if there are none. */
  readonly filledWith?: readonly string[];
  /** The days picked, highest-ranking first; null if days are picked per interval. */
  readonly chosen: readonly string[] | null;
  /** For `per_interval`: the days picked for each of the `intervals`, by local start time `HH:MM:SS`. */
  readonly chosenByInterval: Readonly<Record<string, readonly string[]>> | null;
  /** For `match`: sums of squares over the window's intervals, nearest first; null: not comparable. */
  readonly distances?: ReadonlyArray<{ readonly date: string; readonly kw2: number | null }>;
  /** null for a method without adjustment. */
  readonly adjustment: AppliedAdjustment | null;
  /** Of a dispatch over several local days: the days after the first, each with its own pool (M9). */
  readonly laterDays?: readonly DayExplanation[];
  /** Local days before and after the dispatch that the curve or the adjustment needed a baseline on, in order (M9). */
  readonly otherDays?: readonly DayExplanation[];
  /** Look-back days that were dropped for gaps; absent by the first rules, and where there are fewer than two. */
  readonly gapDays?: GapDays;
}

/** Look-back days of a site that were dropped since readings are missing, and what the site gains by it (G65). */
export interface GapDays {
  /** In order. */
  readonly days: readonly string[];
  /** Mean of the baseline in the dispatch, less what it would be with them and the readings that they have; null: unknown. */
  readonly gainKw: number | null;
}

/** How a local day got its baseline. */
export interface DayExplanation
  extends Pick<
    DaysExplanation,
    | "eventDate"
    | "eventDayType"
    | "intervals"
    | "pool"
    | "dropped"
    | "filledWith"
    | "chosen"
    | "chosenByInterval"
    | "distances"
  > {
  /** Why the day has no baseline; null if it has. */
  readonly reason: string | null;
}

export interface MeterBeforeExplanation {
  readonly kind: "meter_before";
  readonly anchor: Anchor;
  readonly windowStartMs: number;
  readonly windowEndMs: number;
  readonly cellsExpected: number;
  readonly cellsUsed: number;
  /** kW of each cell of the window; null without load. */
  readonly kw: ReadonlyArray<number | null>;
  readonly meanKw: number | null;
  /** For a fallback: what was tried first, and why it failed. */
  readonly insteadOf?: DaysExplanation;
  readonly because?: string;
}

export interface FlatExplanation {
  readonly kind: "flat";
  readonly kw: number;
}

export interface FirmServiceLevelExplanation {
  readonly kind: "firm_service_level";
  readonly levelKw: number;
  readonly referenceKw: number | null;
}
