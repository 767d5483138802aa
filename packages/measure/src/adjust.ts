import type { LoadSeries, Period } from "./load-series.js";
import { intervalsInside, type LocalInterval, meanIn } from "./local-interval.js";
import type { Adjustment, Anchor, Window } from "./method.js";
import type { Calendar } from "./pool.js";
import { nullIfNaN } from "./reduction.js";

/** The instants that windows are counted back from, in Unix milliseconds. */
export type AnchorsMs = Readonly<Record<Anchor, number>>;

/** How a baseline was adjusted. The unit of `raw` and `applied` is kW (additive) or 1 (multiplicative). */
export interface AppliedAdjustment {
  readonly kind: "additive" | "multiplicative";
  readonly windowStartMs: number;
  readonly windowEndMs: number;
  /** Hours by which the window was moved earlier, past another dispatch of the site and its recovery (M3); absent: 0. */
  readonly movedHours?: number;
  readonly intervalsExpected: number;
  /** Intervals of the window that have both load and baseline; both means cover these. */
  readonly intervalsUsed: number;
  readonly intervals: readonly ComparedInterval[];
  readonly actualMeanKw: number | null;
  readonly baselineMeanKw: number | null;
  /** Before the limits are applied; null if undefined. */
  readonly raw: number | null;
  /** After the limits are applied; 0 or 1 if nothing was applied. */
  readonly applied: number;
  /** Why nothing was applied; null if it was. */
  readonly notApplied: string | null;
}

/** Load and unadjusted baseline in an interval of the window; null where unknown. */
export interface ComparedInterval {
  readonly startMs: number;
  readonly endMs: number;
  readonly actualKw: number | null;
  readonly baselineKw: number | null;
}

/** M4: what was recorded after the start was not notified later than it. */
export const anchorsOf = ({ startMs, notificationMs }: AnchorTerms): AnchorsMs => ({
  start: startMs,
  notification: Math.min(notificationMs, startMs),
});

/** Instants of a dispatch in Unix milliseconds. */
export interface AnchorTerms {
  readonly startMs: number;
  /** The start counts, if this is later. */
  readonly notificationMs: number;
}

type Adjusting = Exclude<Adjustment, { kind: "none" }>;

/**
 * The period of a window, counted back from its anchor:
 *
 *     |<---- from_minutes_before ---->|
 *     [== window ==]<-----------------|   to_minutes_before
 *                                  anchor
 */
export const windowPeriod = (window: Window, anchors: AnchorsMs): Period => ({
  startMs: anchors[window.anchor] - window.from_minutes_before * 60_000,
  endMs: anchors[window.anchor] - window.to_minutes_before * 60_000,
});

/** A window moves earlier by so many hours at most. */
const MOST_MOVED_HOURS = 4;
const HOUR_MS = 3_600_000;
export const MOST_MOVED_MS = MOST_MOVED_HOURS * HOUR_MS;

/** The window of an adjustment. */
export interface AdjustmentWindow extends Period {
  readonly movedHours: number;
  /** Whether no other dispatch meets it; where none is free, it is the one before any move. */
  readonly isFree: boolean;
}

/**
 * The window, moved earlier hour by hour until it is free of other dispatches. `busy`: these with their recovery.
 *
 *     busy                         [ dispatch | recovery ]
 *     as counted back                                  [window] anchor
 *     1 hour earlier                         [window]           still meets it
 *     2 hours earlier              [window]                     still meets it
 *     3 hours earlier    [window]                               free
 */
export const adjustmentWindow = (
  adjust: Adjustment,
  { anchors, busy }: { readonly anchors: AnchorsMs; readonly busy: readonly Period[] },
): AdjustmentWindow | null => {
  if (adjust.kind === "none") return null;
  const { startMs, endMs } = windowPeriod(adjust.window, anchors);
  for (let movedHours = 0; movedHours <= MOST_MOVED_HOURS; movedHours++) {
    const moved = { startMs: startMs - movedHours * HOUR_MS, endMs: endMs - movedHours * HOUR_MS };
    if (busy.some((each) => each.startMs < moved.endMs && each.endMs > moved.startMs)) continue;
    return { ...moved, movedHours, isFree: true };
  }
  return { startMs, endMs, movedHours: 0, isFree: false };
};

/** What an adjustment is computed from. */
export interface Adjustable {
  readonly load: LoadSeries;
  readonly calendar: Pick<Calendar, "intervalSeconds" | "time">;
  readonly window: AdjustmentWindow;
}

