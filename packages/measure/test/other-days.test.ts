import { describe, expect, test } from "vitest";
import { baselineOf } from "../src/baseline.js";
import type { Adjustment, DaysMethod, Pick, Pool } from "../src/method.js";
import { foundByDays, hourlyLoad, requestFor, valuesIn, weekdays } from "./support/load.js";

// M9: hours of the day before and of the day after a dispatch. 2026-06-08 is a Monday.

const isDayOff = (date: string) => [0, 6].includes(new Date(date).getUTCDay());

/** An office: 100 kW on weekdays, 50 kW on Saturdays and Sundays. */
const office = hourlyLoad("UTC", ["2026-05-01", "2026-06-14"], (date) => (isDayOff(date) ? 50 : 100));

const rule = (day_types: Pool["day_types"], pick: Pick, more: Partial<Pool> = {}) =>
  weekdays({ day_types, days: 2, min_days: 2, ...more }).rules.map(({ pool }) => ({ pool, pick }));

const additive = (from: number, to: number, anchor: "start" | "notification" = "start"): Adjustment => ({
  kind: "additive",
  window: { anchor, from_minutes_before: from, to_minutes_before: to },
  lowest: null,
  highest: null,
});

const ALL: Pick = { kind: "all" };

const ofBoth = (adjust: Adjustment, pick: Pick = ALL): DaysMethod =>
  weekdays({}, { rules: [...rule(["weekday"], pick), ...rule(["saturday", "sunday"], pick)], adjust });

const mondayAtOne: readonly [string, string] = ["2026-06-08T01:00:00Z", "2026-06-08T03:00:00Z"];
const period = ([start, end]: readonly [string, string]) => ({ startMs: Date.parse(start), endMs: Date.parse(end) });
const around = (dispatch: readonly [string, string]) => ({
  startMs: Date.parse(dispatch[0]) - 3_600_000,
  endMs: Date.parse(dispatch[1]) + 3_600_000,
});

describe("the day before a dispatch", () => {
  test("has its own type and pool: Sunday evening is not compared with the evenings of weekdays", () => {
    const { curve, explanation } = foundByDays(ofBoth(additive(300, 120)), requestFor(office, mondayAtOne));
    expect(explanation.adjustment).toMatchObject({ raw: 0, baselineMeanKw: 50, notApplied: null });
    expect(valuesIn(curve, period(mondayAtOne))).toEqual([100, 100]);
    expect(explanation).toMatchObject({ eventDate: "2026-06-08", intervals: ["01:00:00", "02:00:00"] });
    expect(explanation.otherDays).toMatchObject([
      {
        eventDate: "2026-06-07",
        eventDayType: "sunday",
        intervals: ["20:00:00", "21:00:00", "22:00:00"],
        chosen: ["2026-06-06", "2026-05-31"],
        reason: null,
      },
    ]);
  });

  test("looks back from the day before it: never on days between it and the dispatch", () => {
    // Notified on Friday at 12:00 for Monday at 1:00, compared with Friday from 10:00 to 12:00.
    const notificationMs = Date.parse("2026-06-05T12:00:00Z");
    const dispatch = { ...period(mondayAtOne), notificationMs };
    const eventDays = ["2026-06-03"];
    const { explanation } = foundByDays(
      ofBoth(additive(120, 0, "notification")),
      requestFor(office, mondayAtOne, { dispatch, eventDays }),
    );
    expect(explanation.chosen).toEqual(["2026-06-05", "2026-06-04"]);
    expect(explanation.otherDays).toMatchObject([
      { eventDate: "2026-06-05", eventDayType: "weekday", chosen: ["2026-06-04", "2026-06-02"] },
    ]);
  });

  test("ranks its days by the hours that it is needed in, of the window and of the curve", () => {
    // In the evening, Saturday 6 June is the higher day, between 20:00 and 23:00 and at 23:00; at noon, 31 May is.
    const load = hourlyLoad("UTC", ["2026-05-01", "2026-06-08"], (date, hour) => {
      if (date === "2026-06-06") return hour >= 20 ? 70 : 10;
      return date === "2026-05-31" && hour === 12 ? 900 : 50;
    });
    const high: Pick = { kind: "high", count: 1, rank_by: "event_mean" };
    const halfPast: readonly [string, string] = ["2026-06-08T00:30:00Z", "2026-06-08T03:00:00Z"];
    const { explanation } = foundByDays(
      ofBoth(additive(270, 90), high),
      requestFor(load, halfPast, { curve: around(halfPast) }),
    );
    expect(explanation.otherDays).toMatchObject([
      {
        intervals: ["20:00:00", "21:00:00", "22:00:00", "23:00:00"],
        chosen: ["2026-06-06"],
        pool: [
          { date: "2026-06-06", eventMeanKw: 70 },
          { date: "2026-05-31", eventMeanKw: 50 },
        ],
      },
    ]);
  });

  test("without a rule has no baseline and a reason: the adjustment is not applied, and the dispatch has its baseline", () => {
    const halfPast: readonly [string, string] = ["2026-06-08T00:30:00Z", "2026-06-08T02:00:00Z"];
    const method = weekdays({ days: 2, min_days: 2 }, { adjust: additive(270, 90) });
    const { curve, explanation } = foundByDays(method, requestFor(office, halfPast, { curve: around(halfPast) }));
    expect(valuesIn(curve, period(["2026-06-07T23:00:00Z", "2026-06-08T03:00:00Z"]))).toEqual([
      Number.NaN,
      100,
      100,
      100,
    ]);
    expect(explanation.adjustment).toMatchObject({
      applied: 0,
      notApplied: "no interval of the window has both a reading and a baseline",
    });
    expect(explanation.otherDays).toMatchObject([
      {
        eventDate: "2026-06-07",
        pool: [],
        reason: "the method has no rule for a sunday; add one whose day_types name it",
      },
    ]);
  });

  test("with too short a pool has no baseline either, and never that of another day", () => {
    const short = { lookback_days: 7, days: 3, min_days: 3 };
    const rules = [...rule(["weekday"], ALL), ...rule(["saturday", "sunday"], ALL, short)];
    // From 23:00 to 2:00: a third of the window is on Sunday.
    const atFour: readonly [string, string] = ["2026-06-08T04:00:00Z", "2026-06-08T05:00:00Z"];
    const adjustmentOf = (from: number) =>
      foundByDays(weekdays({}, { rules, adjust: additive(from, 120) }), requestFor(office, atFour)).explanation;
    expect(adjustmentOf(300).adjustment).toMatchObject({ intervalsExpected: 3, intervalsUsed: 2, notApplied: null });
    expect(adjustmentOf(300).otherDays).toMatchObject([
      { eventDate: "2026-06-07", reason: "2 usable days in the preceding 7 days; the method needs 3" },
    ]);
    expect(adjustmentOf(480).adjustment).toMatchObject({
      applied: 0,
      notApplied: "2 of 6 intervals of the window have both a reading and a baseline; at least half are required",
    });
  });

  test("is that of the window as it was moved", () => {
    const atFive: readonly [string, string] = ["2026-06-08T05:00:00Z", "2026-06-08T06:00:00Z"];
    const other = { startMs: Date.parse("2026-06-08T00:00:00Z"), endMs: Date.parse("2026-06-08T01:00:00Z") };
    const request = requestFor(office, atFive, { otherEvents: [other] });
    const { explanation } = foundByDays(ofBoth(additive(240, 120)), request);
    expect(explanation.adjustment).toMatchObject({ movedHours: 3, baselineMeanKw: 50, raw: 0 });
    expect(explanation.otherDays).toMatchObject([{ eventDate: "2026-06-07", intervals: ["22:00:00", "23:00:00"] }]);
    expect(foundByDays(ofBoth(additive(240, 120)), requestFor(office, atFive)).explanation).not.toHaveProperty(
      "otherDays",
    );
  });
});

