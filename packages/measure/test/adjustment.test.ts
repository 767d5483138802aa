import { describe, expect, test } from "vitest";
import { baselineOf } from "../src/baseline.js";
import { inputsOf } from "../src/inputs.js";
import type { Adjustment, DaysMethod, Window } from "../src/method.js";
import { foundByDays, hourlyLoad, requestFor, valuesIn, weekdays } from "./support/load.js";

const NOON: readonly [string, string] = ["2026-06-11T12:00:00Z", "2026-06-11T14:00:00Z"];
const dispatchPeriod = { startMs: Date.parse(NOON[0]), endMs: Date.parse(NOON[1]) };
const at = (iso: string) => Date.parse(iso);

const window: Window = { anchor: "start", from_minutes_before: 240, to_minutes_before: 60 };

const adjusting = (adjust: Partial<Exclude<Adjustment, { kind: "none" }>>, rest: Partial<DaysMethod> = {}) =>
  weekdays({}, { adjust: { kind: "additive", window, lowest: null, highest: null, ...adjust }, ...rest });

/** Three days before with a constant load each, and the dispatch's own day hour by hour. */
const loadOf = (beforeKw: number, todayKw: (hour: number) => number | null) =>
  hourlyLoad("UTC", ["2026-06-08", "2026-06-11"], (date, hour) => (date === "2026-06-11" ? todayKw(hour) : beforeKw));

const resultOf = (method: DaysMethod, load: ReturnType<typeof loadOf>) => {
  const { curve, unadjusted, explanation, provisional } = foundByDays(method, requestFor(load, NOON));
  const kw = valuesIn(curve, dispatchPeriod);
  return { kw, unadjusted: valuesIn(unadjusted, dispatchPeriod), adjustment: explanation.adjustment, provisional };
};

describe("an adjustment", () => {
  test("adds what the load was above the baseline in the window, and explains itself", () => {
    // 08:00 to 11:00 at 130, 140, 150.
    const result = resultOf(
      adjusting({}),
      loadOf(100, (hour) => (hour < 8 || hour > 10 ? 999 : 50 + 10 * hour)),
    );
    expect(result).toMatchObject({ kw: [140, 140], unadjusted: [100, 100] });
    expect(result.adjustment).toEqual({
      kind: "additive",
      windowStartMs: at("2026-06-11T08:00:00Z"),
      windowEndMs: at("2026-06-11T11:00:00Z"),
      intervalsExpected: 3,
      intervalsUsed: 3,
      intervals: ["08", "09", "10"].map((hour, index) => ({
        startMs: at(`2026-06-11T${hour}:00:00Z`),
        endMs: at(`2026-06-11T${hour}:00:00Z`) + 3_600_000,
        actualKw: 130 + 10 * index,
        baselineKw: 100,
      })),
      actualMeanKw: 140,
      baselineMeanKw: 100,
      raw: 40,
      applied: 40,
      notApplied: null,
    });
  });

  test("stays within its bounds", () => {
    expect(
      resultOf(
        adjusting({ highest: 25 }),
        loadOf(100, () => 140),
      ),
    ).toMatchObject({
      kw: [125, 125],
      adjustment: { raw: 40, applied: 25, notApplied: null },
    });
    expect(
      resultOf(
        adjusting({ lowest: 0 }),
        loadOf(100, () => 60),
      ),
    ).toMatchObject({
      kw: [100, 100],
      adjustment: { raw: -40, applied: 0 },
    });
    const ratio = adjusting({ kind: "multiplicative", lowest: 0.8, highest: 1.2 });
    expect(
      resultOf(
        ratio,
        loadOf(100, () => 110),
      ).adjustment,
    ).toMatchObject({ raw: 1.1, applied: 1.1 });
    expect(
      resultOf(
        ratio,
        loadOf(100, () => 50),
      ).kw,
    ).toEqual([80, 80]);
  });

  test("of an exporting site is added with its sign", () => {
    expect(
      resultOf(
        adjusting({}),
        loadOf(-100, () => -130),
      ),
    ).toMatchObject({
      kw: [-130, -130],
      adjustment: { raw: -30, applied: -30 },
    });
  });

  test.each([0, -100])("by ratio over a mean of %d kW is not applied, and says so", (beforeKw) => {
    const ratio = adjusting({ kind: "multiplicative", lowest: 0.8, highest: 1.2 });
    const result = resultOf(
      ratio,
      loadOf(beforeKw, () => 50),
    );
    expect(result.kw).toEqual([beforeKw, beforeKw]);
    expect(result.adjustment).toMatchObject({
      raw: null,
      applied: 1,
      notApplied: `the baseline's mean in the window is ${beforeKw} kW; a ratio needs a mean above 0`,
    });
  });

  test("by ratio of a negative load is not applied: it would turn the curve over", () => {
    const ratio = adjusting({ kind: "multiplicative" });
    expect(
      resultOf(
        ratio,
        loadOf(100, () => -50),
      ),
    ).toMatchObject({
      kw: [100, 100],
      adjustment: { raw: null, applied: 1 },
    });
  });

  test("needs half of its window", () => {
    const twoOfThree = loadOf(100, (hour) => (hour === 8 ? null : 140));
    expect(resultOf(adjusting({}), twoOfThree).adjustment).toMatchObject({ intervalsUsed: 2, applied: 40 });
    const oneOfThree = loadOf(100, (hour) => (hour === 8 || hour === 9 ? null : 140));
    expect(resultOf(adjusting({}), oneOfThree)).toMatchObject({
      kw: [100, 100],
      adjustment: {
        raw: 40,
        applied: 0,
        notApplied: "1 of 3 intervals of the window have readings; at least half are required",
      },
    });
    const none = loadOf(100, () => null);
    expect(resultOf(adjusting({}), none)).toMatchObject({
      kw: [100, 100],
      adjustment: { actualMeanKw: null, raw: null, applied: 0, intervalsUsed: 0 },
    });
  });

  test("contains nothing after notification if it is anchored there", () => {
    // Notified at 09:30: the hour from 09:00 is not over yet and does not count.
    const method = adjusting({ window: { anchor: "notification", from_minutes_before: 150, to_minutes_before: 0 } });
    const load = loadOf(100, (hour) => (hour >= 9 ? 900 : 120));
    const dispatch = { ...dispatchPeriod, notificationMs: at("2026-06-11T09:30:00Z") };
    const { explanation } = foundByDays(method, requestFor(load, NOON, { dispatch }));
    expect(explanation.adjustment).toMatchObject({ intervalsUsed: 2, actualMeanKw: 120, applied: 20 });
  });
});

