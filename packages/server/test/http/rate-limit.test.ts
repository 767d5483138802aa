import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectError } from "../support/expect-error.js";
import { type Answer, httpClient } from "../support/http-client.js";
import { type Participant, type Running, running } from "../support/running.js";

// Specification, "Errors"; G9.
let service: Running;
let anna: Participant;

beforeAll(async () => {
  service = await running({ CURTAIL_RATE_LIMIT_DISPATCHES: "5", CURTAIL_RATE_LIMIT: "8" });
});

beforeEach(async () => {
  service.clock.advance({ minutes: 2 });
  anna = await service.newParticipant();
});

const poll = () => anna.call("GET", "/dispatches");
const limits = ({ headers }: Answer) =>
  ["limit", "remaining", "reset"].map((name) => Number(headers.get(`x-ratelimit-${name}`)));

describe("a key's rate", () => {
  test("is told on every answer", async () => {
    expect(limits(await poll())).toEqual([5, 4, 60]);
    service.clock.advance({ seconds: 20 });
    expect(limits(await poll())).toEqual([5, 3, 40]);
    expect(limits(await anna.call("GET", "/sites"))).toEqual([8, 7, 60]);
    expect(limits(await anna.call("GET", "/dispatches/dis_1"))).toEqual([8, 6, 60]);
  });

  test("beyond the limit is 429 with the wait, after which the key goes on", async () => {
    for (let count = 0; count < 5; count++) expect((await poll()).status).toBe(200);
    service.clock.advance({ seconds: 15 });
    const refused = await poll();
    expectError(refused, 429, /5 requests within a minute; wait 45 seconds/);
    expect(refused.headers.get("retry-after")).toBe("45");
    expect(limits(refused)).toEqual([5, 0, 45]);
    service.clock.advance({ seconds: 44 });
    expect((await poll()).status).toBe(429);
    service.clock.advance({ seconds: 1 });
    expect((await poll()).status).toBe(200);
  });

  test("of polling and of everything else are counted apart", async () => {
    for (let count = 0; count < 8; count++) expect((await anna.call("GET", "/sites")).status).toBe(200);
    expectError(await anna.call("GET", "/sites"), 429);
    expect((await poll()).status).toBe(200);
  });

  test("counts errors too", async () => {
    for (let count = 0; count < 8; count++) expectError(await anna.call("POST", "/telemetry", {}), 400);
    expectError(await anna.call("POST", "/telemetry", {}), 429);
  });

  test("is each key's own", async () => {
    const ben = await service.newParticipant();
    for (let count = 0; count < 6; count++) await poll();
    expect((await ben.call("GET", "/dispatches")).status).toBe(200);
  });

  test("does not touch the operator", async () => {
    for (let count = 0; count < 20; count++) {
      const answer = await service.operator("GET", "/accounts");
      expect([answer.status, answer.headers.get("x-ratelimit-limit")]).toEqual([200, null]);
    }
  });
});

const statusAt = async (url: string, key: string, address: string): Promise<number> => {
  const headers = { "x-service-api-key": key, "x-forwarded-for": address };
  return (await httpClient(`${url}/2022-04-15`, headers)("GET", "/sites")).status;
};

test("an IPv6 network of one customer is one address, for failing keys and for the sandbox's public key", async () => {
  const on = await running({ CURTAIL_TRUSTED_PROXIES: "127.0.0.0/8", CURTAIL_RATE_LIMIT: "2" });
  for (let index = 1; index <= 100; index++) await statusAt(on.url, "wrong", `2001:db8:1:2::${index}`);
  expect(await statusAt(on.url, "wrong", "2001:db8:1:2:ffff::1")).toBe(429);
  expect(await statusAt(on.url, "wrong", "2001:db8:1:3::1")).toBe(401);

  const key = "sandbox-public-key";
  for (const host of [1, 2]) expect(await statusAt(on.sandboxUrl, key, `2001:db8:1:2::${host}`)).toBe(200);
  expect(await statusAt(on.sandboxUrl, key, "2001:db8:1:2:ffff::1")).toBe(429);
  expect(await statusAt(on.sandboxUrl, key, "2001:db8:1:3::1")).toBe(200);
});

test("a hundred failing keys a minute from one address are 401, the next 429, and good keys go on", async () => {
  const stranger = httpClient(`${service.url}/2022-04-15`, { "x-service-api-key": "wrong" });
  const answers = await Promise.all(Array.from({ length: 101 }, () => stranger("GET", "/sites")));
  expect(answers.filter((answer) => answer.status === 401)).toHaveLength(100);
  const refused = answers.filter((answer) => answer.status === 429);
  expect(refused.map(({ headers }) => headers.get("retry-after"))).toEqual(["60"]);
  expect((await poll()).status).toBe(200);
  service.clock.advance({ minutes: 1 });
  expectError(await stranger("GET", "/sites"), 401);
});
