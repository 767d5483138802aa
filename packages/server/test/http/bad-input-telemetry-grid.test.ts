import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Points, pointsOf } from "../support/reading.js";
import { type Participant, type Running, running } from "../support/running.js";

let service: Running;
let anna: Participant;

beforeAll(async () => {
  service = await running();
  service.clock.set(new Date("2026-07-01T12:30:00Z"));
});

beforeEach(async () => {
  anna = await service.newParticipant();
});

const shapeA = (time: string, kW: number, interval_seconds = 30) => ({
  interval_seconds,
  meter_id: anna.sites[0]?.meters[0],
  timestamp: `2026-07-01T${time}Z`,
  kW,
});

const upload = async (...telemetry: object[]): Promise<void> => {
  const answer = await anna.call("POST", "/telemetry", { telemetry });
  expect(answer.body).toEqual({ received: telemetry.length });
};

const points = () => pointsOf(anna, service.clock.now());
const at = (time: string, kw: number): Points[number] => [`2026-07-01T${time}Z`, kw];

describe("stored readings", () => {
  test("I13: keep their sign", async () => {
    await upload(shapeA("12:00:00", -12.25));
    expect(await points()).toEqual([at("12:00:00", -12.25)]);
  });

  test("I16: 1 kWh over 60 seconds reads back as 60 kW in each cell", async () => {
    const { kW: _, ...bare } = shapeA("12:01:00", 0, 60);
    await upload({ ...bare, units: "kWh", value: 1 });
    expect(await points()).toEqual([at("12:00:30", 60), at("12:01:00", 60)]);
  });

  test("I21: an exact duplicate is one point, inside a request and across requests", async () => {
    const reading = shapeA("12:00:00", 3);
    await upload(reading, reading);
    await upload(reading);
    expect(await points()).toEqual([at("12:00:00", 3)]);
  });

  test("I21: the same moment with another offset or precision is the same point", async () => {
    await upload(shapeA("12:00:00", 3));
    await upload({ ...shapeA("", 4), timestamp: "2026-07-01T14:00:00.000000+02:00" });
    expect(await points()).toEqual([at("12:00:00", 4)]);
  });

  test("I22: of two values for one moment the last stays, inside a request and across requests", async () => {
    await upload(shapeA("12:00:00", 3), shapeA("12:00:00", 4));
    expect(await points()).toEqual([at("12:00:00", 4)]);
    await upload(shapeA("12:00:00", 5));
    expect(await points()).toEqual([at("12:00:00", 5)]);
    await upload(shapeA("12:00:00", 3));
    expect(await points()).toEqual([at("12:00:00", 3)]);
  });

  test("I23: a later short interval replaces only the cells it covers of a longer one", async () => {
    await upload(shapeA("12:05:00", 10, 300));
    await upload(shapeA("12:02:00", 1, 60));
    const kw = (await points()).map(([, value]) => value);
    expect(kw).toEqual([10, 10, 1, 1, 10, 10, 10, 10, 10, 10]);
  });

  test("I23: a later long interval replaces all cells it covers, and nothing is counted twice", async () => {
    await upload(shapeA("12:02:00", 1, 60), shapeA("12:05:00", 10, 300));
    expect(await points()).toHaveLength(10);
    expect(new Set((await points()).map(([, value]) => value))).toEqual(new Set([10]));
  });

  test("G23: a gap stays a gap", async () => {
    await upload(shapeA("12:00:00", 1), shapeA("12:01:00", 2));
    expect(await points()).toEqual([at("12:00:00", 1), at("12:01:00", 2)]);
  });
});
