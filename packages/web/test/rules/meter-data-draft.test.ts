import { expect, test } from "vitest";
import { chosenMeter, emptyMeterData, meterDataKey, meterDataQuery } from "../../src/rules/meter-data-draft.js";

const file = { name: "a.csv", size: 10, lastModified: 1 };

test("the query of an import has only what was chosen", () => {
  expect(meterDataQuery(emptyMeterData)).toEqual({});
  const choices = { "NMI:E1": "mtr_1", "NMI:B1": "none", "NMI:E2": "" };
  expect(meterDataQuery({ choices, timezone: " +08:00 ", leavesOutEstimated: true })).toEqual({
    series: ["NMI:E1=mtr_1", "NMI:B1=none"],
    timezone: "+08:00",
    estimated: "leave_out",
  });
});

test("a result is for the file and the choices that were sent", () => {
  const key = meterDataKey(file, emptyMeterData);
  expect(meterDataKey({ ...file }, { ...emptyMeterData, choices: { x: "" } })).toBe(key);
  expect(meterDataKey({ ...file, size: 11 }, emptyMeterData)).not.toBe(key);
  expect(meterDataKey(file, { ...emptyMeterData, choices: { x: "mtr_1" } })).not.toBe(key);
});

test("a series shows the meter that was chosen, else the one that was found", () => {
  const series = { name: "x", meter_id: "mtr_1" };
  expect(chosenMeter(emptyMeterData, series)).toBe("mtr_1");
  expect(chosenMeter({ ...emptyMeterData, choices: { x: "none" } }, series)).toBe("none");
  expect(chosenMeter(emptyMeterData, { ...series, meter_id: null })).toBe("");
});
