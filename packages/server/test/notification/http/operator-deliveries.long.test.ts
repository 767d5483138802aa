import type { ServerResponse } from "node:http";
import { deleteWebhook, operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import {
  attempted,
  cancel,
  delivered,
  listOf,
  prepare,
  resend,
  service,
  subscribed,
} from "../../support/deliveries-of-operators.js";
import { newDispatch } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";

beforeAll(prepare);

// G32: a resend is sent at once, out of order, with the same webhook-id.
describe("a resend", () => {
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
