import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { baselineOf } from "../src/baseline.js";
import type { Baseline } from "../src/baseline-result.js";
import { dayStages, periodsOfDays } from "../src/day-stages.js";
import { inputsOf } from "../src/inputs.js";
import { cutOf, type LoadProfile, loadProfile } from "../src/load-profile.js";
import { cellsTouching, flatSeries, type LoadSeries, type Period, valueAt } from "../src/load-series.js";
import { dateOf, dayOfDate, localTime } from "../src/local-time.js";
import { lookbackStages, wantsMoreLookback } from "../src/lookback.js";
import type { DaysMethod } from "../src/method.js";
import { presets } from "../src/presets.js";
import { mayHaveGapDays, usedStages } from "../src/used-hours.js";
import { foundByDays, weekdays } from "./support/load.js";
import { methodOf } from "./support/presets.js";
import { wednesday } from "./support/wednesday.js";

const HOUR_MS = 3_600_000;

const shown = (periods: readonly Period[] | undefined) =>
  periods?.map(({ startMs, endMs }) =>
    [startMs, endMs].map((ms) => new Date(ms).toISOString().slice(5, 16)).join(" to "),
  );

test("a full pool of days comes first, without weekends, and the morning of the dispatch with it", () => {
  const [first, spare, rest, ...others] = lookbackStages(methodOf("high_4_of_5"), wednesday);
  expect(shown(first)).toEqual(["07-08T04:00 to 07-11T04:00", "07-13T04:00 to 07-15T17:00"]);
  expect(shown(spare)).toEqual(["07-02T04:00 to 07-04T04:00", "07-06T04:00 to 07-08T04:00"]);
  expect(shown(rest)?.[0]).toBe("06-01T04:00 to 06-06T04:00");
  expect(shown(rest)?.at(-1)).toBe("06-29T04:00 to 07-02T04:00");
  expect(others).toEqual([]);
});

test("holidays and days with events are not read, and earlier ones are instead", () => {
  const terms = { ...wednesday, holidays: ["2026-07-13"], eventDays: ["2026-07-09"] };
  const [first] = lookbackStages(methodOf("high_4_of_5"), terms);
  expect(shown(first)).toEqual([
    "07-06T04:00 to 07-09T04:00",
    "07-10T04:00 to 07-11T04:00",
    "07-14T04:00 to 07-15T17:00",
  ]);
});

test("after a weekend the day before is read, whose end tells that nothing more is to come", () => {
  const monday = {
    ...wednesday,
    startMs: Date.parse("2026-07-13T18:00:00Z"),
    endMs: Date.parse("2026-07-13T22:00:00Z"),
    notificationMs: Date.parse("2026-07-13T16:00:00Z"),
  };
  const [first] = lookbackStages(methodOf("high_4_of_5"), monday);
  expect(shown(first)?.at(-1)).toBe("07-12T04:00 to 07-13T17:00");
});

test("before a Monday at 1:00, the Sundays that its window is compared with are read first, too", () => {
  const monday = {
    ...wednesday,
    startMs: Date.parse("2026-07-13T05:00:00Z"),
    endMs: Date.parse("2026-07-13T07:00:00Z"),
    notificationMs: Date.parse("2026-07-13T03:00:00Z"),
  };
  const [first] = lookbackStages(methodOf("high_4_of_5"), monday);
  expect(shown(first)).toEqual([
    "06-21T04:00 to 06-22T04:00",
    "06-28T04:00 to 06-29T04:00",
    "07-05T04:00 to 07-11T04:00",
    "07-12T04:00 to 07-13T04:00",
  ]);
});

