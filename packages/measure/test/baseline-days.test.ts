import { describe, expect, test } from "vitest";
import { baselineOf } from "../src/baseline.js";
import type { LoadSeries } from "../src/load-series.js";
import { intervalsOfDay } from "../src/local-interval.js";
import { dateOf, dayOfDate, localTime } from "../src/local-time.js";
import type { DaysMethod, Pick } from "../src/method.js";
import { foundByDays, hourlyLoad, requestFor, valuesIn, weekdays } from "./support/load.js";

// 2026-06-11 is a Thursday; the weekdays before it are 10, 9, 8, then 5, 4, 3, 2, 1 June.
const NOON: readonly [string, string] = ["2026-06-11T12:00:00Z", "2026-06-11T14:00:00Z"];
const dispatchPeriod = { startMs: Date.parse(NOON[0]), endMs: Date.parse(NOON[1]) };

/** A load that is constant over the day: the kW given for each date, 100 by default. */
const byDate = (kw: Readonly<Record<string, number | null>>) =>
  hourlyLoad("UTC", ["2026-05-20", "2026-06-11"], (date) => (date in kw ? (kw[date] ?? null) : 100));

const picking = (pick: Pick, days: number): DaysMethod => {
  const method = weekdays({ days, min_days: days });
  return { ...method, rules: method.rules.map((rule) => ({ ...rule, pick })) };
};

