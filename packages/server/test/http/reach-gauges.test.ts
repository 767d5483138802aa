import { beforeAll, describe, expect, test } from "vitest";
import { ahead, newDispatch, newProgram } from "../support/dispatching.js";
import { type Receiver, receiver } from "../support/receiver.js";
import { recorded } from "../support/recorded.js";
import { type Participant, type Running, running } from "../support/running.js";
import { failForGood, poll, subscribe, unreachable } from "../support/unreachable.js";

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

/** The value of a sample, by its name with labels; NaN where there is none. */
const sample = async (name: string, on = service): Promise<number> => {
  const line = (await scrape(on)).split("\n").find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1) ?? Number.NaN);
};

const oldest = (on = service) => sample("curtail_oldest_undelivered_notice_seconds", on);
const unhealthy = (on = service) => sample("curtail_accounts_without_healthy_channel", on);

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

  test("leaves out neither a participant's own test nor a disabled account", async () => {
    const { participant, hooks } = await unreachable(service, [], 1);
    const hours = { start_time: ahead(service, { hours: 1 }), end_time: ahead(service, { hours: 2 }) };
    const { id } = (await participant.call("POST", "/dispatches", hours)).body;
    await service.made("PATCH", `/accounts/${participant.accountId}`, { disabled: true });
    await recorded(service, id, 1);
    service.clock.advance({ seconds: 1 });
    await poll(() => oldest(), 1);
    for (const hook of hooks) hook.answer = 200;
    service.clock.advance({ seconds: 60 });
    await poll(() => oldest(), 0);
  });
});

/** An account whose key was last used long ago. */
const silent = async (on: Running): Promise<{ readonly participant: Participant; readonly hook: Receiver }> => {
  const [participant, hook] = [await on.newParticipant(), await receiver()];
  return { participant, hook };
};

describe("accounts without a healthy channel", () => {
  test("are those with sites, not disabled, whose webhooks failed last or are none, and that do not poll", async () => {
    const on = await running();
    await on.made("POST", "/accounts", { name: "Without sites" });
    await poll(() => unhealthy(on), 0);
    const { participant, hook } = await silent(on);
    await poll(() => unhealthy(on), 1);
    await subscribe(participant, hook);
    await poll(() => unhealthy(on), 0);

    hook.answer = 503;
    const program = await newProgram(on, [participant]);
    const { id } = await newDispatch(on, program);
    await failForGood(on, id, 1);
    // The use of the key at the registration is noted some time later, as if it were a poll of then.
    const laterUnhealthy = async () => {
      on.clock.advance({ minutes: 6 });
      return unhealthy(on);
    };
    await poll(laterUnhealthy, 1);
    hook.answer = 200;
    await on.made("PATCH", `/dispatches/${id}`, { authorized: false });
    await poll(() => unhealthy(on), 0);
    hook.answer = 503;
    await newDispatch(on, program);
    await poll(() => unhealthy(on), 0);

    const other = await silent(on);
    await poll(() => unhealthy(on), 1);
    await on.made("PATCH", `/accounts/${other.participant.accountId}`, { disabled: true });
    await poll(() => unhealthy(on), 0);
  }, 20_000);

  test("leave out who polled within 5 minutes, to the minute", async () => {
    const on = await running();
    const { participant } = await silent(on);
    const usedAt = (at: string) =>
      on.database.pool.query("update api_keys set last_used_at = $2 where id = $1", [participant.keyId, at]);
    on.clock.set(new Date("2026-07-01T18:05:30Z"));
    await usedAt("2026-07-01T18:00:00Z");
    await poll(() => unhealthy(on), 0);
    await usedAt("2026-07-01T17:59:00Z");
    await poll(() => unhealthy(on), 1);
  });
});

test("alarms that nobody has acknowledged are counted by kind, 0 for a kind without any", async () => {
  const on = await running();
  const open = (kind: string) => sample(`curtail_open_alarms{kind="${kind}"}`, on);
  const [participant, hook] = [await on.newParticipant(), await receiver()];
  const webhookId = await subscribe(participant, hook);
  await newDispatch(on, await newProgram(on, [participant]));
  await hook.notices(1);
  await participant.call("DELETE", `/webhooks/${webhookId}`);
  expect([await open("last_webhook_deleted"), await open("notice_failed")]).toEqual([1, 0]);
  const [alarm] = (await on.operator("GET", "/alarms")).body.items;
  await on.made("POST", `/alarms/${alarm.id}/acknowledge`);
  await poll(() => open("last_webhook_deleted"), 0);
});

describe("a scrape is answered with the rest", () => {
  const gauges = ["oldest_undelivered_notice_seconds", "accounts_without_healthy_channel", "open_alarms"];
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

  test("while the database does not answer a gauge in time", async () => {
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