/** Compares load and unadjusted baseline in the window. `baselineAt` gives kW for an interval of it. */
export const adjustmentFor = (
  adjust: Adjusting,
  { load, calendar, window }: Adjustable,
  baselineAt: (interval: LocalInterval) => number,
): AppliedAdjustment => {
  const { startMs, endMs, movedHours, isFree } = window;
  // Only intervals entirely inside, so that none extends past the anchor.
  const inside = isFree ? intervalsInside(window, calendar.intervalSeconds, calendar.time) : [];
  const intervals = inside.map((interval) => compared(load, interval, baselineAt));
  const means = meansOf(intervals);
  const { raw, notApplied } = isFree ? rawOf(adjust.kind, means, intervals) : NOT_FREE;
  const neutral = adjust.kind === "additive" ? 0 : 1;
  return {
    kind: adjust.kind,
    windowStartMs: startMs,
    windowEndMs: endMs,
    ...(movedHours === 0 ? {} : { movedHours }),
    intervalsExpected: intervals.length,
    intervalsUsed: means.used,
    intervals,
    actualMeanKw: means.used === 0 ? null : means.actualKw,
    baselineMeanKw: means.used === 0 ? null : means.baselineKw,
    raw,
    applied: raw === null || notApplied !== null ? neutral : bounded(raw, adjust),
    notApplied,
  };
};

/** A baseline value with the adjustment applied. */
export const adjusted = (kw: number, { kind, applied }: AppliedAdjustment): number =>
  kind === "additive" ? kw + applied : kw * applied;

interface Means {
  readonly actualKw: number;
  readonly baselineKw: number;
  readonly used: number;
}

const compared = (
  load: LoadSeries,
  interval: LocalInterval,
  baselineAt: (interval: LocalInterval) => number,
): ComparedInterval => ({
  startMs: interval.startSeconds * 1000,
  endMs: interval.endSeconds * 1000,
  actualKw: nullIfNaN(meanIn(load, interval)),
  baselineKw: nullIfNaN(baselineAt(interval)),
});

const meansOf = (intervals: readonly ComparedInterval[]): Means => {
  let [actual, baseline, used] = [0, 0, 0];
  for (const { actualKw, baselineKw } of intervals) {
    if (actualKw === null || baselineKw === null) continue;
    actual += actualKw;
    baseline += baselineKw;
    used += 1;
  }
  return { actualKw: actual / used, baselineKw: baseline / used, used };
};

interface Raw {
  readonly raw: number | null;
  readonly notApplied: string | null;
}

const NOT_FREE: Raw = {
  raw: null,
  notApplied: `the window, moved up to ${MOST_MOVED_HOURS} hours earlier, always meets another dispatch of the site or the hour after it`,
};

const rawOf = (
  kind: Adjusting["kind"],
  { actualKw, baselineKw, used }: Means,
  intervals: readonly ComparedInterval[],
): Raw => {
  if (used === 0) return { raw: null, notApplied: "no interval of the window has both a reading and a baseline" };
  if (kind === "multiplicative" && baselineKw <= 0) {
    return {
      raw: null,
      notApplied: `the baseline's mean in the window is ${baselineKw} kW; a ratio needs a mean above 0`,
    };
  }
  if (kind === "multiplicative" && actualKw < 0) {
    return {
      raw: null,
      notApplied: `the load's mean in the window is ${actualKw} kW; a ratio needs a mean of 0 or more`,
    };
  }
  const raw = kind === "additive" ? actualKw - baselineKw : actualKw / baselineKw;
  // The same share that a coarse interval needs to count (see coarsen).
  if (used * 2 < intervals.length) {
    return {
      raw,
      notApplied: `${used} of ${intervals.length} intervals of the window have ${wantedIn(intervals)}; at least half are required`,
    };
  }
  return { raw, notApplied: null };
};

/** A day before the dispatch may have no baseline (M9). */
const wantedIn = (intervals: readonly ComparedInterval[]): string =>
  intervals.some(({ actualKw, baselineKw }) => actualKw !== null && baselineKw === null)
    ? "both a reading and a baseline"
    : "readings";

const bounded = (raw: number, { lowest, highest }: Adjusting): number =>
  Math.min(Math.max(raw, lowest ?? Number.NEGATIVE_INFINITY), highest ?? Number.POSITIVE_INFINITY);