describe("the pool", () => {
  test("takes the latest days of its types, and lists each excluded day", () => {
    const load = byDate({ "2026-06-10": 130, "2026-06-08": 160, "2026-06-04": 190, "2026-06-05": null });
    const request = requestFor(load, NOON, { eventDays: ["2026-06-09"], holidays: ["2026-06-03"] });
    const { curve, explanation } = foundByDays(weekdays({ days: 4, min_days: 4 }), request);
    // 10, 8, 4 and 2 June: (130 + 160 + 190 + 100) ÷ 4
    expect(valuesIn(curve, dispatchPeriod)).toEqual([145, 145]);
    expect(explanation.pool.map(({ date }) => date)).toEqual(["2026-06-10", "2026-06-08", "2026-06-04", "2026-06-02"]);
    expect(explanation.dropped).toEqual([
      { date: "2026-06-09", reason: "event_day", why: "another dispatch took place on this day" },
      { date: "2026-06-07", reason: "other_day_type", why: "a sunday; the pool takes weekday" },
      { date: "2026-06-06", reason: "other_day_type", why: "a saturday; the pool takes weekday" },
      { date: "2026-06-05", reason: "incomplete", why: "2 of 2 intervals of the hours that are used have no readings" },
      { date: "2026-06-03", reason: "holiday", why: "a holiday" },
    ]);
    expect(explanation.chosen).toEqual(["2026-06-10", "2026-06-08", "2026-06-04", "2026-06-02"]);
  });

  test("leaves out days that were excluded by hand, and says why (M15)", () => {
    const load = byDate({ "2026-06-10": 500, "2026-06-09": 130, "2026-06-08": 160 });
    const excludedDays = [{ date: "2026-06-10", reason: "a repair" }];
    const { curve, explanation } = foundByDays(
      weekdays({ days: 2, min_days: 2, fill: "highest_event_days" }),
      requestFor(load, NOON, { excludedDays, eventDays: ["2026-06-10"] }),
    );
    expect(valuesIn(curve, dispatchPeriod)).toEqual([145, 145]);
    expect(explanation.dropped).toEqual([
      { date: "2026-06-10", reason: "excluded", why: "excluded by hand: a repair" },
    ]);
  });

  test("keeps a day that lacks an interval if the method says so, and averages the rest", () => {
    const load = hourlyLoad("UTC", ["2026-06-08", "2026-06-11"], (date, hour) => {
      if (date === "2026-06-10" && hour === 12) return null;
      return date === "2026-06-10" ? 400 : 100;
    });
    const exclude = { event: true, incomplete: false, low_usage: null };
    const { curve, explanation } = foundByDays(weekdays({ exclude }), requestFor(load, NOON));
    expect(valuesIn(curve, dispatchPeriod)).toEqual([100, 200]);
    expect(explanation.pool[0]).toMatchObject({ date: "2026-06-10", missingIntervals: 1 });
  });

  describe("M14: that is short", () => {
    const load = byDate({ "2026-06-10": 300, "2026-06-09": 200, "2026-06-08": 400, "2026-06-04": 400 });
    const called = ["2026-06-10", "2026-06-09", "2026-06-08", "2026-06-04"];
    const request = requestFor(load, NOON, { eventDays: called });
    const short = { lookback_days: 10, days: 5, min_days: 5 };

    test("is no baseline", () => {
      const none = baselineOf(weekdays(short), request);
      expect(none.explanation).not.toHaveProperty("filledWith");
      expect(none).toMatchObject({
        state: "none",
        reason: "4 usable days in the preceding 10 days; the method needs 5",
      });
    });

    test("is filled from the highest days with events if the method says so, and names them", () => {
      // 5, 3, 2 and 1 June have no event; of 8 and 4 June, both of 400 kW, the later one comes first.
      const { curve, explanation } = foundByDays(weekdays({ ...short, fill: "highest_event_days" }), request);
      expect(explanation.filledWith).toEqual(["2026-06-08"]);
      expect(explanation.chosen).toEqual(["2026-06-08", "2026-06-05", "2026-06-03", "2026-06-02", "2026-06-01"]);
      expect(valuesIn(curve, dispatchPeriod)).toEqual([160, 160]);
      expect(explanation.dropped.filter(({ reason }) => reason === "event_day").map(({ date }) => date)).toEqual([
        "2026-06-10",
        "2026-06-09",
        "2026-06-04",
      ]);
    });

    test("is filled no further than the least that the method needs, and not from days without readings", () => {
      const gaps = byDate({ "2026-06-10": null, "2026-06-08": 400 });
      const filled = { ...short, days: 10, min_days: 6, fill: "highest_event_days" as const };
      const { explanation } = foundByDays(weekdays(filled), requestFor(gaps, NOON, { eventDays: called }));
      expect(explanation.filledWith).toEqual(["2026-06-08", "2026-06-09"]);
      expect(explanation.pool).toHaveLength(6);
    });
  });

  test("replaces days of low usage until none is left", () => {
    // 10, 9, 8 June: mean 340, a quarter of it 85, so 9 June goes; with 5 June, 400, 10 and 8 stay.
    const load = byDate({ "2026-06-10": 500, "2026-06-09": 20, "2026-06-08": 500, "2026-06-05": 400 });
    const exclude = { event: true, incomplete: true, low_usage: 0.25 };
    const { explanation } = foundByDays(weekdays({ exclude }), requestFor(load, NOON));
    expect(explanation.chosen).toEqual(["2026-06-10", "2026-06-08", "2026-06-05"]);
    expect(explanation.dropped[0]).toEqual({
      date: "2026-06-09",
      reason: "low_usage",
      why: "20.000 kW in the event period is below the limit of 85.000 kW",
    });
  });

  test("drops days of low usage even if the look-back ends before the pool is full", () => {
    const load = byDate({ "2026-06-10": 500, "2026-06-09": 20, "2026-06-08": 500 });
    const exclude = { event: true, incomplete: true, low_usage: 0.25 };
    const method = weekdays({ exclude, lookback_days: 3, days: 5, min_days: 2 });
    const { explanation } = foundByDays(method, requestFor(load, NOON));
    expect(explanation.chosen).toEqual(["2026-06-10", "2026-06-08"]);
  });

  test("keeps the days of other dispatches if the method says so", () => {
    const exclude = { event: false, incomplete: true, low_usage: null };
    const request = requestFor(byDate({}), NOON, { eventDays: ["2026-06-10"] });
    expect(foundByDays(weekdays({ exclude }), request).explanation.chosen).toContain("2026-06-10");
  });

  test("of a site that exports has no days of low usage", () => {
    const load = byDate({ "2026-06-10": -500, "2026-06-09": -20, "2026-06-08": -80 });
    const exclude = { event: true, incomplete: true, low_usage: 0.25 };
    const { curve } = foundByDays(weekdays({ exclude }), requestFor(load, NOON));
    expect(valuesIn(curve, dispatchPeriod)).toEqual([-200, -200]);
  });

  test("with too few days there is no baseline but a reason, and no zero", () => {
    const load = hourlyLoad("UTC", ["2026-06-09", "2026-06-11"], () => 100);
    const baseline = baselineOf(weekdays(), requestFor(load, NOON));
    expect(baseline).toMatchObject({
      state: "none",
      reason: "2 usable days in the preceding 30 days; the method needs 3",
    });
    expect(baseline).not.toHaveProperty("curve");
  });

  test("with too few days the load before may stand in, and the explanation keeps what was tried", () => {
    const load = hourlyLoad("UTC", ["2026-06-09", "2026-06-11"], (date, hour) => (hour === 11 ? 70 : 100));
    const fallback = { kind: "meter_before", seconds: 3600, anchor: "start" } as const;
    const baseline = baselineOf(weekdays({}, { fallback }), requestFor(load, NOON));
    if (baseline.state === "none") throw new Error(baseline.reason);
    expect(new Set(baseline.curve.values)).toEqual(new Set([70]));
    expect(baseline.explanation).toMatchObject({
      kind: "meter_before",
      meanKw: 70,
      because: "2 usable days in the preceding 30 days; the method needs 3",
      insteadOf: { kind: "days", pool: [{ date: "2026-06-10" }, { date: "2026-06-09" }] },
    });
  });

  test("a day that no rule is for has no baseline", () => {
    const saturday: readonly [string, string] = ["2026-06-06T12:00:00Z", "2026-06-06T14:00:00Z"];
    expect(baselineOf(weekdays(), requestFor(byDate({}), saturday))).toMatchObject({
      state: "none",
      reason: "the method has no rule for a saturday; add one whose day_types name it",
    });
  });

  test("a holiday follows the rule that names holidays, whatever its weekday", () => {
    const sundays = weekdays({ day_types: ["sunday", "holiday"], days: 2, min_days: 2 });
    const request = requestFor(byDate({ "2026-06-03": 300 }), NOON, { holidays: ["2026-06-11", "2026-06-03"] });
    const { explanation, curve } = foundByDays(sundays, request);
    expect(explanation).toMatchObject({ eventDayType: "holiday", chosen: ["2026-06-07", "2026-06-03"] });
    expect(valuesIn(curve, dispatchPeriod)).toEqual([200, 200]);
  });
});

