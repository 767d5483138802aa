import { getDispatch, listDispatches, listSites, operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import { type Answer, httpClient } from "../../support/http-client.js";
import { goodCall, namesOf, servedEndpoints, unknownNames } from "../../support/participant-calls.js";
import { type Participant, type Running, running } from "../../support/running.js";

let service: Running;

beforeAll(async () => {
  service = await running({ CURTAIL_RATE_LIMIT_DISPATCHES: "5", CURTAIL_RATE_LIMIT: "8" });
});

const expectTooMany = (answer: Answer, retryAfter: number): void => {
  expectError(answer, 429, new RegExp(`${retryAfter} seconds`));
  expect(answer.headers.get("retry-after")).toBe(String(retryAfter));
};

/** `x-ratelimit-limit`, `-remaining`, `-reset`. */
const limits = ({ headers }: Answer): Array<number | null> =>
  ["limit", "remaining", "reset"].map((name) => {
    const text = headers.get(`x-ratelimit-${name}`);
    return text === null ? null : Number(text);
  });

describe("more requests than are allowed", () => {
  const POLLS = 5;
  const OTHERS = 8;

  let usual: Running;
  let anna: Participant;

  beforeAll(async () => {
    usual = await running();
  });

  beforeEach(async () => {
    anna = await service.newParticipant();
  });

  const poll = () => anna.call(listDispatches);

  describe("G9: a key", () => {
    test("gets its limit, what remains, and when more is free", async () => {
      expect(limits(await poll())).toEqual([POLLS, POLLS - 1, 60]);
      service.clock.advance({ seconds: 10 });
      expect(limits(await poll())).toEqual([POLLS, POLLS - 2, 50]);
      expect(limits(await anna.call(listSites))).toEqual([OTHERS, OTHERS - 1, 60]);
    });

    test("C3: meets 429 beyond its limit, and another key does not notice", async () => {
      for (let sent = 0; sent < POLLS; sent++) expect((await poll()).status).toBe(200);
      const refused = await poll();
      expectTooMany(refused, 60);
      expect(limits(refused)).toEqual([POLLS, 0, 60]);
      const bert = await service.newParticipant();
      expect((await bert.call(listDispatches)).status).toBe(200);
      expect((await anna.call(listSites)).status).toBe(200);
    });

    test("has a minute that slides: each request is free again 60 seconds after it was sent", async () => {
      for (let sent = 0; sent < 3; sent++) expect((await poll()).status).toBe(200);
      service.clock.advance({ seconds: 40 });
      for (let sent = 3; sent < POLLS; sent++) expect((await poll()).status).toBe(200);
      expectTooMany(await poll(), 20);
      service.clock.advance({ seconds: 19 });
      expectTooMany(await poll(), 1);
      service.clock.advance({ seconds: 1 });
      for (let sent = 0; sent < 3; sent++) expect((await poll()).status).toBe(200);
      expectTooMany(await poll(), 40);
    });

    test("counts every answer, not only good ones", async () => {
      const path = "/dispatches/dis_0000000000000000";
      for (let sent = 0; sent < OTHERS; sent++) {
        const answer = sent % 2 === 0 ? await anna.call("GET", path) : await anna.call("POST", "/telemetry", "{");
        expectError(answer, sent % 2 === 0 ? 404 : 400);
        expect(limits(answer)).toEqual([OTHERS, OTHERS - 1 - sent, 60]);
      }
      expectTooMany(await anna.call("GET", path), 60);
      // The rate is checked before the body (G3).
      expectTooMany(await anna.call("POST", "/telemetry", "{"), 60);
    });

    test("B28: meets the 429 on every endpoint", async () => {
      for (const endpoint of servedEndpoints) {
        const carl = await service.newParticipant();
        const { method, path, body } = goodCall(endpoint, namesOf(carl, unknownNames.dispatchId), service.clock);
        const limit = endpoint.id === "listDispatches" ? POLLS : OTHERS;
        for (let sent = 0; sent < limit; sent++) expect((await carl.call(method, path, body)).status).not.toBe(429);
        expectTooMany(await carl.call(method, path, body), 60);
      }
    });

    test("that polls every second never meets one", async () => {
      const bert = await usual.newParticipant();
      for (let second = 0; second < 130; second++) {
        expect((await bert.call(listDispatches)).status).toBe(200);
        usual.clock.advance({ seconds: 1 });
      }
    });

    test("has 300 polls and 1,200 other requests a minute unless set otherwise", async () => {
      const bert = await usual.newParticipant();
      expect(limits(await bert.call(listDispatches))).toEqual([300, 299, 60]);
      expect(limits(await bert.call(listSites))).toEqual([1200, 1199, 60]);
    });
  });

  describe("G9: an address", () => {
    test("that sent 100 failing keys in a minute meets 429 with further ones; good keys go on", async () => {
      service.clock.advance({ minutes: 2 });
      const failing = httpClient(`${service.url}/2022-04-15`);
      const wrong = (attempt: number) =>
        failing("GET", "/sites", undefined, { "x-service-api-key": `wrong-${attempt}` });
      for (let attempt = 0; attempt < 100; attempt++) expectError(await wrong(attempt), 401);
      const refused = await wrong(100);
      expectTooMany(refused, 60);
      expectTooMany(await failing("POST", "/telemetry", "{"), 60);
      expect((await anna.call(listSites)).status).toBe(200);
      service.clock.advance({ minutes: 1 });
      expectError(await wrong(101), 401);
    });

    test("of IPv6 is counted with the others of its customer's network", async () => {
      const proxied = await running({ CURTAIL_TRUSTED_PROXIES: "127.0.0.0/8", CURTAIL_RATE_LIMIT: String(OTHERS) });
      const call = httpClient(`${proxied.url}/2022-04-15`);
      const from = (address: string, key: string) =>
        call(listSites, { headers: { "x-service-api-key": key, "x-forwarded-for": address } });
      for (let attempt = 0; attempt < 100; attempt++)
        expectError(await from(`2001:db8:1:2::${attempt + 1}`, `wrong-${attempt}`), 401);
      expectTooMany(await from("2001:db8:1:2:ffff::1", "wrong"), 60);
      expectError(await from("2001:db8:1:3::1", "wrong"), 401);
    });
  });

  test("G9: the operator API has no limit", async () => {
    for (let sent = 0; sent < 3 * OTHERS; sent++) {
      const answer = await service.operator(operator.listAccounts);
      expect(answer.status).toBe(200);
      expect(limits(answer)).toEqual([null, null, null]);
    }
  });
});

const statusAt = async (url: string, key: string, address: string): Promise<number> => {
  const headers = { "x-service-api-key": key, "x-forwarded-for": address };
  return (await httpClient(`${url}/2022-04-15`, headers)("GET", "/sites")).status;
};

// Specification, "Errors"; G9.
describe("the rate of requests", () => {
  let anna: Participant;

  beforeEach(async () => {
    service.clock.advance({ minutes: 2 });
    anna = await service.newParticipant();
  });

  const poll = () => anna.call(listDispatches);

  describe("a key's rate", () => {
    test("is on every answer", async () => {
      expect(limits(await poll())).toEqual([5, 4, 60]);
      service.clock.advance({ seconds: 20 });
      expect(limits(await poll())).toEqual([5, 3, 40]);
      expect(limits(await anna.call(listSites))).toEqual([8, 7, 60]);
      expect(limits(await anna.call(getDispatch, { params: { id: "dis_1" } }))).toEqual([8, 6, 60]);
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
      for (let count = 0; count < 8; count++) expect((await anna.call(listSites)).status).toBe(200);
      expectError(await anna.call(listSites), 429);
      expect((await poll()).status).toBe(200);
    });

    test("counts errors too", async () => {
      for (let count = 0; count < 8; count++) expectError(await anna.call("POST", "/telemetry", {}), 400);
      expectError(await anna.call("POST", "/telemetry", {}), 429);
    });

    test("is each key's own", async () => {
      const ben = await service.newParticipant();
      for (let count = 0; count < 6; count++) await poll();
      expect((await ben.call(listDispatches)).status).toBe(200);
    });

    test("does not touch the operator", async () => {
      for (let count = 0; count < 20; count++) {
        const answer = await service.operator(operator.listAccounts);
        expect([answer.status, answer.headers.get("x-ratelimit-limit")]).toEqual([200, null]);
      }
    });
  });

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
});
