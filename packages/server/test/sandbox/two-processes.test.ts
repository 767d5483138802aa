import { createScenario, reportScenario, uploadTelemetry } from "@curtail/contract";
import { beforeAll, expect, test } from "vitest";
import { httpClient, type Send } from "../support/http-client.js";
import { claimedKey, type Running, running } from "../support/running.js";
import { inMinutes, LAKESIDE, LAKESIDE_METER, scenarioOf } from "../support/scenario.js";

let service: Running;
let processes: readonly [Send, Send];

beforeAll(async () => {
  service = await running({ CURTAIL_RATE_LIMIT: "100000" });
  const second = await service.second();
  const { accountId } = await service.newParticipant();
  const { key } = await claimedKey(service, accountId, "sandbox");
  const at = (url: string): Send => httpClient(`${url}/2022-04-15`, { "x-service-api-key": key });
  processes = [at(service.sandboxUrl), at(second.sandboxUrl)];
});

const held = async (): Promise<number> =>
  Number((await service.database.pool.query("select count(*) from sandbox.readings")).rows[0].count);

const send = async (nth: number, kW: number): Promise<void> => {
  const reading = { interval_seconds: 60, timestamp: inMinutes(service, 0), meter_id: LAKESIDE_METER, kW };
  const { status } = await (processes[nth % 2] ?? processes[0])(uploadTelemetry, { body: { telemetry: [reading] } });
  expect(status).toBe(200);
};

test("a run whose readings go to one process and the other is judged alike by both, and by one after the other stopped", async () => {
  const [one, other] = processes;
  await send(0, 200);
  service.clock.advance({ minutes: 1 });
  await send(1, 200);
  service.clock.advance({ seconds: 1 });
  const times = {
    notification_time: inMinutes(service, 0),
    start_time: inMinutes(service, 10),
    end_time: inMinutes(service, 20),
  };
  const created = await one(createScenario, { body: scenarioOf(service, "basic", times) });
  const { id } = created.body;
  for (let minute = 0; minute < 36; minute++) {
    service.clock.advance({ minutes: 1 });
    await send(minute, minute < 9 || minute > 19 ? 200 : 95);
  }
  const params = { id };
  const [here, there] = [await one(reportScenario, { params }), await other(reportScenario, { params })];
  expect(there.body).toEqual(here.body);
  expect(here.body.state).toBe("final");
  for (const name of ["curtailed_in_time", "returned_after"])
    expect(here.body.criteria).toContainEqual(expect.objectContaining({ name, site_id: LAKESIDE, result: "passed" }));
  await service.stop();
  expect((await other(reportScenario, { params })).body).toEqual(here.body);
  // Minutes later, no run can use them any more.
  expect(await held()).toBeGreaterThan(0);
  service.clock.advance({ minutes: 12 });
  await expect.poll(held).toBe(0);
});
