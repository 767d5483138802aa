import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { baselineOf } from "../src/baseline.js";
import type { LoadSeries } from "../src/load-series.js";
import type { Adjustment, DaysMethod, Pick } from "../src/method.js";
import { foundByDays, hourlyLoad, requestFor, valuesIn, weekdays } from "./support/load.js";

// Hours in which a day is used: the curve, an hour around the dispatch from 15:00 to 17:00, and the window before.
const DISPATCH: readonly [string, string] = ["2026-06-11T15:00:00Z", "2026-06-11T17:00:00Z"];
const curve = { startMs: Date.parse("2026-06-11T14:00:00Z"), endMs: Date.parse("2026-06-11T18:00:00Z") };
const additive: Adjustment = {
  kind: "additive",
  window: { anchor: "start", from_minutes_before: 240, to_minutes_before: 60 },
  lowest: null,
  highest: null,
};
const isUsed = (hour: number): boolean => hour >= 11 && hour < 18;

/** Every second weekday is low in the afternoon; without the readings of 3:00 on low days, if asked. */
const alternating = (dropsLow: boolean) =>
  hourlyLoad("UTC", ["2026-05-01", "2026-06-11"], (date, hour) => {
    const isLow = Number(date.slice(8)) % 2 === 0;
    if (date === "2026-06-11") return 250;
    if (isLow && dropsLow && hour === 3) return null;
    if (hour < 12) return 100;
    return isLow ? 200 : 300;
  });

/** The same with all readings, but for so many hours of the night of low days. */
const lacking = (hours: number) => {
  const load = alternating(false);
  const values = Float64Array.from(load.values, (kw, index) =>
    index % 24 < hours && (1 + Math.floor(index / 24)) % 2 === 0 ? Number.NaN : kw,
  );
  return { ...load, values };
};

const methodWith = (pick: Pick, rest: Partial<DaysMethod> = {}): DaysMethod => {
  const method = weekdays({ days: 10, min_days: 5 }, rest);
  return { ...method, rules: method.rules.map((rule) => ({ ...rule, pick })) };
};
const byEnergy = methodWith({ kind: "middle", drop_highest: 1, drop_lowest: 1, rank_by: "daily_energy" });
const all = methodWith({ kind: "all" });
const requestOf = (load: LoadSeries, rulesVersion: 1 | 2 = 2) =>
  requestFor(load, DISPATCH, { curve, otherEvents: [], rulesVersion });
const baselineKw = (method: DaysMethod, load: LoadSeries, rulesVersion: 1 | 2 = 2): number | undefined =>
  valuesIn(foundByDays(method, requestOf(load, rulesVersion)).curve, {
    startMs: Date.parse(DISPATCH[0]),
    endMs: Date.parse(DISPATCH[1]),
  })[0];

describe("gaps in the look-back", () => {
  test("outside of the hours that are used leave a day in the pool; by the first rules they took it out", () => {
    expect(baselineKw(all, alternating(false))).toBe(baselineKw(all, alternating(true)));
    expect(baselineKw(all, alternating(true), 1)).toBe(300);
    const { explanation } = foundByDays(all, requestOf(alternating(true)));
    expect(explanation.dropped.filter(({ reason }) => reason === "incomplete")).toEqual([]);
    expect(explanation.gapDays).toBeUndefined();
  });

  test("leave a day in the pool that is ranked by its energy, too: the pool's mean counts there", () => {
    const { explanation } = foundByDays(byEnergy, requestOf(alternating(true)));
    expect(baselineKw(byEnergy, alternating(true), 1)).toBe(300);
    expect(baselineKw(byEnergy, alternating(true))).toBe(250);
    expect(baselineKw(byEnergy, alternating(false))).toBe(250);
    expect(explanation.gapDays).toBeUndefined();
    // 100 kW for 12 hours and 200 kW for 12, with the hour that is missing.
    expect(
      explanation.pool.map(({ date, energyKwh, missingIntervals }) => [date, energyKwh, missingIntervals]),
    ).toContainEqual(["2026-06-10", 3600, 1]);
  });

  test("take a day out that is ranked by its energy and lacks more than an eighth, and the result says what the site gains", () => {
    expect(baselineKw(byEnergy, lacking(3))).toBe(250);
    expect(foundByDays(byEnergy, requestOf(lacking(3))).explanation.gapDays).toBeUndefined();
    const { gapDays } = foundByDays(byEnergy, requestOf(lacking(4))).explanation;
    expect(gapDays?.days.length).toBeGreaterThanOrEqual(2);
  });

  test("on one day alone are not mentioned, nor are days before the first reading", () => {
    const oneGap = hourlyLoad("UTC", ["2026-05-01", "2026-06-11"], (date, hour) =>
      date === "2026-06-10" && hour === 15 ? null : 100,
    );
    expect(foundByDays(all, requestOf(oneGap)).explanation.gapDays).toBeUndefined();
    const young = hourlyLoad("UTC", ["2026-05-01", "2026-06-11"], (date) => (date < "2026-06-03" ? null : 100));
    expect(foundByDays(all, requestOf(young)).explanation.gapDays).toBeUndefined();
  });

  test("in the hours that are used are named even where there is no baseline", () => {
    const silent = hourlyLoad("UTC", ["2026-05-01", "2026-06-11"], (date, hour) =>
      date > "2026-05-10" && hour === 15 ? null : 100,
    );
    const { state, explanation } = baselineOf(all, requestOf(silent));
    expect(state).toBe("none");
    expect(explanation).toMatchObject({ kind: "days", gapDays: { gainKw: null } });
  });
});