describe("M4: a dispatch that was recorded after its start", () => {
  // Recorded at 17:00, for noon: what the site did from noon on is no part of any window.
  const recorded = { dispatch: { ...dispatchPeriod, notificationMs: at("2026-06-11T17:00:00Z") } };

  test("has its notification window before the start", () => {
    const method = adjusting({ window: { anchor: "notification", from_minutes_before: 180, to_minutes_before: 0 } });
    const load = loadOf(100, (hour) => (hour >= 12 ? 300 : 150));
    const { explanation } = foundByDays(method, requestFor(load, NOON, recorded));
    expect(explanation.adjustment).toMatchObject({
      windowStartMs: at("2026-06-11T09:00:00Z"),
      windowEndMs: at("2026-06-11T12:00:00Z"),
      actualMeanKw: 150,
      applied: 50,
    });
  });

  test("is compared with the load before the start, not before it was recorded", () => {
    const load = loadOf(100, (hour) => (hour >= 12 ? 350 : 150));
    const before = { kind: "meter_before", seconds: 3600, anchor: "notification" } as const;
    expect(baselineOf(before, requestFor(load, NOON, recorded)).explanation).toMatchObject({ meanKw: 150 });
    const inputs = inputsOf(before, { ...recorded.dispatch, timezone: "UTC", holidays: [] });
    expect(inputs?.toMs).toBe(dispatchPeriod.startMs);
  });
});

describe("M3: two dispatches on a day", () => {
  // The first from 07:00 to 09:00, curtailed by 100 of 150 kW; the second from noon. The window of 08:00 to 11:00 meets it.
  const load = loadOf(100, (hour) => (hour >= 7 && hour < 9 ? 50 : 150));
  const first = { startMs: at("2026-06-11T07:00:00Z"), endMs: at("2026-06-11T09:00:00Z") };
  const adjustedBeside = (otherEvents: ReadonlyArray<typeof first>) => {
    const { curve, explanation } = foundByDays(adjusting({}), requestFor(load, NOON, { otherEvents }));
    return { kw: valuesIn(curve, dispatchPeriod), adjustment: explanation.adjustment };
  };

  test("the window moves earlier hour by hour, past the first dispatch and the hour after it", () => {
    expect(adjustedBeside([])).toMatchObject({ kw: [expect.closeTo(116.667, 3), expect.closeTo(116.667, 3)] });
    expect(adjustedBeside([first])).toMatchObject({
      kw: [150, 150],
      adjustment: {
        windowStartMs: at("2026-06-11T04:00:00Z"),
        windowEndMs: at("2026-06-11T07:00:00Z"),
        movedHours: 4,
        applied: 50,
      },
    });
  });

  test("a dispatch that ended an hour before the window does not move it", () => {
    const early = { startMs: at("2026-06-11T05:00:00Z"), endMs: at("2026-06-11T07:00:00Z") };
    expect(adjustedBeside([early]).adjustment).not.toHaveProperty("movedHours");
    const later = { startMs: early.endMs, endMs: early.endMs + 60_000 };
    expect(adjustedBeside([later]).adjustment).toMatchObject({ movedHours: 4 });
  });

  test("where nothing is left within four hours the adjustment is not applied, and says so", () => {
    const long = { ...first, startMs: at("2026-06-11T06:00:00Z") };
    expect(adjustedBeside([long])).toMatchObject({
      kw: [100, 100],
      adjustment: {
        windowStartMs: at("2026-06-11T08:00:00Z"),
        intervalsExpected: 0,
        raw: null,
        applied: 0,
        notApplied:
          "the window, moved up to 4 hours earlier, always meets another dispatch of the site or the hour after it",
      },
    });
  });
});

