import type { PerformanceDifference } from "@curtail/contract";
import { describe, expect, test } from "vitest";
import { changedInputs } from "../../src/rules/result-difference.js";

type Inputs = NonNullable<PerformanceDifference["sites"][number]["inputs"]>;

const SAME: Inputs = {
  load: { added: 0, removed: 0, changed: 0, energy_kwh: 0 },
  meters_added: [],
  meters_removed: [],
  dates: [],
  adjustment_before: 7,
  adjustment_after: 7,
};

const day = { event_date: "2026-06-10", date: "2026-06-09", corrected: false } as const;

describe("why two results of a site differ", () => {
  test("is nothing where no input differs, or where one has no result", () => {
    expect(changedInputs(SAME)).toEqual([]);
    expect(changedInputs(null)).toEqual([]);
  });

  test("is the load that arrived or was corrected", () => {
    expect(changedInputs({ ...SAME, load: { added: 1, removed: 0, changed: 60, energy_kwh: 10 } })).toEqual([
      "Load arrived for 1 30-second interval.",
      "Load of 60 30-second intervals was corrected, by 10.0 kWh in all.",
    ]);
  });

  test("is a meter, a day or the adjustment", () => {
    const dates = [
      { ...day, before: "chosen", after: "excluded" },
      { ...day, date: "2026-06-08", before: "chosen", after: "chosen", corrected: true },
      { ...day, date: "2026-06-05", before: "considered", after: null },
    ] as const;
    const meters_removed = [{ meter_id: "mtr_1", name: "Roof" }];
    expect(changedInputs({ ...SAME, dates: [...dates], meters_removed, adjustment_after: null })).toEqual([
      "The meter Roof is no longer part of the load.",
      "2026-06-09 is excluded by hand.",
      "2026-06-08 has corrected load, and is chosen for the baseline.",
      "2026-06-05 is no longer looked at.",
      "The adjustment of the baseline to the day is another one.",
    ]);
  });

  test("names the day that a day is used for, where there are several", () => {
    const dates = [
      { ...day, before: null, after: "chosen" },
      { ...day, event_date: "2026-06-11", before: null, after: "chosen" },
    ] as const;
    expect(changedInputs({ ...SAME, dates: [...dates] })).toEqual([
      "For 2026-06-10: 2026-06-09 is chosen for the baseline.",
      "For 2026-06-11: 2026-06-09 is chosen for the baseline.",
    ]);
  });
});
