import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../support/expect-error.js";
import { type Receiver, receiver } from "../support/receiver.js";
import { type Participant, type Running, running } from "../support/running.js";

let service: Running;
let anna: Participant;
let hook: Receiver;

beforeAll(async () => {
  service = await running();
  anna = await service.newParticipant();
  hook = await receiver();
});

const both = [{ name: "dispatch.create" }, { name: "dispatch.update" }];
const register = (participant: Participant, url: string, events: unknown = both) =>
  participant.call("POST", "/webhooks", { url, events });

describe("registering a webhook", () => {
  test("sends a test request with empty name and resource, and answers the webhook", async () => {
    const { status, body } = await register(anna, hook.url);
    expect(status).toBe(200);
    expect(body).toEqual({ id: expect.stringMatching(/^wh_/), url: hook.url, events: both });
    expect(hook.received.map(({ text }) => text)).toEqual(['{"event":{"name":""},"resource":""}']);
    expect((await anna.call("GET", "/webhooks")).body).toEqual({ page: 0, perPage: 0, webhooks: [body] });
  });

  test.each([500, 404, 302, 203])("creates nothing when the address answers %d", async (status) => {
    const failing = await receiver();
    failing.answer = status;
    expectError(await register(anna, failing.url), 400, /test request to the url failed/);
    expect((await anna.call("GET", "/webhooks")).body.webhooks).toHaveLength(1);
  });

  test("is refused without events, with an unknown one, with a user in the url, and beyond twenty", async () => {
    expectError(await anna.call("POST", "/webhooks", { url: hook.url }), 400, /events is missing/);
    expectError(await register(anna, hook.url, []), 400);
    expectError(await register(anna, hook.url, [{ name: "dispatch.delete" }]), 400);
    expectError(await register(anna, hook.url.replace("//", "//user:secret@")), 400, /user or password/);
    expectError(await register(anna, "ftp://example.com/"), 400, /https/);
    const ben = await service.newParticipant();
    for (let count = 0; count < 20; count++) expect((await register(ben, hook.url)).status).toBe(200);
    expectError(await register(ben, hook.url), 400, /20 webhooks/);
  });
});

test("a webhook's url is answered as it was given, also where URL parsing would write it otherwise", async () => {
  const ben = await service.newParticipant();
  const url = hook.url.replace("http://127.0.0.1", "HTTP://0x7F.1").replace("/hook", "/a/../hook?b=ä");
  const { body } = await register(ben, url);
  expect(body.url).toBe(url);
  expect((await ben.call("GET", "/webhooks")).body.webhooks[0].url).toBe(url);
  const { items } = (await service.operator("GET", `/accounts/${ben.accountId}/webhooks`)).body;
  expect(items[0].url).toBe(url);
  expect((await ben.call("DELETE", `/webhooks/${body.id}`)).body.url).toBe(url);
});

test("every test request has a webhook-id of its own, of registrations and of operators' tests", async () => {
  const [ben, own] = [await service.newParticipant(), await receiver()];
  const { body } = await register(ben, own.url);
  for (let count = 0; count < 2; count++) await service.operator("POST", `/webhooks/${body.id}/test`);
  const ids = own.received.map(({ headers }) => headers["webhook-id"]);
  expect(ids).toHaveLength(3);
  expect(new Set(ids).size).toBe(3);
  for (const id of ids) expect(id).toMatch(/^test_/);
});

describe("deleting a webhook", () => {
  test("answers it, and it is gone; somebody else's is not found", async () => {
    const ben = await service.newParticipant();
    const { body } = await register(ben, hook.url);
    expectError(await anna.call("DELETE", `/webhooks/${body.id}`), 404, /No such webhook/);
    expect((await ben.call("DELETE", `/webhooks/${body.id}`)).body).toEqual(body);
    expect((await ben.call("GET", "/webhooks")).body.webhooks).toEqual([]);
    expectError(await ben.call("DELETE", `/webhooks/${body.id}`), 404, /No such webhook/);
  });
});