describe("the day after a dispatch", () => {
  const fridayNight: readonly [string, string] = ["2026-06-12T22:00:00Z", "2026-06-13T00:00:00Z"];

  test("has its own type and pool, which goes back from the day before the dispatch", () => {
    const request = requestFor(office, fridayNight, { curve: around(fridayNight) });
    const { curve, explanation } = foundByDays(ofBoth({ kind: "none" }), request);
    expect(valuesIn(curve, around(fridayNight))).toEqual([100, 100, 100, 50]);
    expect(explanation).not.toHaveProperty("laterDays");
    expect(explanation.otherDays).toMatchObject([
      {
        eventDate: "2026-06-13",
        eventDayType: "saturday",
        intervals: ["00:00:00"],
        chosen: ["2026-06-07", "2026-06-06"],
      },
    ]);
    const thursdayNight: readonly [string, string] = ["2026-06-11T22:00:00Z", "2026-06-12T00:00:00Z"];
    const next = foundByDays(
      ofBoth({ kind: "none" }),
      requestFor(office, thursdayNight, { curve: around(thursdayNight) }),
    );
    expect(next.explanation.otherDays).toMatchObject([
      { eventDate: "2026-06-12", chosen: ["2026-06-10", "2026-06-09"] },
    ]);
  });

  test("has gaps in the curve where the method has no rule for it", () => {
    const request = requestFor(office, fridayNight, { curve: around(fridayNight) });
    const { curve } = foundByDays(weekdays({ days: 2, min_days: 2 }), request);
    expect(valuesIn(curve, around(fridayNight))).toEqual([100, 100, 100, Number.NaN]);
  });
});

test("without a baseline of the dispatch itself, no other day is looked at", () => {
  const rules = [...rule(["weekday"], ALL, { days: 90, min_days: 90 }), ...rule(["saturday", "sunday"], ALL)];
  const none = baselineOf(weekdays({}, { rules, adjust: additive(300, 120) }), requestFor(office, mondayAtOne));
  expect(none).toMatchObject({ state: "none", explanation: { adjustment: null } });
  expect(none.explanation).not.toHaveProperty("otherDays");
});

test("a match compares days by the local clock, whichever day its window is on", () => {
  // Sunday had 71 and 73 kW from 22:00 to 24:00; of the weekdays, 4 June had the nearest evening.
  const load = hourlyLoad("UTC", ["2026-05-01", "2026-06-08"], (date, hour) => {
    if (date === "2026-06-07") return hour === 22 ? 71 : 73;
    return date === "2026-06-04" && hour >= 22 ? 75 : 100;
  });
  const match: Pick = {
    kind: "match",
    count: 1,
    window: { anchor: "start", from_minutes_before: 180, to_minutes_before: 60 },
  };
  const { explanation } = foundByDays(
    weekdays({}, { rules: rule(["weekday"], match, { days: 3 }) }),
    requestFor(load, mondayAtOne),
  );
  expect(explanation).toMatchObject({
    chosen: ["2026-06-04"],
    distances: [{ date: "2026-06-04", kw2: 16 + 4 }, {}, {}],
  });
  expect(explanation).not.toHaveProperty("otherDays");
});
