import { listDispatches, listSites } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import { httpClient } from "../../support/http-client.js";
import { goodCall, namesOf, servedEndpoints, unknownNames } from "../../support/participant-calls.js";
import { expectTooMany, limits, prepare, service } from "../../support/rate-limits.js";
import { type Participant, type Running, running } from "../../support/running.js";

beforeAll(prepare);

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
});

const statusAt = async (url: string, key: string, address: string): Promise<number> => {
  const headers = { "x-service-api-key": key, "x-forwarded-for": address };
  return (await httpClient(`${url}/2022-04-15`, headers)("GET", "/sites")).status;
};

// Specification, "Errors"; G9.
describe("the rate of requests", () => {
  beforeEach(async () => {
    service.clock.advance({ minutes: 2 });
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
});
