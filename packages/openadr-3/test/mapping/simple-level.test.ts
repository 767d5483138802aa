import { expect, test } from "vitest";
import { simpleLevelOf } from "../../src/mapping/simple-level.js";

test.each([
  ["ancillary_services", 3],
  ["capacity", 2],
  ["utility_interruptible_rate", 2],
  ["energy", 1],
  ["peak_saver", 1],
  ["utility_program", 1],
  ["not_specified", 1],
  ["unknown", 1],
] as const)("dispatches of %s have the level %d", (programType, level) => {
  expect(simpleLevelOf({ programType, signalLevel: null })).toBe(level);
  expect(simpleLevelOf({ programType, signalLevel: 2 })).toBe(level);
});

test("aggressive curtailment, which is 1 in OpenADR 2.0a, is at least high and lowers nothing", () => {
  expect(simpleLevelOf({ programType: "peak_saver", signalLevel: 1 })).toBe(2);
  expect(simpleLevelOf({ programType: "ancillary_services", signalLevel: 1 })).toBe(3);
});
