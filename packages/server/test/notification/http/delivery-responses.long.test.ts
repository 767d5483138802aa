import type { ServerResponse } from "node:http";
import { operator, participantConsole } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { testToWire } from "../../../src/notification/http/webhook.js";
import { newDispatch } from "../../support/dispatching.js";
import { newBrowser } from "../../support/people.js";
import {
  attemptTo,
  byPerson,
  deliveriesOf,
  prepare,
  saying,
  service,
  subscribed,
} from "../../support/responses-of-receivers.js";
import { inMinutes, newPlayer } from "../../support/scenario.js";

beforeAll(prepare);

describe("participants", () => {
  test("see the response to a test request, unless the address is not public", async () => {
    const { participant, hook, webhookId } = await subscribed();
    hook.answer = saying(503, "text/plain", "closed for maintenance");
    const admin = await newBrowser(service, "participant-admin", participant.accountId);
    const { body } = await admin.console(participantConsole.testOwnWebhook, { params: { id: webhookId } });
    const response = { content_type: "text/plain", body: "closed for maintenance" };
    expect(body).toMatchObject({ ok: false, status: 503, response });
    const sent = { ok: true, status: 200, at: new Date(), durationMs: 1, address: "10.1.2.3", error: null };
    const internal = { responseType: "text/plain", responseBody: "internal" };
    const shown = testToWire({ ...sent, ...internal }, (address) => address !== "10.1.2.3");
    expect(shown).toMatchObject({ status: 200, response: { content_type: null, body: null } });
  });

  test("do not see what an address in a private network responded; operators do", async () => {
    const { participant, webhookId, program } = await subscribed();
    await newDispatch(service, program);
    await attemptTo(webhookId);
    await service.database.pool.query(
      `insert into message_attempts (message_id, number, at, status, duration_ms, address, is_resend, response_type, response_body)
       select id, 2, created_at, 200, 1, '10.1.2.3', true, 'text/plain', 'internal' from messages where recipient = $1`,
      [webhookId],
    );
    const viewer = await newBrowser(service, "participant-viewer", participant.accountId);
    const [seen] = await byPerson(viewer, webhookId);
    expect(seen?.attempts[1]).toMatchObject({ status: 200, response: { content_type: null, body: null } });
    const [operated] = await deliveriesOf(webhookId);
    expect(operated?.attempts[1]?.response).toEqual({ content_type: "text/plain", body: "internal" });
  });
});

describe("deliveries of a scenario", () => {
  test("G36: one that is answered while its scenario is replaced counts as delivered, and is free", async () => {
    const player = await newPlayer(service);
    const held: ServerResponse[] = [];
    player.hook.answer = (response) => void held.push(response);
    const { id } = await player.play("basic", { notification_time: inMinutes(service, 0) });
    await player.hook.notices(1);
    await player.play("basic", {});
    for (const response of held) response.end("late");
    const list = async () => (await service.operator(operator.listScenarioDeliveries, { params: { id } })).body.items;
    await expect.poll(async () => (await list())[0]?.state).toBe("delivered");
    const { rows } = await service.database.pool.query(
      "select leased_until, next_attempt_at from sandbox.messages where id = $1",
      [(await list())[0]?.id],
    );
    expect(rows).toEqual([{ leased_until: null, next_attempt_at: null }]);
  });
});
