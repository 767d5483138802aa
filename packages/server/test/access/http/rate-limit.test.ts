import { getDispatch, listDispatches, listSites, operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import { httpClient } from "../../support/http-client.js";
import { expectTooMany, limits, prepare, service } from "../../support/rate-limits.js";
import type { Participant } from "../../support/running.js";

beforeAll(prepare);

describe("more requests than are allowed", () => {
  const POLLS = 5;
  const OTHERS = 8;

  let anna: Participant;

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
  });

  test("G9: the operator API has no limit", async () => {
    for (let sent = 0; sent < 3 * OTHERS; sent++) {
      const answer = await service.operator(operator.listAccounts);
      expect(answer.status).toBe(200);
      expect(limits(answer)).toEqual([null, null, null]);
    }
  });
});

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
