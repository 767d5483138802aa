import { baselineOf } from "../../src/baseline.js";
import type { Baseline, BaselineRequest, DaysExplanation } from "../../src/baseline-result.js";
import { cellsOf, type LoadSeries, type Period, valueAt } from "../../src/load-series.js";
import { dateOf, dayOfDate, localTime } from "../../src/local-time.js";
import type { DaysMethod, Pool } from "../../src/method.js";

/** kW of the interval that starts at an hour (with fraction) of a local day; null: no load. */
export type LoadRule = (date: string, hour: number, startIso: string) => number | null;

/** Hourly load in a zone from one local date to another, inclusive. */
export const hourlyLoad = (timezone: string, [from, to]: readonly [string, string], kwOf: LoadRule): LoadSeries => {
  const time = localTime(timezone);
  const firstCell = Math.ceil(time.startOf(dayOfDate(from)) / 3600) + 1;
  const lastCell = Math.ceil(time.startOf(dayOfDate(to) + 1) / 3600);
  const values = Float64Array.from({ length: lastCell - firstCell + 1 }, (_, index) => {
    const start = (firstCell + index - 1) * 3600;
    const date = dateOf(time.dayOf(start));
    return kwOf(date, time.secondOfDay(start) / 3600, new Date(start * 1000).toISOString()) ?? Number.NaN;
  });
  return { intervalSeconds: 3600, firstCell, values };
};

/** A method over all weekdays before, with changes to its pool and to itself. */
export const weekdays = (pool: Partial<Pool> = {}, method: Partial<DaysMethod> = {}): DaysMethod => ({
  kind: "days",
  interval_seconds: 3600,
  rules: [
    {
      pool: {
        day_types: ["weekday"],
        lookback_days: 30,
        days: 3,
        min_days: 3,
        exclude: { event: true, incomplete: true, low_usage: null },
        ...pool,
      },
      pick: { kind: "all" },
    },
  ],
  average: { kind: "mean" },
  adjust: { kind: "none" },
  allow_negative: true,
  fallback: null,
  ...method,
});

/** A request for a dispatch from `start` to `end`, both ISO 8601, notified at the start. */
export const requestFor = (
  load: LoadSeries,
  [start, end]: readonly [string, string],
  rest: Partial<BaselineRequest> = {},
): BaselineRequest => {
  const period: Period = { startMs: Date.parse(start), endMs: Date.parse(end) };
  return {
    load,
    dispatch: { ...period, notificationMs: period.startMs },
    timezone: "UTC",
    holidays: [],
    eventDays: [],
    curve: period,
    ...rest,
  };
};

export type Found = Extract<Baseline, { state: "found" }> & { readonly explanation: DaysExplanation };

/** The baseline by a days method; fails if there is none. */
export const foundByDays = (method: DaysMethod, request: BaselineRequest): Found => {
  const { explanation, ...baseline } = baselineOf(method, request);
  if (baseline.state === "none") throw new Error(baseline.reason);
  if (explanation.kind !== "days") throw new Error(`explained as ${explanation.kind}`);
  return { ...baseline, explanation };
};

export const valuesIn = (series: LoadSeries, period: Period): number[] => {
  const { first, last } = cellsOf(period, series.intervalSeconds);
  return Array.from({ length: last - first + 1 }, (_, index) => valueAt(series, first + index));
};
