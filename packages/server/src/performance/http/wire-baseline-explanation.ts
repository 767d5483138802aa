import type { BaselineExplanation } from "@curtail/contract";
import { rounded } from "../../platform/rounded.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { SiteReport } from "../operations/measure-dispatch.js";

type Explanation = SiteReport["site"]["explanation"];
type DaysExplanation = Extract<Explanation, { readonly kind: "days" }>;

export const explanationToWire = (explanation: Explanation): BaselineExplanation => {
  switch (explanation.kind) {
    case "days":
      return daysToWire(explanation);
    case "meter_before": {
      const { insteadOf, because } = explanation;
      return {
        kind: "meter_before",
        anchor: explanation.anchor,
        window_start: formatTimestamp(explanation.windowStartMs),
        window_end: formatTimestamp(explanation.windowEndMs),
        cells_expected: explanation.cellsExpected,
        cells_used: explanation.cellsUsed,
        kw: explanation.kw.map((kw) => rounded(kw)),
        mean_kw: rounded(explanation.meanKw),
        ...(insteadOf === undefined ? {} : { instead_of: daysToWire(insteadOf) }),
        ...(because === undefined ? {} : { because }),
      };
    }
    case "flat":
      return { kind: "flat", kw: explanation.kw };
    case "firm_service_level":
      return {
        kind: "firm_service_level",
        level_kw: explanation.levelKw,
        reference_kw: rounded(explanation.referenceKw),
      };
  }
};

const daysToWire = (explanation: DaysExplanation) => ({
  kind: "days" as const,
  timezone: explanation.timezone,
  interval_seconds: explanation.intervalSeconds,
  ...choiceToWire(explanation),
  adjustment: adjustmentToWire(explanation.adjustment),
  // Results that were stored before had one day.
  later_days: (explanation.laterDays ?? []).map(dayToWire),
  other_days: (explanation.otherDays ?? []).map(dayToWire),
});

type Day = NonNullable<DaysExplanation["laterDays"]>[number];

const dayToWire = (day: Day) => ({ ...choiceToWire(day), reason: day.reason });

const choiceToWire = (explanation: Omit<Day, "reason">) => ({
  event_date: explanation.eventDate,
  event_day_type: explanation.eventDayType,
  intervals: [...explanation.intervals],
  pool: explanation.pool.map((day) => ({
    date: day.date,
    event_mean_kw: rounded(day.eventMeanKw),
    energy_kwh: rounded(day.energyKwh),
    missing_intervals: day.missingIntervals,
    kw: day.kw.map((kw) => rounded(kw)),
  })),
  dropped: explanation.dropped.map(({ date, reason, why, dispatches = [] }) => ({
    date,
    reason,
    why,
    dispatches: [...dispatches],
  })),
  filled_with: [...(explanation.filledWith ?? [])],
  chosen: explanation.chosen === null ? null : [...explanation.chosen],
  chosen_by_interval: byInterval(explanation.chosenByInterval),
  distances: explanation.distances?.map(({ date, kw2 }) => ({ date, kw2: rounded(kw2) })) ?? null,
});

const byInterval = (chosen: DaysExplanation["chosenByInterval"]) =>
  chosen === null ? null : Object.fromEntries(Object.entries(chosen).map(([start, days]) => [start, [...days]]));

const adjustmentToWire = (adjustment: DaysExplanation["adjustment"]) =>
  adjustment === null
    ? null
    : {
        kind: adjustment.kind,
        window_start: formatTimestamp(adjustment.windowStartMs),
        window_end: formatTimestamp(adjustment.windowEndMs),
        moved_hours: adjustment.movedHours ?? 0,
        intervals_expected: adjustment.intervalsExpected,
        intervals_used: adjustment.intervalsUsed,
        intervals: adjustment.intervals.map(({ startMs, endMs, actualKw, baselineKw }) => ({
          start: formatTimestamp(startMs),
          end: formatTimestamp(endMs),
          actual_kw: rounded(actualKw),
          baseline_kw: rounded(baselineKw),
        })),
        actual_mean_kw: rounded(adjustment.actualMeanKw),
        baseline_mean_kw: rounded(adjustment.baselineMeanKw),
        raw: rounded(adjustment.raw),
        applied: rounded(adjustment.applied),
        not_applied: adjustment.notApplied,
      };