test("a day of the window that the dispatch looks back on as well is read whole", () => {
  // Notified at noon on Thursday, for which only an hour of it would be needed; Monday has no readings.
  const notificationMs = Date.parse("2026-07-09T16:00:00Z");
  const terms = {
    ...wednesday,
    startMs: wednesday.startMs - 86_400_000,
    endMs: wednesday.endMs - 86_400_000,
    notificationMs,
  };
  const window = { anchor: "notification", from_minutes_before: 60, to_minutes_before: 0 } as const;
  const method = weekdays(
    { days: 2, min_days: 2 },
    { adjust: { kind: "additive", window, lowest: null, highest: null } },
  );
  const [first = []] = lookbackStages(method, terms);
  const whole = { startMs: Date.parse("2026-06-01"), endMs: Date.parse("2026-07-15") };
  const load = flatSeries(100, cellsTouching(whole, INTERVAL_SECONDS), INTERVAL_SECONDS);
  const cellsOfMonday = cellsTouching(
    { startMs: Date.parse("2026-07-13T04:00:00Z"), endMs: Date.parse("2026-07-14T04:00:00Z") },
    INTERVAL_SECONDS,
  );
  load.values.fill(Number.NaN, cellsOfMonday.first - load.firstCell, cellsOfMonday.last - load.firstCell + 1);
  const request = { ...terms, dispatch: terms, curve: terms };
  const { explanation } = foundByDays(method, { ...request, load: loadIn(first, load) });
  expect(explanation.chosen).toEqual(["2026-07-10", "2026-07-09"]);
  expect(explanation.otherDays?.map(({ chosen }) => chosen)).toEqual([["2026-07-08", "2026-07-07"]]);
});

test("meter before is read in one part, and an agreed baseline not at all", () => {
  const before = { kind: "meter_before", seconds: 900, anchor: "start" } as const;
  expect(lookbackStages(before, wednesday).map(shown)).toEqual([["07-15T17:45 to 07-15T18:00"]]);
  expect(lookbackStages({ kind: "flat", kw: 1 }, wednesday)).toEqual([]);
});

const INTERVAL_SECONDS = 300;
const PER_HOUR = 3600 / INTERVAL_SECONDS;

/** The same load in the periods, and gaps between them. */
const loadIn = (periods: readonly Period[], whole: LoadSeries): LoadSeries => {
  const ranges = periods.map((period) => cellsTouching(period, INTERVAL_SECONDS));
  const first = Math.min(...ranges.map((range) => range.first));
  const load = flatSeries(
    Number.NaN,
    { first, last: Math.max(...ranges.map((range) => range.last)) },
    INTERVAL_SECONDS,
  );
  for (const range of ranges) {
    for (let cell = range.first; cell <= range.last; cell++) load.values[cell - first] = valueAt(whole, cell);
  }
  return load;
};

/** Hours before the last input, and how many. */
const stretch = fc.tuple(fc.integer({ min: 0, max: 1500 }), fc.integer({ min: 1, max: 80 }));
const daysBefore = (most: number, maxLength: number) =>
  fc.uniqueArray(fc.integer({ min: 1, max: most }), { maxLength });
const ofDays = presets.flatMap(({ method }) => (method.kind === "days" ? [method] : []));
const filled = ofDays.map((method) => ({
  ...method,
  rules: method.rules.map(({ pool, pick }) => ({ pool: { ...pool, fill: "highest_event_days" as const }, pick })),
}));
/** With windows that are counted back from the notification, which may be days before. */
const notified = ofDays.map((method) => ({
  ...method,
  adjust:
    method.adjust.kind === "none"
      ? method.adjust
      : { ...method.adjust, window: { ...method.adjust.window, anchor: "notification" as const } },
}));
const called = fc.record({
  method: fc.constantFrom(...ofDays, ...filled, ...notified),
  startHour: fc.integer({ min: Date.parse("2026-02-01") / HOUR_MS, max: Date.parse("2026-12-31") / HOUR_MS }),
  /** Hours from local midnight to the start, where windows and curves reach into other days. */
  fromMidnight: fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 8 })),
  noticeHours: fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 100, max: 700 })),
  hours: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 20, max: 90 }), fc.constant(null)),
  /** Hours from the end of another dispatch to the start, or to the notification. */
  otherEnds: fc.integer({ min: 0, max: 8 }),
  otherIsBefore: fc.constantFrom("startMs", "notificationMs"),
  /** Of the curve, on either side. */
  aroundHours: fc.constantFrom(0, 1),
  timezone: fc.constantFrom("America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "UTC"),
  holidays: daysBefore(60, 6),
  eventDays: daysBefore(30, 8),
  gaps: fc.array(stretch, { maxLength: 12 }),
  low: fc.array(stretch, { maxLength: 4 }),
  seed: fc.integer({ min: 1, max: 1_000_000 }),
});
type Called = typeof called extends fc.Arbitrary<infer T> ? T : never;

