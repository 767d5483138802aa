import { deleteWebhook, operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import {
  attempted,
  cancel,
  type Delivery,
  delivered,
  listOf,
  prepare,
  resend,
  type Subscribed,
  service,
  subscribed,
} from "../../support/deliveries-of-operators.js";
import { newDispatch } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";

beforeAll(prepare);
const now = (): string => service.clock.now().toISOString().replace(".000Z", "Z");

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
});
