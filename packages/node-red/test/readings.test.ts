import { expect, test } from "vitest";
import { IntervalMeans } from "../src/interval-means.js";
import { broughtBy, type ReadingSettings, readingOfMean } from "../src/readings.js";
import { blockOf } from "../src/schedule-node.js";
import { at } from "./support.js";

const settings: ReadingSettings = { list: "telemetry", intervalSeconds: 60, source: { meter_id: "mtr_1" } };
const now = at("18:00:30");

test("numbers, also as text, are values of the node's meter, or of the one that the message names", () => {
  expect(broughtBy({ payload: 12.5 }, settings, now).values).toEqual([{ source: { meter_id: "mtr_1" }, kW: 12.5 }]);
  const named = broughtBy({ payload: " -3.5 ", site_id: "site_1" }, settings, now);
  expect(named.values).toEqual([{ source: { site_id: "site_1" }, kW: -3.5 }]);
});

test("a reading is completed with interval, meter and the end of the last interval", () => {
  const { readings } = broughtBy({ payload: { kW: 5 } }, settings, now);
  expect(readings).toEqual([{ meter_id: "mtr_1", interval_seconds: 60, timestamp: "2026-07-01T18:00:00Z", kW: 5 }]);
  const [atEnd] = broughtBy({ payload: { kW: 5 } }, settings, at("18:00:00")).readings;
  expect(atEnd).toMatchObject({ timestamp: "2026-07-01T18:00:00Z" });
});

test("what a reading says itself is kept, and its time may be a Date or milliseconds", () => {
  const given = {
    site_id: "site_1",
    interval_seconds: 300,
    timestamp: "2026-06-30T12:00:00+02:00",
    value: 2,
    units: "kWh",
  };
  expect(broughtBy({ payload: [given] }, settings, now).readings).toEqual([given]);
  for (const timestamp of [new Date(at("17:00:00")), at("17:00:00")])
    expect(broughtBy({ payload: { kW: 1, timestamp } }, settings, now).readings).toMatchObject([
      { timestamp: "2026-07-01T17:00:00.000Z" },
    ]);
});

test("controllable load has value and units", () => {
  const load: ReadingSettings = { list: "controllable_load", intervalSeconds: 60, source: { site_id: "site_1" } };
  const expected = {
    site_id: "site_1",
    interval_seconds: 60,
    timestamp: "2026-07-01T18:00:00Z",
    value: 5,
    units: "kW",
  };
  expect(broughtBy({ payload: { kW: 5 } }, load, now).readings).toEqual([expected]);
  expect(readingOfMean({ source: { site_id: "site_1" }, endMs: at("18:00:00"), mean: 5 }, load)).toEqual(expected);
});

test.for([
  ["on", /neither a number nor a reading/],
  ["", /neither a number nor a reading/],
  [null, /neither a number nor a reading/],
  [Number.NaN, /neither a number nor a reading/],
  [true, /neither a number nor a reading/],
  [{ temperature: 20 }, /neither a number nor a reading/],
  [{ kW: 1, timestamp: new Date(Number.NaN) }, /timestamp is no time/],
] as const)("%j is refused by the node with a reason, beside what is good", ([payload, reason]) => {
  const brought = broughtBy({ payload: [payload, 7] }, settings, now);
  expect(brought.faults).toEqual([{ payload, reason: expect.stringMatching(reason) }]);
  expect(brought.values).toHaveLength(1);
});

test("without a meter or site a value is refused", () => {
  expect(broughtBy({ payload: 7 }, { ...settings, source: null }, now).faults).toMatchObject([
    { reason: expect.stringContaining("names no meter or site") },
  ]);
});

test("the mean of an interval is ready when it has ended; a value at its end belongs to it", () => {
  const means = new IntervalMeans(60_000);
  const source = { meter_id: "mtr_1" };
  for (const [kW, time] of [
    [10, "18:00:01"],
    [20, "18:01:00"],
    [90, "18:01:01"],
  ] as const)
    means.add(source, kW, at(time));
  expect(means.take(at("18:00:59"))).toEqual([]);
  expect(means.take(at("18:01:00"))).toEqual([{ source, endMs: at("18:01:00"), mean: 15 }]);
  expect(means.take(at("18:01:00"))).toEqual([]);
  expect(means.take(Number.POSITIVE_INFINITY)).toMatchObject([{ endMs: at("18:02:00"), mean: 90 }]);
});

test("a block takes texts, Dates and milliseconds, and says what is missing", () => {
  const payload = { start_time: new Date(at("18:00:00")), end_time: "2026-07-01T20:00:00Z" };
  expect(blockOf({ payload }, "site_1")).toEqual({
    site_id: "site_1",
    available: false,
    start_time: "2026-07-01T18:00:00.000Z",
    end_time: "2026-07-01T20:00:00Z",
  });
  expect(() => blockOf({ payload }, "")).toThrow("name the site");
  expect(() => blockOf({ payload: { ...payload, end_time: null } }, "site_1")).toThrow("payload.end_time");
  expect(() => blockOf({ payload: { ...payload, available: true } }, "site_1")).toThrow("available can only be false");
});
