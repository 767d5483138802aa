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
});
