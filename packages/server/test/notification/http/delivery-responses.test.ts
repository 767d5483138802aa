import { operator, participantConsole } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { newDispatch } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { newBrowser } from "../../support/people.js";
import {
  answered,
  attemptTo,
  byPerson,
  prepare,
  saying,
  service,
  subscribed,
} from "../../support/responses-of-receivers.js";
import { inMinutes, newPlayer } from "../../support/scenario.js";

beforeAll(prepare);

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
});
