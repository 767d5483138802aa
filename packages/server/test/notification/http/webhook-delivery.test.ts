import type { ServerResponse } from "node:http";
import { createWebhook, deleteWebhook, operator } from "@curtail/contract";
import { type Received, type Receiver, receiver } from "@curtail/testing/receiver";
import { wireProgram } from "@curtail/testing/wire-forms";
import { Compile } from "typebox/compile";
import { beforeAll, describe, expect, test } from "vitest";
import { httpClient } from "../../support/http-client.js";
import { recorded } from "../../support/recorded.js";
import { type Participant, type Running, running } from "../../support/running.js";

let service: Running;
let program: { id: string };

beforeAll(async () => {
  service = await running();
  program = await service.made(operator.createProgram, { body: wireProgram() });
});

const ahead = (minutes: number): string => new Date(service.clock.now().getTime() + minutes * 60_000).toISOString();

const subscribed = async (
  ...names: string[]
): Promise<{ participant: Participant; hook: Receiver; webhookId: string }> => {
  const participant = await service.newParticipant();
  const hook = await receiver();
  const events = (names.length === 0 ? ["dispatch.create", "dispatch.update"] : names).map((name) => ({ name }));
  const { body } = await participant.call("POST", "/webhooks", { url: hook.url, events });
  return { participant, hook, webhookId: body.id };
};

const dispatchOver = (participants: readonly Participant[], more: object = {}) =>
  service.made(operator.createDispatch, {
    body: {
      program_id: program.id,
      start_time: ahead(60),
      confirm_past: true,
      sites: participants.map(({ sites }) => ({ site_id: sites[0]?.id ?? "" })),
      ...more,
    },
  });

const change = (id: string, body: object) => service.made(operator.changeDispatch, { params: { id }, body });
const told = (notices: readonly Received[]) => notices.map(({ event, resource }) => [event, resource]);

