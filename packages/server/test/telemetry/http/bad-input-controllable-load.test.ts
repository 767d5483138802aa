import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import { type Participant, type Running, running } from "../../support/running.js";

let service: Running;
let anna: Participant;

beforeAll(async () => {
  service = await running({ CURTAIL_MAX_READINGS: "1000" });
  anna = await service.newParticipant();
});

const reading = (change: object = {}) => ({
  interval_seconds: 60,
  site_id: anna.sites[0]?.id,
  timestamp: "2026-07-01T12:00:00Z",
  units: "kW",
  value: 10,
  ...change,
});

const stored = async (): Promise<Array<{ interval_seconds: number; kw: number }>> => {
  const { rows } = await service.database.pool.query("select interval_seconds, kw from controllable_load order by at");
  return rows;
};

const upload = (...controllable_load: unknown[]) =>
  anna.call("POST", "/telemetry/controllable-load", { controllable_load });

const expectRefused = async (bad: unknown, message: RegExp): Promise<void> => {
  expectError(await upload(reading(), bad), 400, message);
  expect(await stored()).toEqual([]);
};

describe("POST /telemetry/controllable-load refuses", () => {
  test("J5: an interval that is no whole number from 1 to 86,400", async () => {
    for (const interval_seconds of [0, -60, 1.5, 86_401, 2 ** 31, null, "60", undefined])
      await expectRefused(reading({ interval_seconds }), /^controllable_load\[1\]\.interval_seconds/);
  });

  test("J2: a site that is unknown, missing or a meter", async () => {
    for (const site_id of ["site_0000000000000000", "", null, undefined, 5, anna.sites[0]?.meters[0]])
      await expectRefused(reading({ site_id }), /^controllable_load\[1\]\.site_id/);
  });

  test("G28: units other than kW, and a value that is no finite number", async () => {
    for (const units of ["kWh", "kw", null, undefined]) await expectRefused(reading({ units }), /units/);
    for (const value of [null, "1", undefined, [], 10_000_001, -10_000_001])
      await expectRefused(reading({ value }), /^controllable_load\[1\]\.value/);
    const body = JSON.stringify({ controllable_load: [reading()] }).replace('"value":10', '"value":1e999');
    expectError(await anna.call("POST", "/telemetry/controllable-load", body), 400, /value/);
  });

  test("P: a timestamp without an offset, no real day, a word or a number", async () => {
    for (const timestamp of [
      "2026-07-01T12:00:00",
      "2022-02-30T00:00:00Z",
      "now",
      "infinity",
      "300000-01-01T00:00:00Z",
    ])
      await expectRefused(reading({ timestamp }), /^controllable_load\[1\]\.timestamp/);
    for (const timestamp of ["1969-12-31T23:59:59Z", 5, null, undefined])
      await expectRefused(reading({ timestamp }), /^controllable_load\[1\]\.timestamp/);
  });

  test("I26: more readings than the limit, saying it", async () => {
    expectError(await upload(...Array.from({ length: 1001 }, () => reading())), 400, /1000/);
    expect(await stored()).toEqual([]);
  });

  test("another list than controllable_load", async () => {
    const answer = await anna.call("POST", "/telemetry/controllable-load", { telemetry: [reading()] });
    expectError(answer, 400, /^controllable_load is missing/);
  });
});

describe("POST /telemetry/controllable-load takes", () => {
  test("J5: intervals of 45, 3600 and 86,400 seconds, and keeps them as sent", async () => {
    const sent = [45, 3600, 86_400].map((interval_seconds, hour) =>
      reading({ interval_seconds, timestamp: `2026-07-01T0${hour}:00:00Z` }),
    );
    expect((await upload(...sent)).body).toEqual({ received: 3 });
    expect((await stored()).map((row) => row.interval_seconds)).toEqual([45, 3600, 86_400]);
  });

  test("G28: the last of two readings for one site and moment, inside a request and across requests", async () => {
    const timestamp = "2026-07-02T00:00:00Z";
    await upload(reading({ timestamp, value: 1 }), reading({ timestamp, value: 2 }));
    expect((await stored()).at(-1)?.kw).toBe(2);
    await upload(reading({ timestamp, value: 3 }));
    expect((await stored()).at(-1)?.kw).toBe(3);
    expect(await stored()).toHaveLength(4);
  });

  test("forecasts too far ahead, to the last moment of the year 9999, are refused", async () => {
    const far = ["2031-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59-23:59"];
    for (const timestamp of far) expect((await upload(reading({ timestamp }))).status).toBe(400);
  });
});
