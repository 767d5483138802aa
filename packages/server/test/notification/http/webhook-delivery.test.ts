import type { ServerResponse } from "node:http";
import { createWebhook } from "@curtail/contract";
import { receiver } from "@curtail/testing/receiver";
import { beforeAll, describe, expect, test } from "vitest";
import { recorded } from "../../support/recorded.js";
import {
  ahead,
  answering,
  change,
  dispatchOver,
  expectDelivered,
  expectTriedAgain,
  prepare,
  service,
  settled,
  statesOf,
  subscribed,
  told,
} from "../../support/webhook-deliveries.js";

beforeAll(prepare);

describe("a dispatch", () => {
  test("is notified when created, changed and cancelled, as a thin event with its path", async () => {
    const { participant, hook } = await subscribed();
    const { id } = await dispatchOver([participant]);
    const resource = `/2022-04-15/dispatches/${id}`;
    const [first] = await hook.notices(1);
    expect(first?.text).toBe(JSON.stringify({ event: { name: "dispatch.create" }, resource }));
    expect((await participant.call("GET", resource.replace("/2022-04-15", ""))).body).toMatchObject({ id });
    await change(id, { end_time: ahead(120) });
    await change(id, { authorized: false });
    const notices = await hook.notices(3);
    expect(told(notices).map(([event]) => event)).toEqual(["dispatch.create", "dispatch.update", "dispatch.update"]);
    expect(new Set(notices.map(({ headers }) => headers["webhook-id"])).size).toBe(3);
  });

  test("is notified at its notification time, even to a webhook registered since; never if cancelled before", async () => {
    const participant = await service.newParticipant();
    const hook = await receiver();
    const later = await dispatchOver([participant], { notification_time: ahead(10) });
    const never = await dispatchOver([participant], { notification_time: ahead(10) });
    await change(later.id, { end_time: ahead(300) });
    await change(never.id, { authorized: false });
    await participant.call(createWebhook, { body: { url: hook.url, events: [{ name: "dispatch.create" }] } });
    await settled(hook, participant, 0);
    service.clock.advance({ minutes: 11 });
    expect(told(await hook.notices(2))[1]).toEqual(["dispatch.create", `/2022-04-15/dispatches/${later.id}`]);
    await settled(hook, participant, 2);
  });

  test("of two accounts is notified to each once and to no third, by events subscribed", async () => {
    const [anna, ben, carl] = [await subscribed(), await subscribed("dispatch.update"), await subscribed()];
    const { id } = await dispatchOver([anna.participant, ben.participant]);
    await change(id, { end_time: ahead(90) });
    expect(told(await anna.hook.notices(2)).map(([event]) => event)).toEqual(["dispatch.create", "dispatch.update"]);
    expect(told(await ben.hook.notices(1)).map(([event]) => event)).toEqual(["dispatch.update"]);
    await settled(carl.hook, carl.participant, 0);
  });
});

describe("a delivery that fails", () => {
  const delays = [2, 6, 18, 54].map((seconds) => seconds * 1.25);

  test("is tried five times at the decided delays, always with the same id, and is then failed", async () => {
    const { participant, hook } = await subscribed();
    hook.answer = 503;
    const { id } = await dispatchOver([participant]);
    for (const [index, seconds] of delays.entries()) {
      await hook.notices(index + 1);
      await recorded(service, id, index + 1);
      service.clock.advance({ seconds });
    }
    const notices = await hook.notices(5);
    await expect.poll(() => statesOf(id)).toEqual(["failed"]);
    expect(new Set(notices.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    service.clock.advance({ hours: 1 });
    hook.answer = 200;
    await settled(hook, participant, 5);
  });

  test("and recovers on the third attempt is delivered, and what came after it waits for it", async () => {
    const { participant, hook } = await subscribed();
    hook.answer = 500;
    const { id } = await dispatchOver([participant]);
    await recorded(service, id, 1);
    await change(id, { end_time: ahead(200) });
    service.clock.advance({ seconds: 3 });
    await recorded(service, id, 2);
    hook.answer = 204;
    service.clock.advance({ seconds: 8 });
    const notices = await hook.notices(4);
    const order = ["dispatch.create", "dispatch.create", "dispatch.create", "dispatch.update"];
    expect(told(notices).map(([event]) => event)).toEqual(order);
    await expect.poll(() => statesOf(id)).toEqual(["delivered", "delivered"]);
  });
});

const RESET = { name: "with a reset", answer: (response: ServerResponse) => void response.socket?.resetAndDestroy() };

// Other behaviour of receivers is tested in `notification/worker` and `platform/outbound`; here, the outcome of the
// delivery.
describe("an attempt", () => {
  test.each([200].map((status) => answering(status)))("answered $name delivers", ({ answer }) =>
    expectDelivered(answer),
  );

  test.each([...[410, 503].map((status) => answering(status)), RESET])(
    "answered $name is tried again, and then delivers",
    ({ answer }) => expectTriedAgain(answer),
  );
});