/** Shows that nothing else was sent: the next notice arrives first. */
const settled = async (hook: Receiver, participant: Participant, before: number): Promise<void> => {
  const { id } = await dispatchOver([participant]);
  const notices = await hook.notices(before + 1);
  expect(told(notices).at(-1)).toEqual(["dispatch.create", `/2022-04-15/dispatches/${id}`]);
  expect(notices).toHaveLength(before + 1);
  await recorded(service, id, 1);
};

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

  test("and a test are sent as the documents describe it, the headers of the signature included", async () => {
    const { participant, hook } = await subscribed();
    const { id } = await dispatchOver([participant]);
    await change(id, { authorized: false });
    await hook.notices(2);
    const { webhooks, components } = (await httpClient(service.url)("GET", "/2022-04-15/openapi.json")).body;
    for (const [index, name] of ["test", "dispatch.create", "dispatch.update"].entries()) {
      const { parameters, requestBody } = webhooks[name].post;
      const { headers = {}, text = "" } = hook.received[index] ?? {};
      const { schema } = requestBody.content["application/json"];
      // The components are where its references point.
      const described = Compile({ ...schema, components });
      expect(described.Check(JSON.parse(text)), `${name}: ${text}`).toBe(true);
      expect(described.Check({}), name).toBe(false);
      for (const header of parameters) expect(headers[header.name], header.name).toBeTypeOf("string");
      expect(headers["webhook-signature"]).toMatch(/^v1,/);
    }
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

  test("is not sent to a deleted webhook", async () => {
    const { participant, hook, webhookId } = await subscribed();
    const other = await receiver();
    await participant.call(createWebhook, { body: { url: other.url, events: [{ name: "dispatch.create" }] } });
    await participant.call(deleteWebhook, { params: { id: webhookId } });
    await dispatchOver([participant]);
    await other.notices(1);
    expect(hook.received.filter(({ event }) => event !== "")).toEqual([]);
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

  test("is tried again 2, 6, 18 and 54 s, a fifth more or less, after the end of the attempt that failed", async () => {
    const [{ participant, hook }, other] = [await subscribed(), await subscribed()];
    const held: ServerResponse[] = [];
    hook.answer = (response) => void held.push(response);
    const { id } = await dispatchOver([participant]);
    for (const [index, seconds] of [2, 6, 18, 54].entries()) {
      await hook.notices(index + 1);
      service.clock.advance({ seconds: 5 });
      held[index]?.writeHead(503).end();
      await recorded(service, id, index + 1);
      const nextMs = await nextAttemptMs(id);
      const waitSeconds = (nextMs - service.clock.now().getTime()) / 1000;
      expect(waitSeconds).toBeGreaterThanOrEqual(seconds * 0.8);
      expect(waitSeconds).toBeLessThanOrEqual(seconds * 1.2);
      service.clock.set(new Date(nextMs - 1));
      await settled(other.hook, other.participant, index);
      expect(await hook.notices(index + 1)).toHaveLength(index + 1);
      service.clock.set(new Date(nextMs));
    }
    await hook.notices(5);
    held[4]?.writeHead(503).end();
    await expect.poll(() => statesOf(id)).toEqual(["failed"]);
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

const elsewhere = { location: "/elsewhere" };
const answering = (status: number, headers = {}) => ({
  name: `${status} ${JSON.stringify(headers)}`,
  answer: (response: ServerResponse) => void response.writeHead(status, headers).end(),
});

// Other behaviour of receivers is tested in `notification/worker` and `platform/outbound`; here, the outcome of the
// delivery.
describe("an attempt", () => {
  test.each([200, 201, 202, 204].map((status) => answering(status)))("answered $name delivers", async ({ answer }) => {
    const { participant, hook } = await subscribed();
    hook.answer = answer;
    const { id } = await dispatchOver([participant]);
    await recorded(service, id, 1);
    expect(await statesOf(id)).toEqual(["delivered"]);
  });

  test.each([
    ...[203, 301, 302, 400, 401, 404, 410, 429, 500, 503].map((status) => answering(status)),
    ...[303, 307, 308].map((status) => answering(status, elsewhere)),
    { name: "with a reset", answer: (response: ServerResponse) => void response.socket?.resetAndDestroy() },
    {
      name: "without end",
      answer: (response: ServerResponse) => void response.writeHead(200).write("x".repeat(70_000)),
    },
  ])("answered $name is tried again, and then delivers", async ({ answer }) => {
    const { participant, hook } = await subscribed();
    hook.answer = answer;
    const { id } = await dispatchOver([participant]);
    await recorded(service, id, 1);
    expect(await statesOf(id)).toEqual(["pending"]);
    expect(await hook.notices(1)).toHaveLength(1);
    hook.answer = 200;
    service.clock.set(new Date(await nextAttemptMs(id)));
    await recorded(service, id, 2);
    expect(await statesOf(id)).toEqual(["delivered"]);
  });

  test.each([301, 302])(
    "answered %i with an address goes there, as the same POST with the same body",
    async (status) => {
      const [{ participant, hook }, target] = [await subscribed(), await receiver()];
      hook.answer = (response) => void response.writeHead(status, { location: target.url }).end();
      const { id } = await dispatchOver([participant]);
      const [[first], [followed]] = [await hook.notices(1), await target.notices(1)];
      expect(followed?.text).toBe(first?.text);
      expect(followed?.headers["webhook-signature"]).toBe(first?.headers["webhook-signature"]);
      await recorded(service, id, 1);
      expect(await statesOf(id)).toEqual(["delivered"]);
    },
  );
});

const nextAttemptMs = async (dispatchId: string): Promise<number> => {
  const sql = "select next_attempt_at from messages where subject = $1";
  const { rows } = await service.database.pool.query<{ next_attempt_at: Date }>(sql, [dispatchId]);
  return rows[0]?.next_attempt_at.getTime() ?? Number.NaN;
};

const statesOf = async (dispatchId: string): Promise<string[]> => {
  const sql = "select state from messages where subject = $1 order by seq";
  return (await service.database.pool.query<{ state: string }>(sql, [dispatchId])).rows.map(({ state }) => state);
};

test("attempts are counted by result, and the first of each delivery is timed from the notice", async () => {
  const counts = async (): Promise<readonly number[]> => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    const valueOf = (name: string): number => Number(new RegExp(`^${name} (.*)$`, "m").exec(text)?.[1] ?? 0);
    return [
      valueOf('curtail_webhook_attempts_total\\{result="success"\\}'),
      valueOf('curtail_webhook_attempts_total\\{result="failure"\\}'),
      valueOf("curtail_webhook_first_attempt_seconds_count"),
    ];
  };
  const { participant, hook } = await subscribed("dispatch.create");
  const before = await counts();
  hook.answer = 500;
  await dispatchOver([participant]);
  await hook.notices(1);
  hook.answer = 200;
  const since = async () => (await counts()).map((count, index) => count - (before[index] ?? 0));
  await expect.poll(since).toEqual([0, 1, 1]);
  service.clock.advance({ seconds: 3 });
  await expect.poll(since).toEqual([1, 1, 1]);
});