describe("the pick", () => {
  const load = byDate({ "2026-06-10": 120, "2026-06-09": 150, "2026-06-08": 120, "2026-06-05": 90 });

  test("gives ties to the more recent day", () => {
    const high = { kind: "high", count: 2, rank_by: "event_mean" } as const;
    expect(foundByDays(picking(high, 4), requestFor(load, NOON)).explanation.chosen).toEqual([
      "2026-06-09",
      "2026-06-10",
    ]);
    const middle = { kind: "middle", drop_highest: 0, drop_lowest: 2, rank_by: "daily_energy" } as const;
    expect(foundByDays(picking(middle, 4), requestFor(load, NOON)).explanation.chosen).toEqual([
      "2026-06-09",
      "2026-06-10",
    ]);
  });

  test("of the middle leaves out the days of highest and lowest energy, whatever the event period says", () => {
    const swapped = hourlyLoad("UTC", ["2026-06-01", "2026-06-11"], (date, hour) => {
      const inEvent = hour === 12 || hour === 13;
      if (date === "2026-06-10") return inEvent ? 10 : 900;
      if (date === "2026-06-09") return inEvent ? 800 : 20;
      return 100;
    });
    const middle = { kind: "middle", drop_highest: 1, drop_lowest: 1, rank_by: "daily_energy" } as const;
    expect(foundByDays(picking(middle, 4), requestFor(swapped, NOON)).explanation.chosen).toEqual([
      "2026-06-08",
      "2026-06-05",
    ]);
  });

  test("per interval lets every hour take its own days", () => {
    const shifted = hourlyLoad("UTC", ["2026-06-08", "2026-06-11"], (date, hour) => {
      if (date === "2026-06-10") return hour === 12 ? 300 : 60;
      if (date === "2026-06-09") return hour === 12 ? 80 : 200;
      return 100;
    });
    const high = { kind: "high", count: 2, rank_by: "per_interval" } as const;
    const { curve, explanation } = foundByDays(picking(high, 3), requestFor(shifted, NOON));
    expect(valuesIn(curve, dispatchPeriod)).toEqual([200, 150]);
    expect(explanation).toMatchObject({
      chosen: null,
      chosenByInterval: { "12:00:00": ["2026-06-10", "2026-06-08"], "13:00:00": ["2026-06-09", "2026-06-08"] },
    });
  });

  test("by match takes the days nearest to the dispatch's own in the window", () => {
    const window = { anchor: "start", from_minutes_before: 120, to_minutes_before: 0 } as const;
    const today = byDate({ "2026-06-11": 105, "2026-06-10": 120, "2026-06-09": 150, "2026-06-08": 92 });
    const match = { kind: "match", count: 2, window } as const;
    // Distances: 15, 45, 13, and 5 for 5 June.
    expect(foundByDays(picking(match, 4), requestFor(today, NOON)).explanation.chosen).toEqual([
      "2026-06-05",
      "2026-06-08",
    ]);
  });
});