const termsOf = ({ startHour, fromMidnight, noticeHours, hours, timezone, holidays, eventDays }: Called) => {
  const time = localTime(timezone);
  const today = time.dayOf((startHour * HOUR_MS) / 1000);
  const startMs = fromMidnight === null ? startHour * HOUR_MS : time.startOf(today) * 1000 + fromMidnight * HOUR_MS;
  return {
    startMs,
    endMs: hours === null ? null : startMs + hours * HOUR_MS,
    notificationMs: startMs - noticeHours * HOUR_MS,
    timezone,
    holidays: holidays.map((days) => dateOf(today - days)),
    eventDays: eventDays.map((days) => dateOf(today - days)),
  };
};

const wholeLoad = (period: Period, { gaps, low, seed }: Pick<Called, "gaps" | "low" | "seed">): LoadSeries => {
  const load = flatSeries(100, cellsTouching(period, INTERVAL_SECONDS), INTERVAL_SECONDS);
  const { values } = load;
  for (let index = 0; index < values.length; index++) values[index] = 100 + ((index * seed) % 97) / 10;
  const fill = (kw: number, [hoursBefore, hours]: readonly [number, number]) => {
    const end = Math.max(0, values.length - hoursBefore * PER_HOUR);
    values.fill(kw, Math.max(0, end - hours * PER_HOUR), end);
  };
  for (const each of low) fill(2, each);
  for (const each of gaps) fill(Number.NaN, each);
  return load;
};

/** Days that are like the dispatch's own in the hours before it, and in those around its start. */
const matching = (method: DaysMethod): DaysMethod => ({
  ...method,
  rules: method.rules.map(({ pool }) => ({ pool, pick: { kind: "match", count: 2, window: MATCHED } })),
});
const MATCHED = { anchor: "start", from_minutes_before: 600, to_minutes_before: -60 } as const;

/** The curve, and another dispatch. */
const aroundOf = (each: Called, terms: ReturnType<typeof termsOf>) => {
  const aroundMs = each.aroundHours * HOUR_MS;
  const curve = {
    startMs: terms.startMs - aroundMs,
    endMs: (terms.endMs ?? terms.startMs + 50 * HOUR_MS) + aroundMs,
  };
  const otherEndMs = terms[each.otherIsBefore] - each.otherEnds * HOUR_MS;
  return { curve, otherEvents: [{ startMs: otherEndMs - 2 * HOUR_MS, endMs: otherEndMs }] };
};

test("a day that was not read is in no pool, in a zone that is half an hour off either", () => {
  // Sunday, 18:30 to half past midnight: Fridays before lack the hour after midnight, and only half of it is next to a day read.
  const startMs = Date.parse("2026-09-20T13:00:00Z");
  const terms = { startMs, endMs: startMs + 6 * HOUR_MS, notificationMs: startMs, timezone: "Asia/Kolkata" };
  const called = { ...terms, holidays: [], eventDays: [] };
  const method = methodOf("high_4_of_5");
  const inputs = inputsOf(method, called);
  if (inputs === null) throw new Error("a method of days uses load");
  const whole = wholeLoad({ startMs: inputs.fromMs, endMs: inputs.toMs }, { gaps: [[48, 18]], low: [], seed: 1 });
  const baselineIn = (load: LoadSeries) =>
    foundByDays(method as DaysMethod, { ...called, load, dispatch: called, curve: called });
  const [first = []] = lookbackStages(method, called);
  expect(baselineIn(whole).explanation.laterDays?.[0]?.pool.map(({ date }) => date)).not.toContain("2026-09-07");
  const { laterDays } = baselineIn(loadIn(first, whole)).explanation;
  expect(laterDays?.[0]?.pool.map(({ date }) => date)).not.toContain("2026-09-07");
});