test("a window that begins within an interval leaves that interval out", () => {
  // 07:30 to 11:00: the hour from 07:00 is not entirely inside.
  const method = adjusting({ window: { ...window, from_minutes_before: 270 } });
  const load = loadOf(100, (hour) => (hour === 7 ? 900 : 110));
  expect(resultOf(method, load).adjustment).toMatchObject({ intervalsExpected: 3, actualMeanKw: 110 });
});

describe("a baseline below zero", () => {
  test("is kept if the method allows it, and clipped otherwise", () => {
    expect(
      resultOf(
        adjusting({}),
        loadOf(20, () => -30),
      ).kw,
    ).toEqual([-30, -30]);
    expect(
      resultOf(
        adjusting({}, { allow_negative: false }),
        loadOf(20, () => -30),
      ),
    ).toMatchObject({
      kw: [0, 0],
      unadjusted: [20, 20],
    });
  });
});

const until = (iso: string) =>
  loadOf(100, (hour) => (at("2026-06-11T00:00:00Z") + hour * 3_600_000 < at(iso) ? 140 : null));

describe("a baseline is provisional", () => {
  test("until the last interval of its window has come", () => {
    expect(resultOf(adjusting({}), until("2026-06-11T10:00:00Z")).provisional).toBe(true);
    expect(resultOf(adjusting({}), until("2026-06-11T11:00:00Z")).provisional).toBe(false);
  });

  test("without adjustment, until the day before has come", () => {
    const dayBefore = hourlyLoad("UTC", ["2026-06-03", "2026-06-11"], (date, hour) =>
      date === "2026-06-11" || (date === "2026-06-10" && hour === 23) ? null : 100,
    );
    expect(foundByDays(weekdays(), requestFor(dayBefore, NOON)).provisional).toBe(true);
    expect(foundByDays(weekdays(), requestFor(until("2026-06-11T00:00:00Z"), NOON)).provisional).toBe(false);
  });
});

describe("methods without days", () => {
  const load = loadOf(100, () => 120);

  test("flat is the agreed level on 30-second cells", () => {
    const baseline = baselineOf({ kind: "flat", kw: 75 }, requestFor(load, NOON));
    if (baseline.state === "none") throw new Error(baseline.reason);
    expect(baseline.curve).toMatchObject({ intervalSeconds: 30, firstCell: dispatchPeriod.startMs / 30_000 + 1 });
    expect([...baseline.curve.values]).toEqual(Array.from({ length: 240 }, () => 75));
  });

  test("a firm service level has a baseline only against a reference", () => {
    const level = { kind: "firm_service_level", level_kw: 40, reference_kw: null } as const;
    expect(baselineOf(level, requestFor(load, NOON))).toMatchObject({ state: "none", explanation: { levelKw: 40 } });
    const against = baselineOf({ ...level, reference_kw: 100 }, requestFor(load, NOON));
    expect(against.state === "found" && against.curve.values[0]).toBe(100);
  });

  test("meter before needs half of its cells, and load fine enough for them", () => {
    const values = Float64Array.from({ length: 10 }, (_, index) => (index < 4 ? Number.NaN : 100 + index));
    const recent = { intervalSeconds: 30, firstCell: dispatchPeriod.startMs / 30_000 - 9, values };
    const request = requestFor(load, NOON, { recent });
    const before = (seconds: number) => baselineOf({ kind: "meter_before", seconds, anchor: "start" }, request);
    expect(before(300)).toMatchObject({ state: "found", explanation: { meanKw: 106.5, cellsUsed: 6 } });
    expect(before(600)).toMatchObject({
      state: "none",
      reason: "6 of 20 intervals in the 600 s before the start have readings; at least half are required",
    });
    expect(baselineOf({ kind: "meter_before", seconds: 900, anchor: "start" }, requestFor(load, NOON))).toMatchObject({
      state: "none",
      reason: "intervals of 3600 s are too long for a mean over 900 s; give finer load as recent",
    });
  });

  test("meter before an odd second takes the cells that had ended", () => {
    const values = new Float64Array(20).fill(100).fill(900, 10);
    const recent = { intervalSeconds: 30, firstCell: dispatchPeriod.startMs / 30_000 - 9, values };
    const dispatch = { ...dispatchPeriod, notificationMs: dispatchPeriod.startMs + 20_000 };
    const method = { kind: "meter_before", seconds: 60, anchor: "notification" } as const;
    expect(baselineOf(method, requestFor(load, NOON, { recent, dispatch }))).toMatchObject({
      state: "found",
      provisional: false,
      explanation: { meanKw: 100, windowEndMs: dispatchPeriod.startMs, cellsUsed: 2 },
    });
  });
});
