import { createTestDispatch, deleteWebhook, operator } from "@curtail/contract";
import { receiver } from "@curtail/testing/receiver";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { recorded } from "../../support/recorded.js";
import { type Running, running } from "../../support/running.js";
import { poll, subscribe, unreachable } from "../../support/unreachable.js";

// Reliability R9: the age of the oldest undelivered notice, without exclusions; and who cannot be reached.
let service: Running;

beforeAll(async () => {
  service = await running();
});

const scrape = async (on = service): Promise<string> => {
  const response = await fetch(`${on.url}/metrics`);
  expect(response.status).toBe(200);
  return response.text();
};

/** The value of a sample, by its name with labels; NaN if there is none. */
const sample = async (name: string, on = service): Promise<number> => {
  const line = (await scrape(on)).split("\n").find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1) ?? Number.NaN);
};

const oldest = (on = service) => sample("curtail_oldest_undelivered_notice_seconds", on);

describe("the age of the oldest undelivered notice", () => {
  test("is 0 without one, counts from when it was due, and ends when all are delivered", async () => {
    const { programId, hooks } = await unreachable(service, [], 1);
    await poll(() => oldest(), 0);
    const { id } = await newDispatch(service, programId, { notification_time: ahead(service, { minutes: 1 }) });
    await poll(() => oldest(), 0);
    service.clock.advance({ seconds: 70 });
    await poll(() => oldest(), 10);
    await recorded(service, id, 1);
    service.clock.advance({ seconds: 1 });
    await poll(() => oldest(), 11);
    for (const hook of hooks) hook.answer = 200;
    service.clock.advance({ seconds: 60 });
    await poll(() => oldest(), 0);
  });

  test("does not leave out a participant's own test, but what was dropped for a disabled account", async () => {
    const { participant, hooks } = await unreachable(service, [], 1);
    const hours = { start_time: ahead(service, { hours: 1 }), end_time: ahead(service, { hours: 2 }) };
    const { id } = (await participant.call(createTestDispatch, { body: hours })).body;
    await recorded(service, id, 1);
    service.clock.advance({ seconds: 1 });
    await poll(() => oldest(), 1);
    await service.made(operator.changeAccount, {
      params: { id: participant.accountId },
      body: { disabled: true, confirm_running: true },
    });
    await poll(() => oldest(), 0);
    expect(await hooks[0]?.notices(1)).toHaveLength(1);
  });
});

test("alarms that nobody has acknowledged are counted by kind, 0 for a kind without any", async () => {
  const on = await running();
  const open = (kind: string) => sample(`curtail_open_alarms{kind="${kind}"}`, on);
  const [participant, hook] = [await on.newParticipant(), await receiver()];
  const webhookId = await subscribe(participant, hook);
  await newDispatch(on, await newProgram(on, [participant]));
  await hook.notices(1);
  await participant.call(deleteWebhook, { params: { id: webhookId } });
  expect([await open("last_webhook_deleted"), await open("notice_failed")]).toEqual([1, 0]);
  const [alarm] = (await on.operator(operator.listAlarms)).body.items;
  await on.made(operator.acknowledgeAlarm, { params: { id: alarm?.id ?? "" } });
  await poll(() => open("last_webhook_deleted"), 0);
});

describe("a scrape is answered with the rest", () => {
  const gauges = ["oldest_undelivered_notice_seconds", "unreached_dispatch_accounts", "open_alarms"];
  const shown = (text: string) => gauges.filter((name) => new RegExp(`^curtail_${name}[ {]`, "m").test(text));

  test("while the database is away, and with all once it is back", async () => {
    const on = await running();
    expect(shown(await scrape(on))).toEqual(gauges);
    await on.database.cutOff();
    await poll(async () => shown(await scrape(on)), []);
    expect(await scrape(on)).toContain("curtail_telemetry_readings_total 0");
    await on.database.letIn();
    await poll(async () => shown(await scrape(on)), gauges);
  });

  test("while the database does not respond a gauge in time", async () => {
    const on = await running();
    const client = await on.database.pool.connect();
    await client.query("begin");
    await client.query("lock table alarms in access exclusive mode");
    expect(shown(await scrape(on))).toEqual(gauges.slice(0, 2));
    await client.query("rollback");
    client.release();
    await poll(async () => shown(await scrape(on)), gauges);
  });
});