/** The same load until an hour of the dispatch's day is over. */
const until = (lastHour: number) =>
  hourlyLoad("UTC", ["2026-06-08", "2026-06-11"], (date, hour) =>
    date === "2026-06-11" && hour > lastHour ? null : 100,
  );

test("days that match nothing are no baseline, and one that matches is provisional until its window has come", () => {
  const window = { anchor: "start", from_minutes_before: 120, to_minutes_before: 0 } as const;
  const method = picking({ kind: "match", count: 2, window }, 3);
  expect(baselineOf(method, requestFor(byDate({ "2026-06-11": null }), NOON))).toMatchObject({
    state: "none",
    reason: "no chosen day has readings in the dispatch's period",
    provisional: true,
    explanation: { chosen: [] },
  });
  expect(foundByDays(method, requestFor(until(10), NOON)).provisional).toBe(true);
  expect(foundByDays(method, requestFor(until(11), NOON)).provisional).toBe(false);
});

describe("M13", () => {
  const window = { anchor: "start", from_minutes_before: 120, to_minutes_before: 0 } as const;
  const matching = (from: number, to: number) =>
    picking({ kind: "match", count: 1, window: { ...window, from_minutes_before: from, to_minutes_before: to } }, 3);

  test("distances of a match are sums over its intervals, and are explained", () => {
    // The dispatch's day has 100 and 110 before the start; 10 June 103 and 114, 9 June 101 and 110, 8 June lacks one.
    const load = hourlyLoad("UTC", ["2026-06-01", "2026-06-11"], (date, hour) => {
      if (date === "2026-06-08") return hour === 11 ? null : 100;
      const [ten, eleven] =
        { "2026-06-11": [100, 110], "2026-06-10": [103, 114], "2026-06-09": [101, 110] }[date] ?? [];
      return (hour === 10 ? ten : hour === 11 ? eleven : 100) ?? 100;
    });
    const kept = { exclude: { event: true, incomplete: false, low_usage: null } };
    const method = matching(120, 0);
    const rules = method.rules.map(({ pool, pick }) => ({ pool: { ...pool, ...kept }, pick }));
    const { explanation } = foundByDays({ ...method, rules }, requestFor(load, NOON));
    expect(explanation.chosen).toEqual(["2026-06-09"]);
    expect(explanation.distances).toEqual([
      { date: "2026-06-09", kw2: 1 },
      { date: "2026-06-10", kw2: 25 },
      { date: "2026-06-08", kw2: null },
    ]);
  });

  test("a match may look at the hours after the dispatch, whose own hours do not count", () => {
    // Until 13:59 the dispatch's day is curtailed; from 14:00 to 16:00 it is like 9 June.
    const load = hourlyLoad("UTC", ["2026-06-01", "2026-06-11"], (date, hour) => {
      if (date === "2026-06-11") return hour < 14 ? 0 : 300;
      return date === "2026-06-09" ? 310 : 100;
    });
    const { explanation } = foundByDays(matching(-60, -240), requestFor(load, NOON));
    expect(explanation.chosen).toEqual(["2026-06-09"]);
    expect(explanation.distances?.[0]).toEqual({ date: "2026-06-09", kw2: 200 });
  });

  test("a method that picks per interval lists the days of its window's hours, too", () => {
    const load = hourlyLoad("UTC", ["2026-06-08", "2026-06-11"], (date, hour) =>
      date === "2026-06-10" ? 200 - 10 * hour : 100,
    );
    const high = picking({ kind: "high", count: 1, rank_by: "per_interval" }, 3);
    const adjust = { kind: "additive", window, lowest: null, highest: null } as const;
    const { explanation } = foundByDays({ ...high, adjust }, requestFor(load, NOON));
    expect(explanation.chosenByInterval).toEqual({
      "10:00:00": ["2026-06-10"],
      "11:00:00": ["2026-06-09"],
      "12:00:00": ["2026-06-09"],
      "13:00:00": ["2026-06-09"],
    });
  });
});