test("what is read in parts gives the baseline of the whole look-back", () => {
  const stages = new Set<number>();
  fc.assert(
    fc.property(called, (each) => {
      const { method } = each;
      const terms = termsOf(each);
      const inputs = inputsOf(method, terms);
      if (inputs === null) throw new Error("a method of days uses load");
      const whole = wholeLoad({ startMs: inputs.fromMs, endMs: inputs.toMs }, each);
      const around = aroundOf(each, terms);
      const baselineFrom = (load: LoadSeries) => baselineOf(method, { ...terms, load, dispatch: terms, ...around });
      const read: Period[] = [];
      let found = null;
      for (const [stage, periods] of lookbackStages(method, terms).entries()) {
        read.push(...periods);
        stages.add(stage);
        found = baselineFrom(loadIn(read, whole));
        if (!wantsMoreLookback(method, found)) break;
      }
      expect(found).toEqual(baselineFrom(whole));
    }),
    { numRuns: propertyRuns(12, { atMost: 400 }) },
  );
  // Otherwise every case was easy.
  expect(stages).toEqual(new Set([0, 1, 2]));
});

/** Without what only whole days tell. */
const ofUsedHours = (found: Baseline): Baseline =>
  JSON.parse(JSON.stringify(found, (key, value) => (WHOLE_DAYS.has(key) ? null : value)));
const WHOLE_DAYS = new Set(["energyKwh", "missingIntervals"]);

