import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { baselineOf } from "../src/baseline.js";
import type { Baseline, BaselineRequest, DayExplanation, DaysExplanation } from "../src/baseline-result.js";
import { explainedDays } from "../src/explained-days.js";
import { type LoadSeries, valueAt } from "../src/load-series.js";
import { measureSite } from "../src/measure-site.js";
import { measuredMeters, reportingCells, type SiteMeter } from "../src/meters.js";
import type { BaselineMethod } from "../src/method.js";
import { isTooNew } from "../src/newness.js";
import { limitsFor, STATUS_LIMITS, statusOf } from "../src/status.js";
import type { ToDate } from "../src/totals.js";

// The expected values come from second/baseline.py, by way of second/make_vectors.py. Instants are Unix seconds.

type Pair = readonly [number, number];

interface Formula {
  readonly base: number;
  readonly swing: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
  readonly gaps?: readonly Pair[];
  readonly sparse?: Pair;
  readonly raised?: ReadonlyArray<readonly [number, number, number]>;
}

interface GivenLoad {
  readonly seconds: number;
  readonly from: number;
  readonly to: number;
  readonly formula: Formula;
}

interface ExpectedDay {
  readonly day: string;
  readonly pool: readonly string[];
  readonly filled: readonly string[];
  /** Places in the pool. */
  readonly chosen?: readonly number[] | null;
  readonly chosen_by_interval?: Readonly<Record<string, readonly number[]>>;
  readonly distances?: ReadonlyArray<number | null>;
}

interface ExpectedAdjustment {
  readonly applied: number;
  readonly is_applied: boolean;
  readonly window?: Pair;
  readonly moved_hours?: number;
  readonly raw?: number;
}

interface BaselineCase {
  readonly rule: string;
  readonly name: string;
  /** Its place among the methods. */
  readonly method: number;
  readonly load: GivenLoad;
  readonly recent?: GivenLoad;
  readonly dispatch: { readonly start: number; readonly end: number | null; readonly notification: number };
  readonly timezone: string;
  readonly holidays: readonly string[];
  readonly event_days: readonly string[];
  readonly others: readonly Pair[];
  readonly curve: Pair;
  readonly expected: {
    readonly state: Baseline["state"];
    readonly fallback?: boolean;
    readonly days?: readonly ExpectedDay[];
    readonly adjustment?: ExpectedAdjustment;
    readonly window?: Pair;
    readonly baseline?: {
      readonly start: number;
      readonly seconds: number;
      readonly kw: ReadonlyArray<number | null>;
    };
  };
}

interface PerformanceCase {
  readonly rule: string;
  readonly name: string;
  readonly task: {
    readonly start: number;
    readonly end: number;
    readonly cancelled: number | null;
    readonly commitment: number | null;
    readonly level: number | null;
    readonly reading_seconds: number;
  };
  readonly load: GivenLoad;
  readonly baseline: GivenLoad;
  readonly now: number;
  readonly expected: {
    readonly toDate: ToDate;
    readonly secondsToFull?: number | null;
    readonly secondsToFullHeld?: number | null;
    readonly colour: string;
  };
}

interface Vectors {
  readonly meters: ReadonlyArray<{
    readonly name: string;
    readonly meters: readonly SiteMeter[];
    readonly named: readonly string[] | null;
    readonly expected: readonly string[];
  }>;
  readonly reporting: ReadonlyArray<{
    readonly name: string;
    readonly start: number;
    readonly cells: readonly number[];
    readonly expected: readonly boolean[];
  }>;
  readonly methods: readonly BaselineMethod[];
  readonly baselines: readonly BaselineCase[];
  readonly performance: readonly PerformanceCase[];
  readonly newness: ReadonlyArray<{
    readonly method: BaselineMethod;
    readonly timezone: string;
    readonly holidays: readonly string[];
    readonly start: number;
    readonly notification: number;
    readonly enrolled: number;
    readonly expected: boolean;
  }>;
}

const vectors = JSON.parse(await readFile(new URL("second/vectors.json", import.meta.url), "utf8")) as Vectors;

