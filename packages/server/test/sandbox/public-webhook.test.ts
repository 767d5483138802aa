import { createServer } from "node:net";
import { atEnd } from "@curtail/testing/at-end";
import { beforeAll, describe, expect, test } from "vitest";
import { RateWindows } from "../../src/access/domain/rate-limit.js";
import type { Webhook } from "../../src/notification/domain/delivery.js";
import type { ProbeWebhook } from "../../src/notification/operations/manage-webhooks.js";
import { dialLimit, publicTests } from "../../src/notification/worker/public-tests.js";
import { randomSecret } from "../../src/notification/worker/signature.js";
import type { AnsweredAttempt } from "../../src/platform/attempt.js";
import { newId } from "../../src/platform/runtime/secrets.js";
import { publicCaller, publicService } from "../../src/sandbox/operations/public-service.js";
import { expectError } from "../support/expect-error.js";
import { fakeClock } from "../support/fake-clock.js";
import { type Running, running } from "../support/running.js";

const events = [{ name: "dispatch.create" as const }];
const everything = {
  CURTAIL_WEBHOOK_ALLOWED_NETWORKS: "0.0.0.0/0,::/0",
  CURTAIL_WEBHOOK_ALLOW_HTTP: "true",
  CURTAIL_TRUSTED_PROXIES: "127.0.0.1/32",
};
const NOT_REACHED =
  /^the test request did not reach the url, which must be a public https address; .*Nothing was created\.$/;

let service: Running;
let connections = 0;
let port: number;

beforeAll(async () => {
  service = await running(everything);
  const canary = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => canary.listen(0, "127.0.0.1", resolve));
  port = (canary.address() as { port: number }).port;
  atEnd(async () => void canary.close());
});

const registerFrom = async (address: string, url: string) => {
  const headers = {
    "x-service-api-key": "sandbox-public-key",
    "content-type": "application/json",
    "x-forwarded-for": address,
  };
  const body = JSON.stringify({ url, events });
  const response = await fetch(`${service.sandboxUrl}/2022-04-15/webhooks`, { method: "POST", headers, body });
  return { status: response.status, headers: response.headers, body: await response.json() };
};

describe("the public key's test request", () => {
  test("reaches only public https addresses, whatever else is allowed, and reveals nothing about them", async () => {
    const hosts = ["127.0.0.1", "localhost", "[::1]", "10.0.0.1", "169.254.169.254", "nowhere.invalid"];
    const urls = [...hosts.map((host) => `https://${host}:${port}/`), "https://127.0.0.1:1/"];
    const answers = await Promise.all(urls.map((url, index) => registerFrom(`192.0.2.${index}`, url)));
    for (const answer of answers) expectError(answer, 400, NOT_REACHED);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expectError(await registerFrom("192.0.2.9", `http://127.0.0.1:${port}/`), 400, /begin with https/);
    expect(connections).toBe(0);
    // Control: an account's sandbox key can reach it.
    const anna = await service.sandboxCall(await service.newParticipant());
    expectError(await anna("POST", "/webhooks", { url: `http://127.0.0.1:${port}/`, events }), 400, /connection_reset/);
    expect(connections).toBe(1);
  });

  test("F10: is sent ten times a minute for one caller, wherever it leads", async () => {
    const answers = [];
    for (let count = 0; count <= 10; count++)
      answers.push(await registerFrom("198.51.100.1", `https://host-${count}.invalid/`));
    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 400), 429]);
    expect(Number(answers.at(-1)?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await registerFrom("198.51.100.2", "https://host.invalid/")).status).toBe(400);
    service.clock.advance({ minutes: 1 });
    expect((await registerFrom("198.51.100.1", "https://host.invalid/")).status).toBe(400);
  });
});

const clock = fakeClock();
const attempt = (rest: Partial<AnsweredAttempt> = {}): AnsweredAttempt => ({
  ok: false,
  at: clock.now(),
  status: null,
  durationMs: 1,
  address: null,
  error: null,
  responseType: null,
  responseBody: null,
  ...rest,
});
const registering = (probe: ProbeWebhook, url = "https://example.com/hook") => {
  const forAll = publicService({
    clock,
    newId,
    newSecret: randomSecret,
    probe: publicTests(probe),
    maxReadings: 10,
    tests: new RateWindows(),
  });
  return forAll.registerWebhook(
    { ...publicCaller, place: "192.0.2.1" },
    {
      url,
      events: ["dispatch.create"],
      interfaceVersion: "2022-04-15",
    },
  );
};

describe("the answer to it", () => {
  test("is the webhook as it was given where the address was reached", async () => {
    const url = "https://EXAMPLE.com:443/hook";
    const answer = await registering(async () => attempt({ ok: true, status: 200 }), url);
    expect(answer).toMatchObject({ id: expect.stringMatching(/^wh_/), url, events: ["dispatch.create"] });
  });

  test("is the same, whatever kept the address from being reached", async () => {
    const failures = [
      { error: "connection_refused", address: "192.0.2.1" },
      { error: "timeout", durationMs: 10_000 },
      { error: "status_500", status: 500 },
      { error: "tls" },
      { error: "dns" },
      { error: "blocked_address" },
    ];
    const answers = await Promise.all(failures.map((failure) => registering(async () => attempt(failure))));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ code: "invalid", message: expect.stringMatching(NOT_REACHED) });
  });

  test("is 429 for an address that was dialled too often, and where 32 of them are under way", async () => {
    const often = await registering(async () => attempt({ error: "dialled_too_often", address: "192.0.2.1" }));
    expect(often).toMatchObject({ code: "too_many", retryAfterSeconds: 60 });
    const waiting: Array<(sent: AnsweredAttempt) => void> = [];
    const probe = publicTests(() => new Promise((resolve) => waiting.push(resolve)));
    const webhook = { accountId: publicCaller.accountId } as Webhook;
    const underWay = Array.from({ length: 32 }, () => probe(webhook));
    expect(await probe(webhook)).toMatchObject({ code: "too_many" });
    for (const answer of waiting.splice(0)) answer(attempt({ ok: true }));
    await Promise.all(underWay);
    void probe(webhook);
    expect(waiting).toHaveLength(1);
  });
});

test("an address is dialled ten times a minute, behind whatever name", () => {
  const admit = dialLimit(clock, new RateWindows());
  for (let count = 0; count < 10; count++) expect(admit(["192.0.2.1", `198.51.100.${count}`])).toBeNull();
  expect(admit(["192.0.2.1"])).toMatchObject({ code: "dialled_too_often", address: "192.0.2.1" });
  expect(admit(["198.51.100.1"])).toBeNull();
  clock.advance({ minutes: 1 });
  expect(admit(["192.0.2.1"])).toBeNull();
});