describe("M8: in a zone off the full hour", () => {
  const HALF_HOUR = { intervalSeconds: 1800 } as const;
  /** Kolkata is 5:30 ahead. The load of each local hour is ten times that hour, the same on all days. */
  const load: LoadSeries = (() => {
    const firstCell = Date.parse("2026-05-31T18:30:00Z") / 1_800_000 + 1;
    const values = Float64Array.from({ length: 11 * 48 }, (_, index) => 10 * Math.floor((index % 48) / 2));
    return { ...HALF_HOUR, firstCell, values };
  })();
  // 15:00 to 17:00 in Kolkata.
  const afternoon: readonly [string, string] = ["2026-06-11T09:30:00Z", "2026-06-11T11:30:00Z"];
  const period = { startMs: Date.parse(afternoon[0]), endMs: Date.parse(afternoon[1]) };
  const inKolkata = { timezone: "Asia/Kolkata" };

  test("intervals are cut by the local clock", () => {
    const { curve, explanation } = foundByDays(weekdays(), requestFor(load, afternoon, inKolkata));
    // Cut by UTC, each interval would be the mean of two local hours: 155 and 165.
    expect(curve.intervalSeconds).toBe(1800);
    expect(valuesIn(curve, period)).toEqual([150, 150, 160, 160]);
    expect(explanation.pool[0]).toMatchObject({ eventMeanKw: 155, missingIntervals: 0 });
  });

  test("a window holds whole local hours", () => {
    const window = { anchor: "start", from_minutes_before: 150, to_minutes_before: 0 } as const;
    const method = weekdays({}, { adjust: { kind: "additive", window, lowest: null, highest: null } });
    const { explanation } = foundByDays(method, requestFor(load, afternoon, inKolkata));
    // From 12:30: the hours from 13:00 and from 14:00.
    expect(explanation.adjustment).toMatchObject({ intervalsExpected: 2, actualMeanKw: 135, baselineMeanKw: 135 });
  });

  test("a clock that is put back by half an hour ends an interval there", () => {
    // Lord Howe Island: at 02:00 on 5 April 2026 clocks show 01:30 again.
    const lordHowe = localTime("Australia/Lord_Howe");
    const day = dayOfDate("2026-04-05");
    const hours = intervalsOfDay(day, 3600, lordHowe).map(({ slot, startSeconds, endSeconds }) => [
      slot,
      (endSeconds - startSeconds) / 60,
    ]);
    expect(hours.slice(0, 4)).toEqual([
      [0, 60],
      [1, 60],
      [1, 30],
      [2, 60],
    ]);
    expect(hours).toHaveLength(25);
    expect(intervalsOfDay(dayOfDate("2026-10-04"), 3600, lordHowe).slice(1, 4)).toMatchObject([
      { slot: 1 },
      { slot: 2, endSeconds: lordHowe.startOf(dayOfDate("2026-10-04")) + 2.5 * 3600 },
      { slot: 3 },
    ]);
  });
});

