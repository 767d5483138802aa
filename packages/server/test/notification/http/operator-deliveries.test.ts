import type { ServerResponse } from "node:http";
import { createWebhook, deleteWebhook, operator } from "@curtail/contract";
import { type Receiver, receiver } from "@curtail/testing/receiver";
import { beforeAll, describe, expect, test } from "vitest";
import { newDispatch, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { type Participant, type Running, running } from "../../support/running.js";

interface Delivery {
  readonly id: string;
  readonly state: string;
  readonly event: string;
  readonly next_attempt_at: string | null;
  readonly attempts: ReadonlyArray<{ readonly status: number | null; readonly error: string | null }>;
}

interface Subscribed {
  readonly participant: Participant;
  readonly hook: Receiver;
  readonly webhookId: string;
  readonly program: string;
}

let service: Running;

beforeAll(async () => {
  service = await running();
});

const subscribed = async (): Promise<Subscribed> => {
  const [participant, hook] = [await service.newParticipant(), await receiver()];
  const events = [{ name: "dispatch.create" as const }, { name: "dispatch.update" as const }];
  const { body } = await participant.call(createWebhook, { body: { url: hook.url, events } });
  return { participant, hook, webhookId: body.id, program: await newProgram(service, [participant]) };
};

const listOf = async (path: string, query = ""): Promise<Delivery[]> =>
  (await service.operator("GET", `${path}/deliveries${query}`)).body.items;

const resend = (id: string) => service.operator(operator.resendDelivery, { params: { id } });
const cancel = (id: string) => service.made(operator.changeDispatch, { params: { id }, body: { authorized: false } });
const now = (): string => service.clock.now().toISOString().replace(".000Z", "Z");

/** The delivery of a dispatch's event to its only webhook, once this many attempts are recorded. */
const attempted = async (dispatchId: string, count: number, event = "dispatch.create"): Promise<Delivery> => {
  const found = async () => (await listOf(`/dispatches/${dispatchId}`)).find((delivery) => delivery.event === event);
  await expect.poll(async () => (await found())?.attempts.length).toBe(count);
  return (await found()) as Delivery;
};

/** A dispatch whose only delivery is in the state after its first attempt. */
const delivered = async ({ hook, program }: Subscribed, answer = 200): Promise<Delivery & { dispatchId: string }> => {
  hook.answer = answer;
  const { id: dispatchId } = await newDispatch(service, program);
  return { ...(await attempted(dispatchId, 1)), dispatchId };
};

const failed = async (of: Subscribed): Promise<Delivery & { dispatchId: string }> => {
  const { dispatchId } = await delivered(of, 500);
  for (const [index, seconds] of [3, 8, 22, 66].entries()) {
    service.clock.advance({ seconds });
    await attempted(dispatchId, index + 2);
  }
  return { ...(await attempted(dispatchId, 5)), dispatchId };
};

describe("deliveries", () => {
  test("of a webhook and of a dispatch are listed newest first, with every attempt, in pages", async () => {
    const { hook, webhookId, program } = await subscribed();
    const { id: dispatch_id } = await newDispatch(service, program);
    await attempted(dispatch_id, 1);
    hook.answer = 503;
    await cancel(dispatch_id);
    const second = await attempted(dispatch_id, 1, "dispatch.update");
    const response = { content_type: null, body: "" };
    const attempt = { at: now(), duration_ms: expect.any(Number), address: "127.0.0.1", response };
    const request = expect.any(Object);
    const both = { id: expect.stringMatching(/^dlv_/), webhook_id: webhookId, dispatch_id, created_at: now() };
    const create = { ...both, event: "dispatch.create", state: "delivered", next_attempt_at: null };
    const list = [
      {
        ...both,
        event: "dispatch.update",
        state: "pending",
        next_attempt_at: second.next_attempt_at,
        attempts: [{ ...attempt, request, status: 503, error: "status_503" }],
      },
      { ...create, attempts: [{ ...attempt, request, status: 200, error: null }] },
    ];
    expect(Date.parse(second.next_attempt_at ?? "")).toBeGreaterThan(service.clock.now().getTime());
    expect(await listOf(`/webhooks/${webhookId}`)).toEqual(list);
    expect(await listOf(`/dispatches/${dispatch_id}`)).toEqual(list);
    for (const path of [`/webhooks/${webhookId}`, `/dispatches/${dispatch_id}`]) {
      const { items, next_cursor } = (await service.operator("GET", `${path}/deliveries?limit=1`)).body;
      expect(items).toEqual(list.slice(0, 1));
      expect(await listOf(path, `?limit=1&cursor=${next_cursor}`)).toEqual(list.slice(1));
    }
  });

  test("of a deleted webhook stay listed, those that were still pending as dropped", async () => {
    const of = await subscribed();
    const { id } = await delivered(of, 503);
    await of.participant.call(deleteWebhook, { params: { id: of.webhookId } });
    expect(await listOf(`/webhooks/${of.webhookId}`)).toMatchObject([{ id, state: "dropped", next_attempt_at: null }]);
  });

  test("of what does not exist are not found", async () => {
    expectError(
      await service.operator(operator.listWebhookDeliveries, { params: { id: "wh_0" } }),
      404,
      /No such webhook/,
    );
    expectError(
      await service.operator(operator.listDispatchDeliveries, { params: { id: "dis_0" } }),
      404,
      /No such dispatch/,
    );
    expectError(await resend("dlv_0"), 404, /No such delivery/);
  });
});

// G32: a resend is sent at once, out of order, with the same webhook-id.
describe("a resend", () => {
  test("of a delivered one goes out at once, with the same id and body", async () => {
    const of = await subscribed();
    const { id, dispatchId } = await delivered(of);
    expect((await resend(id)).body).toMatchObject({ id, state: "delivered", next_attempt_at: now() });
    const [first, second] = await of.hook.notices(2);
    expect([second?.headers["webhook-id"], second?.text]).toEqual([id, first?.text]);
    expect(first?.headers["webhook-id"]).toBe(id);
    expect(await attempted(dispatchId, 2)).toMatchObject({ state: "delivered", next_attempt_at: null });
  });

  test("of a delivered one that fails is recorded, and is not tried again", async () => {
    const of = await subscribed();
    const { id, dispatchId } = await delivered(of);
    of.hook.answer = 500;
    await resend(id);
    const { state, next_attempt_at, attempts } = await attempted(dispatchId, 2);
    expect([state, next_attempt_at]).toEqual(["delivered", null]);
    expect(attempts.map(({ error }) => error)).toEqual([null, "status_500"]);
    service.clock.advance({ hours: 1 });
    // What is sent after it arrives alone.
    await newDispatch(service, of.program);
    expect((await of.hook.notices(3)).filter(({ headers }) => headers["webhook-id"] === id)).toHaveLength(2);
  });

  test("of a failed one delivers it, and leaves it failed when it fails again", async () => {
    const of = await subscribed();
    const { id, dispatchId, state } = await failed(of);
    expect(state).toBe("failed");
    await resend(id);
    expect(await attempted(dispatchId, 6)).toMatchObject({ state: "failed", next_attempt_at: null });
    of.hook.answer = 200;
    await resend(id);
    expect(await attempted(dispatchId, 7)).toMatchObject({ state: "delivered", next_attempt_at: null });
  });

  test("of a pending one goes before its time and its order; a failure keeps the time, success ends the wait", async () => {
    const of = await subscribed();
    const { id: first, dispatchId, next_attempt_at } = await delivered(of, 500);
    await cancel(dispatchId);
    await expect.poll(() => listOf(`/dispatches/${dispatchId}`)).toHaveLength(2);
    const [second] = await listOf(`/dispatches/${dispatchId}`);
    await resend(first);
    await expect
      .poll(async () => (await listOf(`/dispatches/${dispatchId}`))[1])
      .toMatchObject({ state: "pending", next_attempt_at, attempts: [{}, {}] });
    of.hook.answer = 200;
    await resend(second?.id ?? "");
    const sent = await attempted(dispatchId, 1, "dispatch.update");
    expect(sent).toMatchObject({ id: second?.id, state: "delivered", next_attempt_at: null });
    expect((await listOf(`/dispatches/${dispatchId}`))[1]).toMatchObject({ id: first, state: "pending" });
  });

  test("requested again while in flight is sent and audited once", async () => {
    const of = await subscribed();
    const { id, dispatchId } = await delivered(of);
    const held: ServerResponse[] = [];
    of.hook.answer = (response) => void held.push(response);
    await resend(id);
    await of.hook.notices(2);
    expect((await resend(id)).status).toBe(200);
    held[0]?.writeHead(200).end();
    await attempted(dispatchId, 2);
    const { items } = (await service.operator(operator.listAudit, { query: { limit: 500 } })).body;
    const entries = items.filter(({ subject }) => subject === id);
    const { accountId } = of.participant;
    expect(entries).toMatchObject([{ action: "delivery.resend", actor: "operator", account_id: accountId }]);
    of.hook.answer = 200;
    await newDispatch(service, of.program);
    expect((await of.hook.notices(3)).filter(({ headers }) => headers["webhook-id"] === id)).toHaveLength(2);
  });

  test("is refused once the webhook is deleted", async () => {
    const of = await subscribed();
    const { id } = await delivered(of);
    await of.participant.call(deleteWebhook, { params: { id: of.webhookId } });
    expectError(await resend(id), 400, /webhook of this delivery was deleted/);
  });
});
