import { operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ahead } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { firstOf, kwReading, pointsOf, read, upload } from "../../support/metering.js";
import { type Points, pointsOf as pointsUntil } from "../../support/reading.js";
import { type Participant, type Running, running } from "../../support/running.js";

// Specification, endpoint 7: POST /telemetry; G20, G22, G27.
let service: Running;
let anna: Participant;
let siteId: string;
let meterId: string;

beforeAll(async () => {
  service = await running();
  service.clock.set(new Date("2026-07-01T20:00:00Z"));
});

beforeEach(async () => {
  anna = await service.newParticipant();
  ({ siteId, meterId } = firstOf(anna));
});

const HOUR = { start_time: "2026-07-01T18:00:00Z", end_time: "2026-07-01T19:00:00Z" };
const stored = async () => pointsOf(await read(anna, [siteId], HOUR), meterId);

describe("an upload", () => {
  test("of both shapes at once is stored and counted", async () => {
    const rest = { meter_id: meterId, interval_seconds: 30 };
    const answer = await upload(anna, [
      { ...rest, timestamp: "2026-07-01T18:00:30Z", kW: 1.5 },
      { ...rest, timestamp: "2026-07-01T18:01:00Z", value: -2, units: "kW" },
      { ...rest, timestamp: "2026-07-01T18:01:30Z", value: 0.05, units: "kWh" },
    ]);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ received: 3 });
    expect(await stored()).toEqual([
      ["2026-07-01T18:00:30Z", 1.5],
      ["2026-07-01T18:01:00Z", -2],
      ["2026-07-01T18:01:30Z", 6],
    ]);
  });

  test("without readings is taken", async () => {
    expect((await upload(anna, [])).body).toEqual({ received: 0 });
  });

  test("of every length that divides by 30 up to 300 seconds is taken, of others not", async () => {
    for (let seconds = 30; seconds <= 300; seconds += 30) {
      expect((await upload(anna, [kwReading(meterId, HOUR.end_time, 1, seconds)])).status).toBe(200);
    }
    expect(await stored()).toHaveLength(10);
    for (const seconds of [0, 15, 45, 330]) {
      expectError(
        await upload(anna, [kwReading(meterId, HOUR.end_time, 1, seconds)]),
        400,
        /telemetry\[0\]\.interval_seconds/,
      );
    }
  });

  test("holds several meters, gaps, and readings in any order", async () => {
    const ben = await service.newParticipant({ sites: [["one"], ["two", "three"]] });
    const [one = "", two = "", three = ""] = ben.sites.flatMap((site) => site.meters);
    await upload(ben, [
      kwReading(three, "2026-07-01T18:30:00Z", 3),
      kwReading(one, "2026-07-01T18:59:30Z", 2),
      kwReading(two, "2026-07-01T18:10:00Z", 5),
      kwReading(one, "2026-07-01T18:00:30Z", 1),
    ]);
    const answer = await read(
      ben,
      ben.sites.map((site) => site.id),
      HOUR,
    );
    expect([one, two, three].map((meter) => pointsOf(answer, meter))).toEqual([
      [
        ["2026-07-01T18:00:30Z", 1],
        ["2026-07-01T18:59:30Z", 2],
      ],
      [["2026-07-01T18:10:00Z", 5]],
      [["2026-07-01T18:30:00Z", 3]],
    ]);
  });

  test("sent again changes nothing, and a correction replaces what it covers", async () => {
    const first = [kwReading(meterId, "2026-07-01T18:05:00Z", 100, 300)];
    await upload(anna, first);
    const before = await stored();
    await upload(anna, first);
    expect(await stored()).toEqual(before);
    await upload(anna, [kwReading(meterId, "2026-07-01T18:02:00Z", 7, 60)]);
    expect(await stored()).toEqual(before.map(([at, kw], index) => [at, index === 2 || index === 3 ? 7 : kw]));
  });

  test("of which one reading breaks a rule stores none", async () => {
    const good = kwReading(meterId, "2026-07-01T18:00:30Z", 1);
    const answer = await upload(anna, [
      good,
      { ...good, site_id: siteId },
      good,
      { ...good, timestamp: "2026-02-30T00:00:00Z" },
    ]);
    expectError(answer, 400, /telemetry\[1\] names both.*telemetry\[3\]\.timestamp.*Nothing was stored/);
    expect(await stored()).toEqual([]);
  });

  test("up to 5 minutes ahead is taken, further ahead not", async () => {
    expect((await upload(anna, [kwReading(meterId, ahead(service, { minutes: 5 }), 1)])).status).toBe(200);
    const late = await upload(anna, [kwReading(meterId, ahead(service, { minutes: 5, seconds: 1 }), 1)]);
    expectError(late, 400, /in the future; timestamps may be at most 5 minutes/);
  });

  test("of many years ago is taken and kept", async () => {
    await upload(anna, [kwReading(meterId, "1999-12-31T23:59:30Z", 4)]);
    service.clock.advance({ days: 1 });
    const window = { start_time: "1999-12-31T00:00:00Z", end_time: "2000-01-01T00:00:00Z" };
    expect(pointsOf(await read(anna, [siteId], window), meterId)).toEqual([["1999-12-31T23:59:30Z", 4]]);
    service.clock.advance({ days: -1 });
  });

  test("of up to 10,000,000 kW is taken in either direction", async () => {
    const [low, high] = [-10_000_000, 10_000_000];
    await upload(anna, [
      kwReading(meterId, "2026-07-01T18:00:30Z", low),
      kwReading(meterId, "2026-07-01T18:01:00Z", high),
    ]);
    expect((await stored()).map(([, kw]) => kw)).toEqual([low, high]);
    expectError(await upload(anna, [kwReading(meterId, HOUR.end_time, 10_000_001)]), 400, /at most 10000000 kW/);
  });

  test("keeps every digit of a power", async () => {
    const powers = [0.1, 1 / 3, 1e-7, -1.7976931348623157e-300, 123456.789012345, 5e-324];
    await upload(
      anna,
      powers.map((kw, index) => kwReading(meterId, `2026-07-01T18:0${index + 1}:00Z`, kw)),
    );
    expect((await stored()).map(([, kw]) => kw)).toEqual(powers);
  });
});