describe("M9: over several local days", () => {
  // Weekdays 500 kW, days off 200.
  const load = hourlyLoad("UTC", ["2026-05-20", "2026-06-12"], (date) =>
    [0, 6].includes(new Date(date).getUTCDay()) ? 200 : 500,
  );
  const two = { days: 2, min_days: 2 };
  const method = weekdays(
    {},
    { rules: [...weekdays(two).rules, ...weekdays({ ...two, day_types: ["saturday", "sunday"] }).rules] },
  );
  // Friday 22:00 to Monday 02:00.
  const weekend: readonly [string, string] = ["2026-06-05T22:00:00Z", "2026-06-08T02:00:00Z"];
  const period = { startMs: Date.parse(weekend[0]), endMs: Date.parse(weekend[1]) };

  test("each day has its own type and its own pool, without the dispatch's own days", () => {
    const { curve, explanation } = foundByDays(method, requestFor(load, weekend));
    // Friday's pool alone would say 500 all along: 300 kW out of nothing.
    const hours = valuesIn(curve, period);
    expect(hours).toEqual([500, 500, ...Array.from({ length: 48 }, () => 200), 500, 500]);
    expect(explanation).toMatchObject({ eventDate: "2026-06-05", chosen: ["2026-06-04", "2026-06-03"] });
    expect(explanation.laterDays).toMatchObject([
      { eventDate: "2026-06-06", eventDayType: "saturday", chosen: ["2026-05-31", "2026-05-30"], reason: null },
      { eventDate: "2026-06-07", eventDayType: "sunday", chosen: ["2026-05-31", "2026-05-30"] },
      { eventDate: "2026-06-08", eventDayType: "weekday", chosen: ["2026-06-04", "2026-06-03"] },
    ]);
  });

  test("midnight belongs to the day that begins", () => {
    const until: readonly [string, string] = ["2026-06-05T22:00:00Z", "2026-06-06T00:00:00Z"];
    expect(foundByDays(method, requestFor(load, until)).explanation).not.toHaveProperty("laterDays");
    const from: readonly [string, string] = ["2026-06-06T00:00:00Z", "2026-06-06T02:00:00Z"];
    expect(foundByDays(method, requestFor(load, from)).explanation).toMatchObject({ eventDate: "2026-06-06" });
  });

  test("a later day without a pool has gaps and a reason", () => {
    const { curve, explanation } = foundByDays(weekdays({ days: 2, min_days: 2 }), requestFor(load, weekend));
    expect(valuesIn(curve, period)).toEqual([500, 500, ...Array.from({ length: 48 }, () => Number.NaN), 500, 500]);
    expect(explanation.laterDays?.[0]?.reason).toBe(
      "the method has no rule for a saturday; add one whose day_types name it",
    );
  });

  test("without an end, the days of the curve have their own pools as well", () => {
    const dispatch = { startMs: period.startMs, endMs: null, notificationMs: period.startMs };
    const curve = { startMs: period.startMs, endMs: Date.parse("2026-06-06T12:00:00Z") };
    const found = foundByDays(method, requestFor(load, weekend, { dispatch, curve }));
    expect(valuesIn(found.curve, curve)).toEqual([500, 500, ...Array.from({ length: 12 }, () => 200)]);
    expect(found.provisional).toBe(true);
  });
});

