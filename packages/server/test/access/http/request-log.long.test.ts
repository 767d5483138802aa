import { listDispatches, listSites, listWebhooks, operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ahead } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { httpClient } from "../../support/http-client.js";
import { anna, type Logged, logged, prepare, prepareEach, service, untilCount } from "../../support/request-logs.js";

beforeAll(prepare);

beforeEach(prepareEach);

const all = async () =>
  (await service.operator(operator.listAccountRequests, { params: { id: anna.accountId } })).body.items.map(
    (each: Logged) => each.path,
  );

describe("the log of an account's requests", () => {
  test("adds what another process answered in the same minute", async () => {
    const elsewhere = httpClient(`${await service.another()}/2022-04-15`, { "x-service-api-key": anna.key });
    await anna.call(listSites);
    await untilCount(1);
    await elsewhere("GET", "/sites");
    await untilCount(2);
    expect(await logged()).toMatchObject([{ count: 2 }]);
  });

  test("has requests to addresses that are none, without the values of their query", async () => {
    await anna.call("GET", "/dispatch?id=1");
    await anna.call("PUT", `/dispatches/${anna.key}`);
    const other = httpClient(service.url, { "x-service-api-key": anna.key });
    await other("GET", "/2020-12-30/dispatches");
    await untilCount(3);
    const entries = (await logged()).map(({ method, path, status }) => `${method} ${path} ${status}`).toSorted();
    expect(entries).toEqual([
      "GET /2020-12-30/dispatches 404",
      "GET /2022-04-15/dispatch?id 404",
      "PUT /2022-04-15/dispatches/[secret] 404",
    ]);
    // Entries of one moment are in the order in which their answers ended.
    const byMethod = new Map((await logged()).map((entry) => [`${entry.method} ${entry.path}`, entry]));
    expect(byMethod.get("GET /2020-12-30/dispatches")).toMatchObject({
      explanation: expect.stringMatching(/no longer served/),
    });
    expect(byMethod.get("PUT /2022-04-15/dispatches/[secret]")).toMatchObject({
      error: expect.stringMatching(/nothing at this address/),
      explanation: expect.stringMatching(/no such address/),
    });
  });

  test("counts made-up addresses beyond 60 a minute together", async () => {
    for (let n = 0; n < 70; n++) {
      expect((await anna.call("GET", `/made-up/${n}`)).status).toBe(404);
      // Its key is looked up after the answer; while four are, no other is. This waits for the lookup.
      await anna.call(listDispatches);
    }
    await untilCount(70, "?status=error");
    const paths = (await logged("?status=error&limit=500")).map(({ path, count }) => `${path} ${count}`);
    expect(paths).toContain("/{unknown} 10");
    expect(paths).toHaveLength(61);
  });

  test("has what was refused because the key's time was over", async () => {
    const expires_at = ahead(service, { hours: 1 });
    const { id, claim_url } = await service.made(operator.createKey, {
      params: { id: anna.accountId },
      body: { environment: "production", expires_at },
    });
    const { api_key } = (await httpClient(service.url)("POST", new URL(claim_url).pathname)).body;
    const call = httpClient(`${service.url}/2022-04-15`, { "x-service-api-key": api_key });
    service.clock.advance({ hours: 2 });
    expectError(await call(listSites), 401, /this API key has expired/);
    await untilCount(1, "?status=error");
    expect(await logged()).toMatchObject([{ key_id: id, explanation: expect.stringMatching(/an expired key/) }]);
  });

  test("of the sandbox is separate, and a key used at the other environment is logged in its own", async () => {
    const sandbox = await service.sandboxCall(anna);
    await sandbox("GET", "/sites");
    await sandbox("GET", "/nothing-here");
    await untilCount(2, "?environment=sandbox");
    const toSandbox = httpClient(`${service.sandboxUrl}/2022-04-15`, { "x-service-api-key": anna.key });
    expectError(
      await toSandbox("GET", "/sites"),
      401,
      /this is a production API key, and this is the sandbox's address/,
    );
    await untilCount(1);
    expect(await logged()).toMatchObject([
      { status: 401, key_id: anna.keyId, explanation: expect.stringMatching(/production key was sent to the sandbox/) },
    ]);
    const inSandbox = await logged("?environment=sandbox");
    expect(inSandbox.map(({ path, status }) => `${path} ${status}`).toSorted()).toEqual([
      "/2022-04-15/nothing-here 404",
      "/2022-04-15/sites 200",
    ]);
    const forOperator = `/accounts/${anna.accountId}/requests?environment=sandbox`;
    expect((await service.operator("GET", forOperator)).body.items).toEqual(inSandbox);
  });

  test("has a sandbox key that was sent to production in the sandbox's part", async () => {
    const { claim_url } = await service.made(operator.createKey, {
      params: { id: anna.accountId },
      body: { environment: "sandbox" },
    });
    const { api_key } = (await httpClient(service.url)("POST", new URL(claim_url).pathname)).body;
    const toProduction = httpClient(`${service.url}/2022-04-15`, { "x-service-api-key": api_key });
    expectError(
      await toProduction("GET", "/sites"),
      401,
      /this is a sandbox API key, and this is production's address/,
    );
    await untilCount(1, "?environment=sandbox");
    expect(await logged("?environment=sandbox")).toMatchObject([
      { status: 401, explanation: expect.stringMatching(/sandbox key was sent to production/) },
    ]);
    expect(await logged()).toEqual([]);
  });

  test("is kept for a day", async () => {
    await anna.call(listSites);
    await untilCount(1);
    service.clock.advance({ hours: 24 });
    await anna.call(listWebhooks);
    await expect.poll(all).toEqual(["/2022-04-15/webhooks", "/2022-04-15/sites"]);
    service.clock.advance({ minutes: 11 });
    await expect.poll(all).toEqual(["/2022-04-15/webhooks"]);
  });

  test("of an unknown account is not found", async () => {
    expectError(
      await service.operator(operator.listAccountRequests, { params: { id: "acc_0" } }),
      404,
      /No such account/,
    );
  });
});