// Specification, endpoint 7: which meter a reading belongs to; G4, G26.
const bySite = (site_id: string) => ({ site_id, interval_seconds: 30, timestamp: "2026-07-01T18:00:30Z", kW: 8 });
const byMeter = (meterId: string) => kwReading(meterId, "2026-07-01T18:00:30Z", 1);

describe("a reading that names a site (G26)", () => {
  test("belongs to its only meter", async () => {
    expect((await upload(anna, [bySite(siteId)])).body).toEqual({ received: 1 });
    expect(await stored()).toEqual([["2026-07-01T18:00:30Z", 8]]);
  });

  test("is refused where the site has several meters, or none", async () => {
    const ben = await service.newParticipant({ sites: [["a", "b"], []] });
    const [several = "", none = ""] = ben.sites.map((site) => site.id);
    expectError(await upload(ben, [bySite(several)]), 400, /telemetry\[0\]\.site_id .*several meters; give meter_id/);
    expectError(await upload(ben, [bySite(none)]), 400, /telemetry\[0\]\.site_id .*without a meter/);
  });

  test("is refused from the moment the site has a second meter", async () => {
    await upload(anna, [bySite(siteId)]);
    await service.made(operator.createMeter, { params: { id: siteId }, body: { name: "second" } });
    expectError(await upload(anna, [bySite(siteId)]), 400, /several meters/);
  });
});

