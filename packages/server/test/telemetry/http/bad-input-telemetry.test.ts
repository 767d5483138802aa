import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import { pointsOf } from "../../support/reading.js";
import { type Participant, type Running, running } from "../../support/running.js";

let service: Running;
let anna: Participant;

beforeAll(async () => {
  service = await running({ CURTAIL_RATE_LIMIT: "100000" });
  anna = await service.newParticipant({ sites: [["main"], ["a", "b"], []] });
});

const at = (seconds: number): string => new Date(service.clock.now().getTime() + seconds * 1000).toISOString();
const reading = (change: object = {}) => ({
  interval_seconds: 60,
  meter_id: anna.sites[0]?.meters[0],
  timestamp: at(-3600),
  kW: 1,
  ...change,
});
const shapeB = (change: object = {}) => reading({ kW: undefined, value: 1, units: "kW", ...change });

const storedHours = async (): Promise<number> =>
  (await service.database.pool.query("select * from telemetry_hours")).rows.length;

const upload = (...telemetry: unknown[]) => anna.call("POST", "/telemetry", { telemetry });

const expectRefused = async (bad: unknown, message: RegExp): Promise<void> => {
  expectError(await upload(reading(), bad), 400, message);
  expect(await storedHours()).toBe(0);
};

describe("POST /telemetry refuses", () => {
  test("I1: an interval that 30 does not divide", async () => {
    for (const interval_seconds of [31, 45, 29, 1, 30.5, 299])
      await expectRefused(reading({ interval_seconds }), /^telemetry\[1\]\.interval_seconds/);
  });

  test("I2: an interval of more than 300 seconds", async () => {
    for (const interval_seconds of [330, 600, 3600, 2 ** 31, 1e308])
      await expectRefused(reading({ interval_seconds }), /^telemetry\[1\]\.interval_seconds/);
  });

  test("I1: an interval that is no positive number", async () => {
    for (const interval_seconds of [0, -30, null, "60", [60], {}, true, undefined])
      await expectRefused(reading({ interval_seconds }), /^telemetry\[1\]\.interval_seconds/);
  });

  test("I5: one bad reading among 999 good ones, and stores nothing", async () => {
    const good = Array.from({ length: 999 }, (_, index) => reading({ timestamp: at(-60 * index) }));
    expectError(await upload(...good, reading({ interval_seconds: 45 })), 400, /^telemetry\[999\]\.interval_seconds/);
    expectError(await upload(reading({ timestamp: at(301) }), ...good), 400, /^telemetry\[0\]\.timestamp/);
    expect(await storedHours()).toBe(0);
  });

  test("I6: a reading with both meter_id and site_id", () =>
    expectRefused(reading({ site_id: anna.sites[0]?.id }), /^telemetry\[1\].*both meter_id and site_id/));

  test("I7: a reading with neither", async () => {
    for (const meter_id of [undefined, null])
      await expectRefused(reading({ meter_id }), /^telemetry\[1\].*neither meter_id nor site_id/);
  });

  test("I8: an id that is empty, a number or of another kind", async () => {
    for (const meter_id of ["", 5, [], {}, "x".repeat(10_000), anna.sites[0]?.id])
      await expectRefused(reading({ meter_id }), /^telemetry\[1\]\.meter_id/);
  });

  test("I10: a site without a meter or with several", async () => {
    await expectRefused(reading({ meter_id: undefined, site_id: anna.sites[1]?.id }), /site_id.*several meters/);
    await expectRefused(reading({ meter_id: undefined, site_id: anna.sites[2]?.id }), /site_id.*without a meter/);
  });

  test("I11: a power that is null, text, a list or missing", async () => {
    for (const kW of ["1", "", [1], {}, true]) await expectRefused(reading({ kW }), /^telemetry\[1\]\.kW/);
    for (const value of ["1", [], false]) await expectRefused(shapeB({ value }), /^telemetry\[1\]\.value/);
    for (const absent of [undefined, null]) {
      await expectRefused(reading({ kW: absent }), /^telemetry\[1\] has no power/);
      await expectRefused(shapeB({ value: absent }), /^telemetry\[1\] has no power/);
      await expectRefused(shapeB({ units: absent }), /^telemetry\[1\] has no power/);
    }
  });

  test("I11: a power that is not finite or beyond 10,000,000 kW", async () => {
    for (const number of ["1e999", "-1e999", "10000000.5", "-10000001", "NaN", "Infinity"]) {
      const body = JSON.stringify({ telemetry: [reading()] }).replace('"kW":1', `"kW":${number}`);
      expectError(await anna.call("POST", "/telemetry", body), 400);
    }
    await expectRefused(reading({ kW: 10_000_001 }), /^telemetry\[1\]\.kW is 10000001 kW;.*10000000 kW/);
    await expectRefused(shapeB({ units: "kWh", value: 200_000 }), /^telemetry\[1\]\.value is.*10000000 kW/);
    expect(await storedHours()).toBe(0);
  });

  test("G20: units that are neither kW nor kWh, and a reading of two shapes", async () => {
    for (const units of ["kw", "KW", "W", "MWh", "", null, 5]) await expectRefused(shapeB({ units }), /units/);
    await expectRefused(reading({ value: 1 }), /two shapes/);
    await expectRefused(reading({ units: "kW" }), /two shapes/);
    await expectRefused(reading({ value: 1, units: "kW" }), /two shapes/);
  });

  test.for([
    "2026-01-01T00:00:00",
    "2022-02-30T00:00:00Z",
    "2023-02-29T00:00:00Z",
    "1700000000",
    "now",
    "infinity",
    "",
    "today",
  ])("I17: the timestamp %s", (timestamp) => expectRefused(reading({ timestamp }), /^telemetry\[1\]\.timestamp/));

  test("I17: a timestamp that is a number, null or missing", async () => {
    for (const timestamp of [1_700_000_000, 1_700_000_000_000, null, undefined, [], {}])
      await expectRefused(reading({ timestamp }), /^telemetry\[1\]\.timestamp/);
  });

  test("I18: a timestamp more than 5 minutes ahead", async () => {
    for (const timestamp of [at(300.001), at(3600), "2100-01-01T00:00:00Z", "9999-12-31T23:59:59Z"])
      await expectRefused(reading({ timestamp }), /^telemetry\[1\]\.timestamp.*future/);
  });

  test("a list that is no list, or holds no readings", async () => {
    for (const telemetry of [null, {}, "x", 5, undefined])
      expectError(await anna.call("POST", "/telemetry", { telemetry }), 400, /^telemetry/);
    for (const bad of [null, [], "x", 5]) await expectRefused(bad, /^telemetry\[1\]/);
  });

  test("G6: an upload with 25 bad readings, naming 20 of them", async () => {
    for (const change of [{ interval_seconds: 45 }, { kW: null }, { timestamp: "now" }, { meter_id: undefined }]) {
      const { status, body } = await upload(...Array.from({ length: 25 }, () => reading(change)));
      expectError({ status, body }, 400, /5 more/);
      expect(new Set(body.message.match(/telemetry\[\d+\]/g)).size).toBe(20);
    }
  });
});

describe("POST /telemetry takes", () => {
  test("an empty list", async () => {
    expect((await upload()).body).toEqual({ received: 0 });
  });

  test("I18: a timestamp just 5 minutes ahead, I13: a negative power, and members it does not know", async () => {
    const { status, body } = await upload(reading({ timestamp: at(300), kW: -7.5, note: { kW: 9 }, id: "x" }));
    expect({ status, body }).toEqual({ status: 200, body: { received: 1 } });
    expect(new Set((await pointsOf(anna, service.clock.now())).map(([, kw]) => kw))).toEqual(new Set([-7.5]));
  });

  test("I10: a site_id where the site has exactly one meter", async () => {
    expect((await upload(reading({ meter_id: undefined, site_id: anna.sites[0]?.id }))).status).toBe(200);
  });

  test("G27: a power of exactly 10,000,000 kW", async () => {
    expect((await upload(reading({ kW: 10_000_000 }), reading({ kW: -10_000_000 }))).status).toBe(200);
  });
});