/** kW in a cell by the formula, which make_vectors.py has, too: in whole numbers and eighths, so without rounding. */
const kwOf = ({ base, swing, a, b, c, d, gaps, sparse, raised }: Formula, cell: number, seconds: number): number => {
  const start = (cell - 1) * seconds;
  const within = ([from, to]: readonly [number, number, ...unknown[]]) => from <= start && start < to;
  if (gaps?.some(within) || (sparse !== undefined && cell % sparse[0] < sparse[1])) return Number.NaN;
  const day = Math.floor(start / 86_400);
  const hour = Math.floor((start - day * 86_400) / 3600);
  const raise = raised?.filter(within).reduce((sum, [, , kw]) => sum + kw, 0) ?? 0;
  return base + swing * Math.min(hour, 24 - hour) + ((cell * a) % b) / 8 + ((day * c) % d) / 4 + raise;
};

const seriesOf = ({ seconds, from, to, formula }: GivenLoad): LoadSeries => {
  const firstCell = Math.floor(from / seconds) + 1;
  const length = Math.floor(to / seconds) - firstCell + 1;
  const values = Float64Array.from({ length }, (_, index) => kwOf(formula, firstCell + index, seconds));
  return { intervalSeconds: seconds, firstCell, values };
};

const periodOf = ([start, end]: Pair) => ({ startMs: start * 1000, endMs: end * 1000 });

const requestOf = (given: BaselineCase): BaselineRequest => ({
  load: seriesOf(given.load),
  ...(given.recent && { recent: seriesOf(given.recent) }),
  dispatch: {
    startMs: given.dispatch.start * 1000,
    endMs: given.dispatch.end === null ? null : given.dispatch.end * 1000,
    notificationMs: given.dispatch.notification * 1000,
  },
  timezone: given.timezone,
  holidays: given.holidays,
  eventDays: given.event_days,
  otherEvents: given.others.map(periodOf),
  curve: periodOf(given.curve),
});

const expectNear = (actual: number | null | undefined, expected: number | null | undefined, what: string) => {
  if (expected === null || expected === undefined || actual === null || actual === undefined) {
    expect(actual ?? null, what).toBe(expected ?? null);
    return;
  }
  const difference = Math.abs(actual - expected);
  expect(difference, `${what}: ${actual}, not ${expected}`).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(expected)));
};

const latestFirst = (dates: readonly string[]) => dates.toSorted().toReversed();

const expectDay = (actual: DayExplanation | DaysExplanation, expected: ExpectedDay) => {
  const dates = (places: readonly number[]) => places.map((place) => expected.pool[place]);
  expect(actual.eventDate).toBe(expected.day);
  expect(
    actual.pool.map(({ date }) => date),
    "pool",
  ).toEqual(expected.pool);
  expect(latestFirst(actual.filledWith ?? []), "filled").toEqual(expected.filled);
  if (expected.chosen === undefined) return;
  if (expected.chosen === null) expect(actual.chosen).toBeNull();
  else expect(latestFirst(actual.chosen ?? []), "chosen").toEqual(dates(expected.chosen));
  const byInterval = Object.entries(expected.chosen_by_interval ?? {}).map(([time, places]) => [time, dates(places)]);
  const actualByInterval = Object.entries(actual.chosenByInterval ?? {}).map(([time, days]) => [
    time,
    latestFirst(days),
  ]);
  expect(Object.fromEntries(actualByInterval), "chosen by interval").toEqual(Object.fromEntries(byInterval));
  for (const [place, kw2] of (expected.distances ?? []).entries()) {
    const date = expected.pool[place];
    expectNear(actual.distances?.find((each) => each.date === date)?.kw2, kw2, `distance of ${date}`);
  }
};

const expectAdjustment = ({ adjustment }: DaysExplanation, expected: ExpectedAdjustment) => {
  expect(adjustment?.notApplied === null, adjustment?.notApplied ?? "applied").toBe(expected.is_applied);
  expectNear(adjustment?.applied, expected.applied, "applied");
  if (expected.raw !== undefined) expectNear(adjustment?.raw, expected.raw, "raw");
  if (expected.window === undefined) return;
  expect(adjustment).toMatchObject({
    windowStartMs: expected.window[0] * 1000,
    windowEndMs: expected.window[1] * 1000,
  });
  expect(adjustment?.movedHours ?? 0, "moved").toBe(expected.moved_hours);
};

const expectDays = (actual: DaysExplanation, { days, adjustment }: BaselineCase["expected"]) => {
  const explained = explainedDays(actual).toSorted((a, b) => (a.eventDate < b.eventDate ? -1 : 1));
  const dates = (days ?? []).map(({ day }) => day);
  if (dates.length > 0) expect(explained.map(({ eventDate }) => eventDate)).toEqual(dates);
  for (const [index, day] of (days ?? []).entries()) {
    const one = explained[index];
    if (one !== undefined) expectDay(one, day);
  }
  if (adjustment !== undefined) expectAdjustment(actual, adjustment);
};

