import { createTestDispatch, deleteWebhook, operator } from "@curtail/contract";
import { chatRooms } from "@curtail/testing/chat-rooms";
import { receiver } from "@curtail/testing/receiver";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { prepare, scrape, service } from "../../support/gauges-of-reach.js";
import { recorded } from "../../support/recorded.js";
import { running } from "../../support/running.js";
import { poll, subscribe, unreachable } from "../../support/unreachable.js";

beforeAll(prepare);

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

const waiting = (channel: string) => sample(`curtail_waiting_messages{channel="${channel}"}`);
const tried = async () =>
  (await service.database.pool.query("select failures from messages where channel = 'chat'")).rows[0]?.failures;

test("messages that are due are counted by channel, 0 for a channel without any", async () => {
  const { participant, programId } = await unreachable(service, [], 1);
  const room = (await chatRooms()).open();
  await service.made(operator.createChannelAddress, {
    params: { id: participant.accountId },
    body: { channel: "chat", name: "Control room", address: room.address },
  });
  room.answer = 503;
  const { id } = await newDispatch(service, programId);
  // One of the webhook, one of the room.
  await recorded(service, id, 2);
  expect(await tried()).toBe(1);
  // Neither is due again.
  await poll(async () => [await waiting("chat"), await waiting("webhook"), await waiting("sms")], [0, 0, 0]);
  room.answer = () => {};
  service.clock.advance({ seconds: 5 });
  await poll(() => waiting("chat"), 1);
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
