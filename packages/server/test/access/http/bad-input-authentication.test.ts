import { claimKey } from "@curtail/client";
import { type BodyOf, type Endpoint, operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { keySecrets } from "../../../src/platform/runtime/secrets.js";
import {
  anna,
  everyEndpoint,
  expectDenied,
  inHours,
  key,
  prepare,
  service,
} from "../../support/every-participant-call.js";
import { notRefused } from "../../support/every-route.js";
import { expectError } from "../../support/expect-error.js";
import { httpClient } from "../../support/http-client.js";
import { cancelTests, laterEndpoints, repeatableEndpoints } from "../../support/participant-calls.js";
import { OPERATOR_TOKEN } from "../../support/running.js";

beforeAll(prepare);

const newKey = async (
  accountId: string,
  options: BodyOf<typeof operator.createKey>,
): Promise<{ id: string; apiKey: string }> => {
  const issued = await service.made(operator.createKey, { params: { id: accountId }, body: options });
  return { id: issued.id, apiKey: (await claimKey(issued.claim_url)).api_key };
};

const lastChanged = (text: string): string => text.slice(0, -1) + (text.endsWith("0") ? "1" : "0");

describe("every endpoint", () => {
  test("is served, or not there yet", async () => {
    for (const answer of await everyEndpoint(key(anna.key), repeatableEndpoints)) expect(answer.status).toBe(200);
    for (const { method, path } of laterEndpoints)
      expectError(await anna.call(method, path.replaceAll(/\{\w+\}/g, "x")), 404);
  });
  test("A1: denies a request without a key", () => expectDenied({}));
  test("A2: denies an empty key", () => expectDenied(key("")));
  test("A3: denies a random key of the right length", () => expectDenied(key("k".repeat(anna.key.length))));
  test("A3: denies an unknown key in our own form", () => expectDenied(key(`ctp_${"0".repeat(16)}_${"0".repeat(72)}`)));
  test("A4: denies a key with its last character changed", () => expectDenied(key(lastChanged(anna.key))));
  test("A4: denies a well-formed key of the right id with another secret", () =>
    expectDenied(key(keySecrets.newApiKey(anna.keyId, "production").apiKey)));
  test("A8: denies the operator's token", () => expectDenied({ authorization: `Bearer ${OPERATOR_TOKEN}` }));
});

test("A1, A8: no address of the operator takes a participant's key", async () => {
  const headers = { authorization: `Bearer ${anna.key}`, "x-service-api-key": anna.key };
  const call = httpClient(`${service.url}/operator/v1`, headers);
  let asked = 0;
  const ask = ({ method, path }: Endpoint) => {
    // More than 100 wrong tokens a minute would be answered 429.
    if (asked++ % 90 === 0) service.clock.advance({ minutes: 1 });
    return call(method, path.replaceAll(/\{\w+\}/g, anna.accountId), method === "GET" ? undefined : "{");
  };
  const refusal = { status: 401, message: /^Permission denied/ } as const;
  expect(await notRefused(operator.operatorEndpoints, ask, refusal)).toEqual([]);
});

describe("a key", () => {
  test("A5: that is revoked is denied at once", async () => {
    const { id, apiKey } = await newKey(anna.accountId, { environment: "production" });
    await cancelTests(service, anna);
    for (const answer of await everyEndpoint(key(apiKey), repeatableEndpoints)) expect(answer.status).toBe(200);
    expect((await service.operator("DELETE", `/keys/${id}`)).status).toBe(204);
    await expectDenied(key(apiKey));
  });

  test("A5: that another process revoked is denied within a second", async () => {
    const { id, apiKey } = await newKey(anna.accountId, { environment: "production" });
    const call = httpClient(`${service.url}/2022-04-15`, key(apiKey));
    expect((await call("GET", "/sites")).status).toBe(200);
    await service.database.pool.query(
      `with revoked as (update api_keys set revoked_at = now() where id = '${id}')
       select note_change('key.revoke', '${id}')`,
    );
    const isDenied = async (): Promise<boolean> => (await call("GET", "/sites")).status === 401;
    await expect.poll(isDenied, { timeout: 1000 }).toBe(true);
    expectError(await call("GET", "/sites"), 401);
  });

  test("A7: for the sandbox, including the public one, is denied in production, and nothing is read or written", async () => {
    const { apiKey } = await newKey(anna.accountId, { environment: "sandbox" });
    await expectDenied(key(apiKey));
    await expectDenied(key("sandbox-public-key"));
  });

  test("A13: of a disabled account is denied until the account is enabled", async () => {
    const bert = await service.newParticipant();
    expect((await bert.call("GET", "/sites")).status).toBe(200);
    await service.made(operator.changeAccount, {
      params: { id: bert.accountId },
      body: { disabled: true, confirm_running: true },
    });
    await expectDenied(key(bert.key));
    await service.made(operator.changeAccount, { params: { id: bert.accountId }, body: { disabled: false } });
    expect((await bert.call("GET", "/sites")).status).toBe(200);
  });

  test("A13: that has expired is denied", async () => {
    const { apiKey } = await newKey(anna.accountId, { environment: "production", expires_at: inHours(1) });
    const call = httpClient(`${service.url}/2022-04-15`, key(apiKey));
    expect((await call("GET", "/sites")).status).toBe(200);
    service.clock.advance({ hours: 1 });
    await expectDenied(key(apiKey));
  });

  test("A13: that is not claimed yet is denied, and so is its link", async () => {
    const { claim_url } = await service.made(operator.createKey, {
      params: { id: anna.accountId },
      body: { environment: "production" },
    });
    await expectDenied(key(claim_url.split("/").at(-1) ?? ""));
  });
});