describe("a meter or site of another account", () => {
  test("is answered like one that does not exist, and nothing is stored (G4)", async () => {
    const ben = await service.newParticipant();
    const mine = byMeter(firstOf(ben).meterId);
    const foreign = await upload(ben, [mine, { ...mine, meter_id: meterId }]);
    expectError(foreign, 400, /telemetry\[1\]\.meter_id names no meter of this account/);
    expect(foreign.text).toBe((await upload(ben, [mine, { ...mine, meter_id: "mtr_0000000000000000" }])).text);
    expect(pointsOf(await read(ben, [firstOf(ben).siteId], HOUR), firstOf(ben).meterId)).toEqual([]);
  });

  test("a new meter is known at once, even after a failed lookup", async () => {
    expectError(await upload(anna, [byMeter("mtr_0000000000000000")]), 400);
    const meter = await service.made(operator.createMeter, { params: { id: siteId }, body: { name: "new" } });
    expect((await upload(anna, [byMeter(meter.id)])).status).toBe(200);
  });
});

const at = (time: string, kw: number): Points[number] => [`2026-07-01T${time}Z`, kw];

const points = () => pointsUntil(anna, service.clock.now());

const uploaded = async (...telemetry: object[]): Promise<void> => {
  const answer = await anna.call("POST", "/telemetry", { telemetry });
  expect(answer.body).toEqual({ received: telemetry.length });
};

const shapeA = (time: string, kW: number, interval_seconds = 30) => ({
  interval_seconds,
  meter_id: anna.sites[0]?.meters[0],
  timestamp: `2026-07-01T${time}Z`,
  kW,
});

describe("stored readings", () => {
  beforeAll(async () => {
    service.clock.set(new Date("2026-07-01T12:30:00Z"));
  });

  test("I13: keep their sign", async () => {
    await uploaded(shapeA("12:00:00", -12.25));
    expect(await points()).toEqual([at("12:00:00", -12.25)]);
  });

  test("I16: 1 kWh over 60 seconds reads back as 60 kW in each cell", async () => {
    const { kW: _, ...bare } = shapeA("12:01:00", 0, 60);
    await uploaded({ ...bare, units: "kWh", value: 1 });
    expect(await points()).toEqual([at("12:00:30", 60), at("12:01:00", 60)]);
  });

  test("I21: an exact duplicate is one point, inside a request and across requests", async () => {
    const reading = shapeA("12:00:00", 3);
    await uploaded(reading, reading);
    await uploaded(reading);
    expect(await points()).toEqual([at("12:00:00", 3)]);
  });

  test("I21: the same moment with another offset or precision is the same point", async () => {
    await uploaded(shapeA("12:00:00", 3));
    await uploaded({ ...shapeA("", 4), timestamp: "2026-07-01T14:00:00.000000+02:00" });
    expect(await points()).toEqual([at("12:00:00", 4)]);
  });

  test("I22: of two values for one moment the last stays, inside a request and across requests", async () => {
    await uploaded(shapeA("12:00:00", 3), shapeA("12:00:00", 4));
    expect(await points()).toEqual([at("12:00:00", 4)]);
    await uploaded(shapeA("12:00:00", 5));
    expect(await points()).toEqual([at("12:00:00", 5)]);
    await uploaded(shapeA("12:00:00", 3));
    expect(await points()).toEqual([at("12:00:00", 3)]);
  });

  test("I23: a later short interval replaces only the cells it covers of a longer one", async () => {
    await uploaded(shapeA("12:05:00", 10, 300));
    await uploaded(shapeA("12:02:00", 1, 60));
    const kw = (await points()).map(([, value]) => value);
    expect(kw).toEqual([10, 10, 1, 1, 10, 10, 10, 10, 10, 10]);
  });

  test("I23: a later long interval replaces all cells it covers, and nothing is counted twice", async () => {
    await uploaded(shapeA("12:02:00", 1, 60), shapeA("12:05:00", 10, 300));
    expect(await points()).toHaveLength(10);
    expect(new Set((await points()).map(([, value]) => value))).toEqual(new Set([10]));
  });

  test("G23: a gap stays a gap", async () => {
    await uploaded(shapeA("12:00:00", 1), shapeA("12:01:00", 2));
    expect(await points()).toEqual([at("12:00:00", 1), at("12:01:00", 2)]);
  });
});
