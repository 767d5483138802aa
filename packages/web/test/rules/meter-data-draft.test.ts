import { expect, test } from "vitest";
import {
  chosenMeter,
  chosenProfile,
  emptyMeterData,
  importQuery,
  isKept,
  meterDataQuery,
  NO_PROFILE,
  ownFaults,
  sumOf,
  withProfile,
  withStated,
} from "../../src/rules/meter-data-draft.js";

test("the query of an import has only what was chosen", () => {
  expect(meterDataQuery(emptyMeterData)).toEqual({});
  const choices = { "NMI:E1": "mtr_1", "NMI:B1": "none", "NMI:E2": "" };
  const stated = { time: { format: "day_first" } } as const;
  expect(
    meterDataQuery({ choices, timezone: " +08:00 ", leavesOutEstimated: true, stated, profile: "Portal" }),
  ).toEqual({
    series: ["NMI:E1=mtr_1", "NMI:B1=none"],
    timezone: "+08:00",
    estimated: "leave_out",
    mapping_profile: "Portal",
    mapping: '{"time":{"format":"day_first"}}',
  });
});

test("a series shows the meter that was chosen, else the one that was found", () => {
  const series = { name: "x", meter_id: "mtr_1" };
  expect(chosenMeter(emptyMeterData, series)).toBe("mtr_1");
  expect(chosenMeter({ ...emptyMeterData, choices: { x: "none" } }, series)).toBe("none");
  expect(chosenMeter(emptyMeterData, { ...series, meter_id: null })).toBe("");
});

const series = (meter: string | null, start: string | null, end: string | null, energy_kwh: number) => ({
  name: "x",
  description: null,
  unit: "kWh",
  meter_id: meter,
  meter_name: meter,
  start_time: start,
  end_time: end,
  interval_seconds: 900,
  intervals: 1,
  missing_intervals: 0,
  estimated_intervals: 0,
  energy_kwh,
});

test("the sum has the series that go to a meter, from their first interval to their last", () => {
  const result = {
    series: [
      series("Main", "2026-06-02T00:00:00Z", "2026-06-03T00:00:00Z", 5),
      series("Main", "2026-06-01T00:00:00Z", "2026-06-02T12:00:00Z", -2),
      series("Empty", null, null, 0),
      series(null, "2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z", 1000),
    ],
  };
  expect(sumOf(result)).toEqual({
    energyKwh: 3,
    start: "2026-06-01T00:00:00Z",
    end: "2026-06-03T00:00:00Z",
    meters: ["Main", "Empty"],
  });
  expect(sumOf({ series: [] })).toEqual({ energyKwh: 0, start: null, end: null, meters: [] });
});

test("a fault that is a question is shown as one only", () => {
  const doubt = { line: 2, member: "time.format", question: "Is the day first?", choices: [] };
  const asked = { line: 2, message: "Is the day first? State it with mapping …" };
  const other = { line: 2, message: "the time is missing" };
  expect(ownFaults({ faults: [asked, other, { ...asked, line: 3 }], doubts: [doubt] })).toEqual([
    other,
    { ...asked, line: 3 },
  ]);
});

test("what is said of a file that its header gave to a profile names the profile", () => {
  const used = { mapping_profile: { id: "map_1", name: "Portal", chosen_by: "header" as const, others: [] } };
  const stated = { decimal: "," } as const;
  expect(chosenProfile(emptyMeterData, used)).toBe("Portal");
  expect(chosenProfile(emptyMeterData, { mapping_profile: null })).toBe(NO_PROFILE);
  const said = withStated(emptyMeterData, used, stated);
  expect(meterDataQuery(said)).toEqual({ mapping_profile: "Portal", mapping: '{"decimal":","}' });
  expect(meterDataQuery(withStated(emptyMeterData, { mapping_profile: null }, stated))).toEqual({
    mapping: '{"decimal":","}',
  });
  expect(meterDataQuery(withProfile(said, NO_PROFILE))).toEqual({ mapping_profile: "none" });
});

test("an import is read by the profile of its dry run, or by none, whatever is saved in between", () => {
  expect(importQuery(emptyMeterData, { mapping_profile: null })).toEqual({ mapping_profile: "none" });
  expect(importQuery(emptyMeterData, {})).toEqual({ mapping_profile: "none" });
  const used = { id: null, name: "Portal", chosen_by: "header", others: [] } as const;
  const profiled = { mapping_profile: { ...used, others: [] } };
  expect(importQuery(emptyMeterData, profiled)).toEqual({ mapping_profile: "Portal" });
  const stated = { decimal: "," } as const;
  expect(importQuery({ ...emptyMeterData, stated }, { mapping_profile: null })).toEqual({
    mapping: '{"decimal":","}',
    mapping_profile: "none",
  });
  // Another spelling was chosen.
  expect(importQuery({ ...emptyMeterData, profile: "portal" }, profiled)).toEqual({ mapping_profile: "Portal" });
});

test("a name is that of a kept profile whatever its case and spaces", () => {
  expect(isKept(" utility  PORTAL ", [{ name: "Utility portal" }])).toBe(true);
  expect(isKept("Utility", [{ name: "Utility portal" }])).toBe(false);
});
