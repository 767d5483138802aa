import { getDispatch, listDispatches, listSites, listWebhooks, operator, participantConsole } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { keySecrets } from "../../../src/platform/runtime/secrets.js";
import { ahead } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { httpClient } from "../../support/http-client.js";
import { anna, logged, minute, prepare, prepareEach, service, untilCount, viewer } from "../../support/request-logs.js";
import { running } from "../../support/running.js";

beforeAll(prepare);

beforeEach(prepareEach);

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
    await expect.poll(list).toMatchObject([{ status: 429, error: expect.stringMatching(/2 requests/), count: 1 }]);
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

  test("has no key that was put into an address", async () => {
    await anna.call("GET", `/dispatches/${anna.key}?key=${anna.key}&${anna.key}=1`);
    await untilCount(1);
    const { rows } = await service.database.pool.query("select * from request_log where account_id = $1", [
      anna.accountId,
    ]);
    expect(JSON.stringify(rows)).not.toContain(anna.key.slice(4, 40));
    expect(await logged()).toMatchObject([{ path: "/2022-04-15/dispatches/[secret]?key&[secret]" }]);
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