test("a rolling average weighs the days from the oldest on", () => {
  const load = byDate({ "2026-06-10": 200, "2026-06-09": 150, "2026-06-08": 100 });
  const method = weekdays({}, { average: { kind: "rolling", alpha: 0.1, seed_days: 1 } });
  // 100; 0.1·150 + 0.9·100 = 105; 0.1·200 + 0.9·105 = 114.5
  expect(valuesIn(foundByDays(method, requestFor(load, NOON)).curve, dispatchPeriod)[0]).toBeCloseTo(114.5, 9);
});

test("M7: a rolling average begins with the mean of its oldest ten days, interval by interval", () => {
  // Twelve weekdays of 100, 110, …, 210 kW, the oldest first, and at 13:00 a gap in the oldest.
  const dates = weekdaysBefore(12);
  const load = hourlyLoad("UTC", ["2026-05-20", "2026-06-11"], (date, hour) => {
    const nth = dates.indexOf(date);
    if (nth < 0) return 0;
    return nth === 0 && hour === 13 ? null : 100 + 10 * nth;
  });
  const pool = { days: 12, min_days: 12, exclude: { event: true, incomplete: false, low_usage: null } };
  const curveOf = (average: DaysMethod["average"]) =>
    valuesIn(foundByDays(weekdays(pool, { average }), requestFor(load, NOON)).curve, dispatchPeriod);
  // Noon: ten days of 100 to 190 are 145; 0.1·200 + 0.9·145 = 150.5; 0.1·210 + 0.9·150.5 = 156.45.
  // 13:00: ten days of 110 to 200 are 155; 0.1·210 + 0.9·155 = 160.5.
  const [noon, one] = curveOf({ kind: "rolling", alpha: 0.1 });
  expect(noon).toBeCloseTo(156.45, 9);
  expect(one).toBeCloseTo(160.5, 9);
  // From the oldest day alone it would be another.
  expect(curveOf({ kind: "rolling", alpha: 0.1, seed_days: 1 })[0]).toBeCloseTo(148.24, 2);
});

/** The weekdays before 11 June, oldest first. */
const weekdaysBefore = (count: number): string[] => {
  const days = Array.from({ length: 30 }, (_, index) => dateOf(dayOfDate("2026-06-11") - 1 - index));
  return days
    .filter((date) => ![0, 6].includes(new Date(date).getUTCDay()))
    .slice(0, count)
    .toReversed();
};

const inNewYork = (load: LoadSeries, period: readonly [string, string]) =>
  requestFor(load, period, { timezone: "America/New_York" });

const sundays = (count: number) => weekdays({ day_types: ["sunday"], days: count, min_days: count });

