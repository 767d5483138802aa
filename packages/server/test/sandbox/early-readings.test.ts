import { createTestDispatch, listScenarios, reportScenario, uploadTelemetry } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { type Running, running } from "../support/running.js";
import { inMinutes, LAKESIDE, LAKESIDE_METER, newPlayer, type Player } from "../support/scenario.js";

let service: Running;

beforeAll(async () => {
  service = await running({ CURTAIL_RATE_LIMIT: "100000" });
});

const send = (player: Player, kW: number, minutes = 0) =>
  player.call(uploadTelemetry, {
    body: {
      telemetry: [{ interval_seconds: 60, timestamp: inMinutes(service, minutes), meter_id: LAKESIDE_METER, kW }],
    },
  });

/** Starts at once, curtails at the start, and returns the report. */
const curtailedAfter = async (player: Player, more: object = {}): Promise<unknown> => {
  const { id } = await player.play("basic", {
    notification_time: inMinutes(service, 0),
    start_time: inMinutes(service, 6),
    ...more,
  });
  service.clock.advance({ minutes: 6 });
  await send(player, 100);
  const { body } = await player.call(reportScenario, { params: { id } });
  return body.criteria.find(({ name }) => name === "curtailed_in_time");
};

describe("readings of the ten minutes before POST /scenarios", () => {
  test("count for its report, sent by the meter and before there was any scenario", async () => {
    const player = await newPlayer(service);
    await send(player, 190);
    service.clock.advance({ minutes: 5 });
    await send(player, 210);
    service.clock.advance({ seconds: 1 });
    expect(await curtailedAfter(player)).toMatchObject({ result: "passed", site_id: LAKESIDE });
  });

  test("count where another scenario ran when they were sent", async () => {
    const player = await newPlayer(service);
    await player.play("basic");
    await send(player, 200);
    service.clock.advance({ minutes: 1 });
    expect(await curtailedAfter(player)).toMatchObject({ result: "passed" });
  });

  test("count for a test dispatch of its own, too", async () => {
    const player = await newPlayer(service);
    await send(player, 200);
    service.clock.advance({ seconds: 30 });
    const period = { start_time: inMinutes(service, 6), end_time: inMinutes(service, 10) };
    await player.call(createTestDispatch, { body: period });
    const id = (await player.call(listScenarios)).body.scenarios[0]?.id ?? "";
    service.clock.advance({ minutes: 6 });
    await send(player, 80);
    const { criteria } = (await player.call(reportScenario, { params: { id } })).body;
    expect(criteria).toContainEqual(
      expect.objectContaining({ name: "curtailed_in_time", site_id: LAKESIDE, result: "passed" }),
    );
  });

  test("do not count when they are older, by the speed too, or another account's", async () => {
    const [player, other] = [await newPlayer(service), await newPlayer(service)];
    await send(player, 200);
    service.clock.advance({ minutes: 10, seconds: 1 });
    await send(other, 200);
    expect(await curtailedAfter(player)).toMatchObject({ result: "not_seen", detail: expect.stringMatching(/before/) });
    const fast = await newPlayer(service);
    await send(fast, 200);
    service.clock.advance({ minutes: 2 });
    expect(await curtailedAfter(fast, { speed: 10 })).toMatchObject({ result: "not_seen" });
  });
});
