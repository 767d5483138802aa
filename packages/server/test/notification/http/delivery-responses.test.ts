import type { ServerResponse } from "node:http";
import { createWebhook, operator, participantConsole } from "@curtail/contract";
import { receiver } from "@curtail/testing/receiver";
import { beforeAll, describe, expect, test } from "vitest";
import { testToWire } from "../../../src/notification/http/webhook.js";
import { newDispatch, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { type Browser, newBrowser } from "../../support/people.js";
import { type Running, running } from "../../support/running.js";
import { inMinutes, newPlayer } from "../../support/scenario.js";

type Attempt = operator.Delivery["attempts"][number];

let service: Running;

beforeAll(async () => {
  service = await running();
});

const saying =
  (status: number, type: string | null, body: string | Buffer) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, type === null ? {} : { "content-type": type }).end(body);

const subscribed = async () => {
  const [participant, hook] = [await service.newParticipant(), await receiver()];
  const events = [{ name: "dispatch.create" as const }];
  const { body } = await participant.call(createWebhook, { body: { url: hook.url, events } });
  return { participant, hook, webhookId: body.id, program: await newProgram(service, [participant]) };
};

const deliveriesOf = async (id: string) =>
  (await service.operator(operator.listWebhookDeliveries, { params: { id } })).body.items;

/** The only attempt of the only delivery to a webhook, once it is recorded. */
const attemptTo = async (webhookId: string): Promise<Attempt> => {
  await expect.poll(async () => (await deliveriesOf(webhookId))[0]?.attempts.length).toBe(1);
  return (await deliveriesOf(webhookId))[0]?.attempts[0] as Attempt;
};

const answered = async (type: string | null, body: string | Buffer, status = 500): Promise<Attempt["response"]> => {
  const { hook, webhookId, program } = await subscribed();
  hook.answer = saying(status, type, body);
  await newDispatch(service, program);
  return (await attemptTo(webhookId)).response;
};

describe("the response of a receiver", () => {
  test.each([
    ["HTML, as it came", "text/html", "<script>alert(1)</script>", "<script>alert(1)</script>"],
    ["NUL bytes as replacement characters", "text/plain", "a\0b", "a\uFFFDb"],
    ["invalid UTF-8 as replacement characters", null, Buffer.from([0x61, 0xff, 0xc0, 0x80]), "a\uFFFD\uFFFD\uFFFD"],
    ["what PostgreSQL's arrays escape", "a/b", '{"a\\"b"},NULL', '{"a\\"b"},NULL'],
    ["1 KB of a longer one", "text/plain", "é".repeat(20_000), "é".repeat(512)],
    ["an empty one", null, "", ""],
  ])("is kept: %s", async (_, type, body, kept) => {
    expect(await answered(type, body)).toEqual({ content_type: type, body: kept });
  });

  test("is kept for a success, too", async () => {
    expect(await answered("application/json", '{"ok":true}', 200)).toEqual({
      content_type: "application/json",
      body: '{"ok":true}',
    });
  });

  test("is null where none came", async () => {
    const { hook, webhookId, program } = await subscribed();
    hook.answer = (response) => void response.destroy();
    await newDispatch(service, program);
    expect(await attemptTo(webhookId)).toMatchObject({ status: null, error: "connection_reset", response: null });
  });

  test("stays out of the evidence", async () => {
    const { hook, webhookId, program } = await subscribed();
    hook.answer = saying(500, "text/plain", "name of a customer");
    const { id } = await newDispatch(service, program);
    await attemptTo(webhookId);
    const { text } = await service.operator("GET", `/dispatches/${id}/evidence`);
    expect(text).toContain("status_500");
    expect(text).not.toContain("customer");
  });
});

test("the request of an attempt is shown as it arrived, with the name of the signature's header", async () => {
  const { hook, webhookId, program } = await subscribed();
  await newDispatch(service, program);
  const { request } = await attemptTo(webhookId);
  const [arrived] = await hook.notices(1);
  expect(request?.body).toBe(arrived?.text);
  const { "webhook-signature": signature, ...sent } = request?.headers ?? {};
  expect(arrived?.headers).toMatchObject(sent);
  expect(Object.keys(sent)).toEqual(["content-type", "webhook-id", "webhook-timestamp"]);
  expect(signature).toBeNull();
});

const byPerson = async (person: Browser, id: string) =>
  (await person.console(participantConsole.listOwnWebhookDeliveries, { params: { id } })).body.items;

describe("participants", () => {
  test("see their requests and responses", async () => {
    const { participant, hook, webhookId, program } = await subscribed();
    hook.answer = saying(503, "text/plain", "closed for maintenance");
    await newDispatch(service, program);
    const attempt = await attemptTo(webhookId);
    const viewer = await newBrowser(service, "participant-viewer", participant.accountId);
    expect((await byPerson(viewer, webhookId))[0]?.attempts).toEqual([attempt]);
    expect(attempt.response?.body).toBe("closed for maintenance");
  });

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
  test("are those of all its dispatches, for its own account and the operator alone", async () => {
    const player = await newPlayer(service);
    player.hook.answer = saying(200, "text/plain", "noted");
    const { id, dispatches } = await player.play("back_to_back", { notification_time: inMinutes(service, 0) });
    const list = async () => (await service.operator(operator.listScenarioDeliveries, { params: { id } })).body.items;
    await expect.poll(async () => (await list()).map(({ state }) => state)).toEqual(["delivered", "delivered"]);
    const items = await list();
    expect(new Set(items.map(({ dispatch_id }) => dispatch_id))).toEqual(new Set(dispatches.map((each) => each.id)));
    expect(items[0]?.attempts).toMatchObject([{ response: { content_type: "text/plain", body: "noted" } }]);
    const viewer = await newBrowser(service, "participant-viewer", player.participant.accountId);
    const own = await viewer.console(participantConsole.listOwnScenarioDeliveries, { params: { id } });
    expect(own.body.items).toEqual(items);
    const other = await newBrowser(service, "participant-admin", (await service.newParticipant()).accountId);
    expectError(await other.console(participantConsole.listOwnScenarioDeliveries, { params: { id } }), 404, /scenario/);
    expectError(await service.operator(operator.listScenarioDeliveries, { params: { id: "scn_0" } }), 404, /scenario/);
  });

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