describe("daylight saving time in New York", () => {
  test("a day of 23 hours is complete, and the hour it lacks is averaged over the other days", () => {
    // 8 March 2026 skips 02:00 to 03:00.
    const load = hourlyLoad("America/New_York", ["2026-03-01", "2026-03-15"], (date, hour) =>
      date === "2026-03-08" ? 500 + hour : 100 + hour,
    );
    const period: readonly [string, string] = ["2026-03-15T05:00:00Z", "2026-03-15T08:00:00Z"]; // 01:00 to 04:00
    const { curve, explanation } = foundByDays(sundays(2), inNewYork(load, period));
    expect(explanation.pool).toMatchObject([
      { date: "2026-03-08", missingIntervals: 0 },
      { date: "2026-03-01", missingIntervals: 0 },
    ]);
    expect([...curve.values]).toEqual([301, 102, 303]);
    // 500 a day and the hours but 2: 23·500 + 276 − 2
    expect(explanation.pool[0]?.energyKwh).toBeCloseTo(11_774, 9);
  });

  test("on a day of 25 hours the repeated hour is averaged", () => {
    // 1 November 2026 has 01:00 twice: 05:00Z and 06:00Z.
    const load = hourlyLoad("America/New_York", ["2026-10-25", "2026-11-08"], (date, _hour, start) => {
      if (start === "2026-11-01T05:00:00.000Z") return 300;
      if (start === "2026-11-01T06:00:00.000Z") return 500;
      return date === "2026-11-01" ? 200 : 100;
    });
    const period: readonly [string, string] = ["2026-11-08T06:00:00Z", "2026-11-08T08:00:00Z"]; // 01:00 to 03:00
    const { curve, explanation } = foundByDays(sundays(1), inNewYork(load, period));
    expect([...curve.values]).toEqual([400, 200]);
    expect(explanation.pool[0]?.energyKwh).toBe(300 + 500 + 23 * 200);
  });

  test("a dispatch through a repeated hour has the same baseline in both", () => {
    const load = hourlyLoad("America/New_York", ["2026-10-18", "2026-11-01"], (_date, hour) => 100 + hour);
    const period: readonly [string, string] = ["2026-11-01T04:00:00Z", "2026-11-01T07:00:00Z"]; // 00:00, 01:00, 01:00
    expect([...foundByDays(sundays(2), inNewYork(load, period)).curve.values]).toEqual([100, 101, 101]);
  });
});

describe("time", () => {
  test("an interval belongs to the local day of its start", () => {
    // 23:00 to 24:00 on 10 June ends on 11 June.
    const load = hourlyLoad("UTC", ["2026-06-08", "2026-06-11"], (date, hour) =>
      date === "2026-06-10" && hour === 23 ? 340 : 100,
    );
    const lastHour: readonly [string, string] = ["2026-06-11T23:00:00Z", "2026-06-12T00:00:00Z"];
    const { curve, explanation } = foundByDays(weekdays(), requestFor(load, lastHour));
    expect(explanation.eventDate).toBe("2026-06-11");
    expect([...curve.values]).toEqual([180]);
  });

  test("an open-ended dispatch is ranked to the end of its local day, and stays provisional", () => {
    const load = hourlyLoad("UTC", ["2026-06-08", "2026-06-11"], (_date, hour) => hour);
    const open = { startMs: dispatchPeriod.startMs, endMs: null, notificationMs: dispatchPeriod.startMs };
    const { explanation, provisional } = foundByDays(weekdays(), requestFor(load, NOON, { dispatch: open }));
    expect(explanation.pool[0]?.eventMeanKw).toBe((12 + 23) / 2);
    expect(provisional).toBe(true);
  });

  test("load that is too coarse for the method is refused", () => {
    const fine = weekdays({}, { interval_seconds: 900 });
    expect(() => baselineOf(fine, requestFor(byDate({}), NOON))).toThrow(
      "load of 3600 s is too coarse for intervals of 900 s; give finer load",
    );
  });

  test("finer load is averaged onto the method's grid", () => {
    const hourly = hourlyLoad("UTC", ["2026-06-08", "2026-06-11"], (_date, hour) => 10 * hour);
    const values = Float64Array.from(
      { length: hourly.values.length * 2 },
      (_, index) => (hourly.values[Math.floor(index / 2)] ?? 0) + (index % 2 === 0 ? 3 : -3),
    );
    const halfHourly = { intervalSeconds: 1800, firstCell: (hourly.firstCell - 1) * 2 + 1, values };
    expect([...foundByDays(weekdays(), requestFor(halfHourly, NOON)).curve.values]).toEqual([120, 130]);
  });
});
