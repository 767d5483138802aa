import { expect, test } from "vitest";
import { baselineOf } from "../src/baseline.js";
import { inputsOf, wantsWholeLookback } from "../src/inputs.js";
import type { BaselineMethod } from "../src/method.js";
import { presets } from "../src/presets.js";

const method = (id: string): BaselineMethod => {
  const preset = presets.find((each) => each.id === id);
  if (preset === undefined) throw new Error(`no preset ${id}`);
  return preset.method;
};

// A Wednesday, from 14:00 to 18:00 in New York.
const terms = {
  startMs: Date.parse("2026-07-15T18:00:00Z"),
  notificationMs: Date.parse("2026-07-15T16:00:00Z"),
  timezone: "America/New_York",
  holidays: [],
};
const iso = (ms: number | undefined) => new Date(ms ?? Number.NaN).toISOString();

test("a days method takes load from its look-back to the end of its window", () => {
  const inputs = inputsOf(method("high_4_of_5"), terms);
  expect(iso(inputs?.fromMs)).toBe("2026-05-31T04:00:00.000Z");
  expect(iso(inputs?.likelyFromMs)).toBe("2026-07-04T04:00:00.000Z");
  expect(iso(inputs?.toMs)).toBe("2026-07-15T17:00:00.000Z");
});

test("a window that is counted back from the notification ends there", () => {
  expect(iso(inputsOf(method("weekdays_10_5min"), terms)?.toMs)).toBe("2026-07-15T16:00:00.000Z");
});

test("without a window, the load of the dispatch's own day is not taken", () => {
  expect(iso(inputsOf(method("middle_8_of_10"), terms)?.toMs)).toBe("2026-07-15T04:00:00.000Z");
});

test("meter before takes its seconds and no more, also as a fallback", () => {
  const before = { kind: "meter_before", seconds: 900, anchor: "start" } as const;
  expect(iso(inputsOf(before, terms)?.fromMs)).toBe("2026-07-15T17:45:00.000Z");
  const days = method("middle_8_of_10");
  if (days.kind !== "days") throw new Error("not of days");
  expect(iso(inputsOf({ ...days, fallback: before }, terms)?.toMs)).toBe("2026-07-15T18:00:00.000Z");
});

test("an agreed baseline takes no load", () => {
  expect(inputsOf({ kind: "flat", kw: 1 }, terms)).toBeNull();
});

const request = {
  dispatch: { ...terms, endMs: terms.startMs + 3_600_000 },
  timezone: terms.timezone,
  holidays: [],
  eventDays: [],
  curve: { startMs: terms.startMs, endMs: terms.startMs + 3_600_000 },
};

/** This many days of load before the start. */
const loadOf = (days: number) => {
  const firstCell = terms.startMs / 3_600_000 - days * 24 + 1;
  return { intervalSeconds: 3600, firstCell, values: new Float64Array(days * 24).fill(10) };
};

const wants = (days: number) =>
  wantsWholeLookback(method("high_4_of_5"), baselineOf(method("high_4_of_5"), { ...request, load: loadOf(days) }));

test("the whole look-back is wanted until the pool is full", () => {
  expect(wants(6)).toBe(true);
  expect(wants(12)).toBe(false);
});
