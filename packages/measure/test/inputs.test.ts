import { expect, test } from "vitest";
import { inputsOf } from "../src/inputs.js";
import { methodOf } from "./support/presets.js";
import { wednesday } from "./support/wednesday.js";

const iso = (ms: number | undefined) => new Date(ms ?? Number.NaN).toISOString();

test("a days method takes load from its look-back to the end of its window", () => {
  const inputs = inputsOf(methodOf("high_4_of_5"), wednesday);
  expect(iso(inputs?.fromMs)).toBe("2026-05-31T04:00:00.000Z");
  expect(iso(inputs?.toMs)).toBe("2026-07-15T17:00:00.000Z");
});

test("a window that is counted back from the notification ends there", () => {
  expect(iso(inputsOf(methodOf("weekdays_10_5min"), wednesday)?.toMs)).toBe("2026-07-15T16:00:00.000Z");
});

test("without a window, the load of the dispatch's own day is not taken", () => {
  expect(iso(inputsOf(methodOf("middle_8_of_10"), wednesday)?.toMs)).toBe("2026-07-15T04:00:00.000Z");
});

test("meter before takes its seconds and no more, also as a fallback", () => {
  const before = { kind: "meter_before", seconds: 900, anchor: "start" } as const;
  expect(iso(inputsOf(before, wednesday)?.fromMs)).toBe("2026-07-15T17:45:00.000Z");
  const days = methodOf("middle_8_of_10");
  if (days.kind !== "days") throw new Error("not of days");
  expect(iso(inputsOf({ ...days, fallback: before }, wednesday)?.toMs)).toBe("2026-07-15T18:00:00.000Z");
});

test("an agreed baseline takes no load", () => {
  expect(inputsOf({ kind: "flat", kw: 1 }, wednesday)).toBeNull();
});
