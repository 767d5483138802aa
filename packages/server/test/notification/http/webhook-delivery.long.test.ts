import type { ServerResponse } from "node:http";
import { createWebhook, deleteWebhook } from "@curtail/contract";
import { receiver } from "@curtail/testing/receiver";
import { Compile } from "typebox/compile";
import { beforeAll, describe, expect, test } from "vitest";
import { httpClient } from "../../support/http-client.js";
import { recorded } from "../../support/recorded.js";
import {
  answering,
  change,
  dispatchOver,
  expectDelivered,
  expectTriedAgain,
  nextAttemptMs,
  prepare,
  service,
  settled,
  statesOf,
  subscribed,
} from "../../support/webhook-deliveries.js";

beforeAll(prepare);

describe("a dispatch", () => {
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
});

const elsewhere = { location: "/elsewhere" };

// Other behaviour of receivers is tested in `notification/worker` and `platform/outbound`; here, the outcome of the
// delivery.
describe("an attempt", () => {
  test.each([201, 202, 204].map((status) => answering(status)))("answered $name delivers", ({ answer }) =>
    expectDelivered(answer),
  );

  test.each([
    ...[203, 301, 302, 400, 401, 404, 429, 500].map((status) => answering(status)),
    ...[303, 307, 308].map((status) => answering(status, elsewhere)),
    {
      name: "without end",
      answer: (response: ServerResponse) => void response.writeHead(200).write("x".repeat(70_000)),
    },
  ])("answered $name is tried again, and then delivers", ({ answer }) => expectTriedAgain(answer));

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

const counts = async (): Promise<readonly number[]> => {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const valueOf = (name: string): number => Number(new RegExp(`^${name} (.*)$`, "m").exec(text)?.[1] ?? 0);
  return [
    valueOf('curtail_webhook_attempts_total\\{result="success"\\}'),
    valueOf('curtail_webhook_attempts_total\\{result="failure"\\}'),
    valueOf("curtail_webhook_first_attempt_seconds_count"),
  ];
};

test("attempts are counted by result, and the first of each delivery is timed from the notice", async () => {
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
