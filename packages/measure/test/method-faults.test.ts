import { describe, expect, test } from "vitest";
import type { DaysMethod } from "../src/method.js";
import { isBaselineMethod, methodFaults } from "../src/method-faults.js";
import { presets } from "../src/presets.js";

const method: DaysMethod = {
  kind: "days",
  interval_seconds: 3600,
  rules: [
    {
      pool: {
        day_types: ["weekday"],
        lookback_days: 45,
        days: 5,
        min_days: 4,
        exclude: { event: true, incomplete: true, low_usage: 0.25 },
      },
      pick: { kind: "high", count: 4, rank_by: "event_mean" },
    },
  ],
  average: { kind: "mean" },
  adjust: {
    kind: "additive",
    window: { anchor: "start", from_minutes_before: 240, to_minutes_before: 60 },
    lowest: null,
    highest: null,
  },
  allow_negative: true,
  fallback: { kind: "meter_before", seconds: 900, anchor: "start" },
};

/** The method with a different value at a path such as `rules.0.pool.days`; undefined removes the member. */
const withValue = (path: string, value: unknown): unknown => {
  const copy = structuredClone<unknown>(method);
  const keys = path.split(".");
  const last = keys.pop() ?? "";
  const holder = keys.reduce<unknown>((each, key) => Reflect.get(each as object, key), copy) as object;
  if (value === undefined) Reflect.deleteProperty(holder, last);
  else Reflect.set(holder, last, value);
  return copy;
};

describe("a method that is data", () => {
  test("passes the check, also after a round trip through JSON", () => {
    expect(methodFaults(method)).toEqual([]);
    expect(isBaselineMethod(JSON.parse(JSON.stringify(method)))).toBe(true);
  });

  test.each(presets)("the preset $id passes, too", (preset) => {
    expect(methodFaults(JSON.parse(JSON.stringify(preset.method)))).toEqual([]);
  });

  test("preset ids are unique", () => {
    expect(new Set(presets.map(({ id }) => id)).size).toBe(presets.length);
  });
});

describe("a fault is told with its path and what to give instead", () => {
  test.each([
    ["adjust.window.from_minutes_before", -1, "adjust.window.from_minutes_before is -1; give a number from 0 to 10080"],
    ["rules.0.pool.days", 0, "rules[0].pool.days is 0; give a whole number from 1 to 100"],
    ["rules.0.pool.days", 5.5, "rules[0].pool.days is 5.5; give a whole number from 1 to 100"],
    ["rules.0.pool.days", undefined, "rules[0].pool.days is missing; give a whole number from 1 to 100"],
    [
      "rules.0.pool.day_types",
      ["monday"],
      'rules[0].pool.day_types[0] is "monday"; give one of "weekday", "saturday", "sunday", "holiday"',
    ],
    ["rules", [], "rules is []; give a list of 1 to 4 elements"],
    ["rules.0.pick.kind", "best", 'rules[0].pick.kind is "best"; give one of "all", "high", "middle", "match"'],
    ["rules.0.pool.exclude.event", "yes", 'rules[0].pool.exclude.event is "yes"; give true or false'],
    ["average", null, "average is null; give an object with kind"],
    ["adjust.lowest", Number.NaN, "adjust.lowest is NaN; give a number from -1000000000 to 1000000000"],
    ["interval_seconds", 7, "interval_seconds is 7; give one of 30, 60, 300, 900, 1800, 3600"],
    ["adjust.window.hours", 3, "adjust.window.hours is unknown; remove it"],
    ["fallback.kind", "flat", 'fallback.kind is "flat"; give one of "meter_before"'],
  ])("%s: %j", (path, value, fault) => {
    expect(methodFaults(withValue(path, value))).toEqual([fault]);
  });

  test("members that do not go together are faults", () => {
    expect(methodFaults(withValue("rules.0.pool.min_days", 6))).toEqual([
      "rules[0].pool.min_days is 6; give one that is not above pool.days, 5",
    ]);
    expect(methodFaults(withValue("adjust.window.from_minutes_before", 60))).toEqual([
      "adjust.window.from_minutes_before is 60; give one that is above to_minutes_before, 60",
    ]);
    const dropping = { kind: "middle", drop_highest: 2, drop_lowest: 2, rank_by: "event_mean" };
    expect(methodFaults(withValue("rules.0.pick", dropping))).toEqual([
      "rules[0].pick drops 4 days; drop fewer than pool.min_days, 4",
    ]);
    const bounds = { ...method.adjust, lowest: 2, highest: 1 };
    expect(methodFaults(withValue("adjust", bounds))).toEqual([
      "adjust.lowest is 2; give one that is not above adjust.highest, 1",
    ]);
  });

  test("all faults are reported at once", () => {
    expect(methodFaults({ kind: "meter_before", seconds: "900" })).toHaveLength(2);
  });

  test.each([[null], [undefined], [[]], ["high_4_of_5"], [() => 1], [{}], [{ kind: "constructor" }]])(
    "%j is no method",
    (value) => {
      expect(methodFaults(value)).toHaveLength(1);
      expect(isBaselineMethod(value)).toBe(false);
    },
  );
});