test("the hours that are used give the baseline of whole days, unless it may have gap days", () => {
  const seen = { used: 0, later: 0, whole: 0, gaps: 0 };
  const fallback = { kind: "meter_before", seconds: 3600, anchor: "notification" } as const;
  // One day with a gap takes it to the next stage, and two to whole days.
  const fewGaps = called.chain((each) =>
    fc.constantFrom(each, { ...each, gaps: [] }, { ...each, gaps: [[20 + (each.seed % 90), 14] as const], low: [] }),
  );
  const eachMethod = fewGaps.chain((each) =>
    fc.constantFrom(
      each,
      { ...each, method: { ...each.method, fallback } },
      { ...each, method: matching(each.method) },
    ),
  );
  fc.assert(
    fc.property(eachMethod, (each) => {
      const { method } = each;
      const terms = termsOf(each);
      const time = localTime(each.timezone);
      const inputs = inputsOf(method, terms);
      if (inputs === null) throw new Error("a method of days uses load");
      const whole = wholeLoad({ startMs: inputs.fromMs, endMs: inputs.toMs }, each);
      const request = { ...terms, dispatch: terms, ...aroundOf(each, terms) };
      const stages = usedStages(method, request);
      if (stages === null) return void (seen.whole += 1);
      const baselineIn = (periods: readonly Period[]) =>
        baselineOf(method, { ...request, load: loadIn(periods, whole) });
      const [read, wholeDays]: [Period[], Period[]] = [[], []];
      for (const [nth, stage] of lookbackStages(method, terms).entries()) {
        read.push(...(stages[nth] ?? []));
        wholeDays.push(...stage);
        const from = dateOf(time.dayOf(Math.min(...read.map(({ startMs }) => startMs)) / 1000));
        const found = baselineIn(read);
        if (mayHaveGapDays(found, from)) return void (seen.gaps += 1);
        expect(ofUsedHours(found)).toEqual(ofUsedHours(baselineIn(wholeDays)));
        expect(wantsMoreLookback(method, found)).toBe(wantsMoreLookback(method, baselineIn(wholeDays)));
        if (nth > 0) seen.later += 1;
        if (!wantsMoreLookback(method, found)) break;
      }
      seen.used += 1;
    }),
    { numRuns: propertyRuns(20, { atMost: 600 }) },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
});

const NO_GAPS: Called["gaps"] = [];

test("with profiles of some days in place of their load, the baseline and its explanation are the same", () => {
  const seen = { profiled: 0, read: 0, later: 0, none: 0, gapDays: 0 };
  const fallback = { kind: "meter_before", seconds: 3600, anchor: "notification" } as const;
  const eachMethod = called.chain((each) =>
    fc.constantFrom(
      each,
      { ...each, gaps: NO_GAPS },
      { ...each, method: { ...each.method, fallback } },
      { ...each, method: matching(each.method) },
    ),
  );
  const isProfiled = fc.array(fc.boolean(), { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(eachMethod, isProfiled, fc.constantFrom(1, 2), (each, profiled, rulesVersion) => {
      const { method, timezone } = each;
      const terms = termsOf(each);
      const time = localTime(timezone);
      const inputs = inputsOf(method, terms);
      if (inputs === null) throw new Error("a method of days uses load");
      const whole = wholeLoad({ startMs: inputs.fromMs, endMs: inputs.toMs }, each);
      const request = { ...terms, dispatch: terms, rulesVersion, ...aroundOf(each, terms) } as const;
      const wholeDays: Period[] = [];
      const read: Period[] = [];
      const profiles = new Map<number, LoadProfile>();
      const stages = dayStages(method, request) ?? [];
      const wholeStages = lookbackStages(method, terms);
      expect(stages).toHaveLength(wholeStages.length);
      for (const [nth, { days, periods }] of stages.entries()) {
        const missing = days.filter((day) => profiled[day % 8] !== true);
        for (const day of days.filter((one) => profiled[one % 8] === true))
          profiles.set(day, loadProfile(whole, day, { timezone, intervalSeconds: method.interval_seconds }));
        read.push(...periods, ...periodsOfDays(missing, time));
        wholeDays.push(...(wholeStages[nth] ?? []));
        const baseline = baselineOf(method, { ...request, load: loadIn(read, whole), profiles });
        expect(baseline).toEqual(baselineOf(method, { ...request, load: loadIn(wholeDays, whole) }));
        seen.read += missing.length;
        seen[baseline.state === "none" ? "none" : nth === 0 ? "profiled" : "later"] += 1;
        if (baseline.explanation.kind === "days" && baseline.explanation.gapDays !== undefined) seen.gapDays += 1;
        if (!wantsMoreLookback(method, baseline)) break;
      }
    }),
    { numRuns: propertyRuns(20, { atMost: 600 }) },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
});

test("a profile is cut as the rules of its time zone say", () => {
  const hourly = { timezone: "Australia/Lord_Howe", intervalSeconds: 3600 };
  const [plain, changed] = ["2026-04-04", "2026-04-05"].map((date) => dayOfDate(date));
  const whole = flatSeries(
    7,
    cellsTouching({ startMs: Date.parse("2026-04-01"), endMs: Date.parse("2026-04-08") }, 30),
    30,
  );
  const kwOn = (day = 0) => loadProfile(whole, day, hourly).kw;
  // The clock goes back by half an hour, which ends an interval.
  expect([kwOn(plain).length, kwOn(changed).length]).toEqual([24, 25]);
  const utc = { ...hourly, timezone: "UTC" };
  expect(new Set([cutOf(plain ?? 0, hourly), cutOf(changed ?? 0, hourly), cutOf(plain ?? 0, utc)]).size).toBe(3);
  expect(cutOf(plain ?? 0, { ...hourly, intervalSeconds: 900 })).not.toBe(cutOf(plain ?? 0, hourly));
});

test("a dispatch of four hours reads eight of a day, and the first rules read all", () => {
  const request = { ...wednesday, dispatch: wednesday, curve: wednesday };
  const [first] = usedStages(methodOf("ten_of_ten"), request) ?? [];
  // The window from 10:00 to 13:00 and the dispatch from 14:00 to 18:00 in New York.
  expect(shown(first)?.slice(0, 2)).toEqual(["07-01T14:00 to 07-01T17:00", "07-01T18:00 to 07-01T22:00"]);
  expect(shown(first)?.at(-1)).toBe("07-15T14:00 to 07-15T17:00");
  expect(usedStages(methodOf("ten_of_ten"), { ...request, rulesVersion: 1 })).toBeNull();
  expect(usedStages(methodOf("middle_8_of_10"), request)).toBeNull();
});
