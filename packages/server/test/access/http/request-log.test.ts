import { getDispatch, listDispatches, listSites, listWebhooks, operator, participantConsole } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { keySecrets } from "../../../src/platform/runtime/secrets.js";
import { ahead } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { httpClient } from "../../support/http-client.js";
import { type Browser, newBrowser } from "../../support/people.js";
import { type Participant, type Running, running } from "../../support/running.js";

interface Logged {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly count: number;
}

let service: Running;
let anna: Participant;
let viewer: Browser;

beforeAll(async () => {
  service = await running();
});

beforeEach(async () => {
  anna = await service.newParticipant();
  viewer = await newBrowser(service, "participant-viewer", anna.accountId);
});

const logged = async (query = ""): Promise<Logged[]> => (await viewer.console("GET", `/requests${query}`)).body.items;
const countOf = async (query = ""): Promise<number> => (await logged(query)).reduce((sum, { count }) => sum + count, 0);
const untilCount = (count: number, query = "") => expect.poll(() => countOf(query), { timeout: 5000 }).toBe(count);
const minute = (): string =>
  new Date(Math.floor(service.clock.now().getTime() / 60_000) * 60_000).toISOString().replace(".000Z", "Z");

describe("the log of an account's requests", () => {
  test("has errors one by one with what to do, and what succeeded by minute; for the operator, too", async () => {
    for (let count = 0; count < 3; count++) await anna.call(listDispatches);
    await anna.call("GET", "/dispatches/dis_0?shown=1");
    await anna.call("POST", "/telemetry", { telemetry: [{ meter_id: "x", interval_seconds: 45 }] });
    await untilCount(5);
    const items = await logged();
    const base = {
      id: expect.any(String),
      key_id: anna.keyId,
      duration_ms: expect.any(Number),
      max_duration_ms: expect.any(Number),
    };
    const now = ahead(service, {});
    expect(items.filter(({ status }) => status >= 400)).toEqual([
      {
        ...base,
        at: now,
        method: "POST",
        path: "/2022-04-15/telemetry",
        status: 400,
        error: expect.stringMatching(/telemetry\[0\].interval_seconds/),
        explanation: expect.stringMatching(/multiple of 30/),
        count: 1,
      },
      {
        ...base,
        at: now,
        method: "GET",
        path: "/2022-04-15/dispatches/dis_0?shown",
        status: 404,
        error: "No such dispatch; check the id.",
        explanation: expect.stringMatching(/No dispatch of this account's sites/),
        count: 1,
      },
    ]);
    const ok = { ...base, at: minute(), method: "GET", path: "/2022-04-15/dispatches", status: 200 };
    expect(items.filter(({ status }) => status < 400)).toEqual([{ ...ok, error: null, explanation: null, count: 3 }]);
    expect(
      (await service.operator(operator.listAccountRequests, { params: { id: anna.accountId } })).body.items,
    ).toEqual(items);
  });

  test("lists only errors or only successes, in pages", async () => {
    await anna.call(listSites);
    for (const id of ["a", "b", "c"]) await anna.call(getDispatch, { params: { id } });
    await untilCount(4);
    expect(await logged("?status=ok")).toMatchObject([{ path: "/2022-04-15/sites" }]);
    const errors = await logged("?status=error");
    expect(errors.map(({ path }) => path.slice(-1))).toEqual(["c", "b", "a"]);
    const { next_cursor } = (
      await viewer.console(participantConsole.listOwnRequests, { query: { status: "error", limit: 1 } })
    ).body;
    expect(await logged(`?status=error&limit=1&cursor=${next_cursor}`)).toEqual(errors.slice(1, 2));
    expect(await logged(`?status=error&cursor=${next_cursor}`)).toEqual(errors.slice(1));
    for (const query of ["?status=bad", "?cursor=x", "?limit=0"])
      expectError(await viewer.console("GET", `/requests${query}`), 400);
  });

  test("adds what another process answered in the same minute", async () => {
    const elsewhere = httpClient(`${await service.another()}/2022-04-15`, { "x-service-api-key": anna.key });
    await anna.call(listSites);
    await untilCount(1);
    await elsewhere("GET", "/sites");
    await untilCount(2);
    expect(await logged()).toMatchObject([{ count: 2 }]);
  });

  test("has what was refused for its rate", async () => {
    const limited = await running({ CURTAIL_RATE_LIMIT: "2" });
    const ben = await limited.newParticipant();
    for (let count = 0; count < 3; count++) await ben.call(listSites);
    const list = async () =>
      (
        await limited.operator(operator.listAccountRequests, {
          params: { id: ben.accountId },
          query: { status: "error" },
        })
      ).body.items;
    await expect
      .poll(list, { timeout: 5000 })
      .toMatchObject([{ status: 429, error: expect.stringMatching(/2 requests/), count: 1 }]);
  });

  test("has no requests of users or with unknown keys", async () => {
    await httpClient(`${service.url}/2022-04-15`, { "x-service-api-key": `${anna.key}0` })("GET", "/sites");
    // Well-formed in every way, but invented.
    const { apiKey } = keySecrets.newApiKey(anna.keyId, "production");
    await httpClient(`${service.url}/2022-04-15`, { "x-service-api-key": apiKey })("GET", "/sites");
    await httpClient(`${service.url}/2022-04-15`, { "x-service-api-key": apiKey })("GET", "/nothing-here");
    await service.publicCall(listSites);
    await viewer.console(listSites);
    await anna.call(listWebhooks);
    await untilCount(1);
    expect(await logged()).toMatchObject([{ path: "/2022-04-15/webhooks" }]);
    const { rows } = await service.database.pool.query("select from sandbox.request_log where account_id = 'public'");
    expect(rows).toEqual([]);
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

  test("has what was refused because the key was revoked or its account disabled", async () => {
    await service.operator(operator.changeAccount, {
      params: { id: anna.accountId },
      body: { disabled: true, confirm_running: true },
    });
    expectError(await anna.call(listSites), 401, /the account of this API key is disabled/);
    await service.operator(operator.changeAccount, { params: { id: anna.accountId }, body: { disabled: false } });
    await service.operator(operator.revokeKey, { params: { id: anna.keyId } });
    expectError(await anna.call(listSites), 401, /^Permission denied: this API key was revoked/);
    await untilCount(2);
    expect(await logged()).toMatchObject([
      { status: 401, key_id: anna.keyId, explanation: expect.stringMatching(/sends a revoked key/) },
      { status: 401, explanation: expect.stringMatching(/operator has disabled/) },
    ]);
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

  test("has no key that was put into an address", async () => {
    await anna.call("GET", `/dispatches/${anna.key}?key=${anna.key}&${anna.key}=1`);
    await untilCount(1);
    const { rows } = await service.database.pool.query("select * from request_log where account_id = $1", [
      anna.accountId,
    ]);
    expect(JSON.stringify(rows)).not.toContain(anna.key.slice(4, 40));
    expect(await logged()).toMatchObject([{ path: "/2022-04-15/dispatches/[secret]?key&[secret]" }]);
  });

  test("is kept for a day", async () => {
    await anna.call(listSites);
    await untilCount(1);
    service.clock.advance({ hours: 24 });
    await anna.call(listWebhooks);
    const all = async () =>
      (await service.operator(operator.listAccountRequests, { params: { id: anna.accountId } })).body.items.map(
        (each: Logged) => each.path,
      );
    await expect.poll(all, { timeout: 5000 }).toEqual(["/2022-04-15/webhooks", "/2022-04-15/sites"]);
    service.clock.advance({ minutes: 11 });
    await expect.poll(all, { timeout: 5000 }).toEqual(["/2022-04-15/webhooks"]);
  });

  test("of an unknown account is not found", async () => {
    expectError(
      await service.operator(operator.listAccountRequests, { params: { id: "acc_0" } }),
      404,
      /No such account/,
    );
  });
});

test("what was answered before a drain is in the log", async () => {
  const draining = await running();
  const ben = await draining.newParticipant();
  await ben.call(listSites);
  await draining.stop();
  const { rows } = await draining.database.pool.query("select count from request_log");
  expect(rows).toEqual([{ count: 1 }]);
});