const picks: readonly Pick[] = [
  { kind: "all" },
  { kind: "high", count: 3, rank_by: "event_mean" },
  { kind: "high", count: 3, rank_by: "per_interval" },
  { kind: "middle", drop_highest: 1, drop_lowest: 1, rank_by: "event_mean" },
  { kind: "match", count: 3, window: { anchor: "start", from_minutes_before: 180, to_minutes_before: 60 } },
];

test("dropping readings outside of the hours that are used never changes a baseline that is not ranked by energy", () => {
  const kws = fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 42 * 24, maxLength: 42 * 24 });
  const drops = fc.array(fc.tuple(fc.integer({ min: 0, max: 41 }), fc.integer({ min: 0, max: 23 })), { maxLength: 60 });
  fc.assert(
    fc.property(
      kws,
      drops,
      fc.constantFrom(...picks),
      fc.constantFrom<Adjustment>({ kind: "none" }, additive),
      (kw, dropped, pick, adjust) => {
        const load = hourlyLoad("UTC", ["2026-05-01", "2026-06-11"], () => 0);
        const values = Float64Array.from(load.values, (_, index) => kw[index] ?? 0);
        const without = values.slice();
        for (const [day, hour] of dropped) if (!isUsed(hour)) without[day * 24 + hour] = Number.NaN;
        const method = methodWith(pick, { adjust });
        const whole = foundByDays(method, requestOf({ ...load, values }));
        const gappy = foundByDays(method, requestOf({ ...load, values: without }));
        expect(gappy.curve).toEqual(whole.curve);
        expect(gappy.explanation.chosen).toEqual(whole.explanation.chosen);
      },
    ),
    { numRuns: propertyRuns(60) },
  );
});

test("dropping up to three hours that are not used never changes the pool of a baseline that is ranked by energy", () => {
  const kws = fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 42 * 24, maxLength: 42 * 24 });
  const unused = Array.from({ length: 24 }, (_, hour) => hour).filter((hour) => !isUsed(hour));
  const drops = fc.array(fc.tuple(fc.nat(41), fc.subarray(unused, { maxLength: 3 })), { maxLength: 30 });
  fc.assert(
    fc.property(kws, drops, (kw, dropped) => {
      const load = hourlyLoad("UTC", ["2026-05-01", "2026-06-11"], () => 0);
      const values = Float64Array.from(load.values, (_, index) => kw[index] ?? 0);
      const without = values.slice();
      for (const [day, hours] of new Map(dropped)) for (const hour of hours) without[day * 24 + hour] = Number.NaN;
      const method = { ...byEnergy, adjust: additive };
      const [whole, gappy] = [values, without].map((each) => foundByDays(method, requestOf({ ...load, values: each })));
      const pool = (found: typeof whole) => found?.explanation.pool.map(({ date }) => date);
      expect(pool(gappy)).toEqual(pool(whole));
      expect(gappy?.explanation.gapDays).toBeUndefined();
    }),
    { numRuns: propertyRuns(60) },
  );
});