type ExpectedCurve = NonNullable<BaselineCase["expected"]["baseline"]>;

/** The cells of the curve in each interval; all that overlap the asked period are wanted. */
const expectCurve = (curve: LoadSeries, expected: ExpectedCurve, [from, to]: Pair) => {
  for (const [index, kw] of expected.kw.entries()) {
    const start = expected.start + index * expected.seconds;
    const first = Math.floor(Math.max(start, from) / curve.intervalSeconds) + 1;
    const last = Math.ceil(Math.min(start + expected.seconds, to) / curve.intervalSeconds);
    expect((first - 1) * curve.intervalSeconds, "a grid that fits the intervals").toBeGreaterThanOrEqual(start);
    expect(last * curve.intervalSeconds).toBeLessThanOrEqual(start + expected.seconds);
    for (let cell = first; cell <= last; cell++) {
      const actual = valueAt(curve, cell);
      expectNear(Number.isNaN(actual) ? null : actual, kw, `baseline at ${new Date(start * 1000).toISOString()}`);
    }
  }
};

const expectBaseline = (given: BaselineCase) => {
  const { expected } = given;
  const method = vectors.methods[given.method];
  if (method === undefined) throw new Error(`no method ${given.method}`);
  const actual = baselineOf(method, requestOf(given));
  expect(actual.state).toBe(expected.state);
  const { explanation } = actual;
  if (explanation.kind === "days") {
    expect(expected.fallback).toBe(false);
    expectDays(explanation, expected);
  }
  if (explanation.kind === "meter_before") {
    expect([explanation.windowStartMs / 1000, explanation.windowEndMs / 1000]).toEqual(expected.window);
    expect(explanation.insteadOf !== undefined).toBe(expected.fallback ?? false);
    if (explanation.insteadOf) expectDays(explanation.insteadOf, expected);
  }
  if (actual.state === "found" && expected.baseline !== undefined)
    expectCurve(actual.curve, expected.baseline, given.curve);
};

const expectPerformance = ({ task, load, baseline, now, expected }: PerformanceCase) => {
  const actual = measureSite(
    {
      dispatch: {
        startMs: task.start * 1000,
        endMs: task.end * 1000,
        cancelledMs: task.cancelled === null ? null : task.cancelled * 1000,
      },
      baseline: seriesOf(baseline),
      commitmentKw: task.commitment,
      levelKw: task.level,
      readingSeconds: task.reading_seconds,
    },
    seriesOf(load),
    now * 1000,
  );
  for (const [key, value] of Object.entries(expected.toDate)) {
    expectNear(actual.toDate[key as keyof ToDate], value, key);
  }
  for (const key of ["secondsToFull", "secondsToFullHeld"] as const) {
    if (expected[key] !== undefined) expect(actual[key], key).toBe(expected[key]);
  }
  expect(statusOf(actual, now * 1000, limitsFor(STATUS_LIMITS, task.reading_seconds)).colour).toBe(expected.colour);
};

const titled = <Case extends { readonly rule: string; readonly name: string }>(cases: readonly Case[]) =>
  cases.map((each) => [`${each.rule}: ${each.name}`, each] as const);

describe("as the second implementation finds it", () => {
  test.each(vectors.meters)("M1: $name", ({ meters, named, expected }) => {
    expect(measuredMeters(meters, named).map(({ id }) => id)).toEqual(expected);
  });

  test.each(vectors.reporting)("M2: readings of the week before a start $name", ({ start, cells, expected }) => {
    const { first, last } = reportingCells(start * 1000);
    expect(cells.map((cell) => first <= cell && cell <= last)).toEqual(expected);
  });

  test.each(titled(vectors.baselines))("%s", (_, given) => expectBaseline(given));

  test("G64: which sites are too new for their method", () => {
    const found = vectors.newness.map(({ method, start, notification, enrolled, timezone, holidays }) => {
      const startMs = start * 1000;
      const terms = { startMs, endMs: startMs + 3_600_000, notificationMs: notification * 1000, timezone, holidays };
      return isTooNew(method, terms, enrolled * 1000);
    });
    expect(found).toEqual(vectors.newness.map(({ expected }) => expected));
    expect(new Set(found).size).toBe(2);
  });

  test.each(titled(vectors.performance))("%s", (_, given) => expectPerformance(given));
});
