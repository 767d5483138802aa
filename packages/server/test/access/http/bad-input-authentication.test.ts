import { claimKey } from "@curtail/client";
import { type BodyOf, operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { keySecrets } from "../../../src/platform/runtime/secrets.js";
import { expectError } from "../../support/expect-error.js";
import { type Answer, httpClient } from "../../support/http-client.js";
import {
  cancelTests,
  goodCall,
  laterEndpoints,
  type Named,
  namesOf,
  repeatableEndpoints,
  servedEndpoints,
} from "../../support/participant-calls.js";
import { OPERATOR_TOKEN, type Participant, type Running, running } from "../../support/running.js";

let service: Running;
let anna: Participant;
let named: Named;

beforeAll(async () => {
  service = await running({ CURTAIL_RATE_LIMIT: "100000" });
  anna = await service.newParticipant();
  const [start_time, end_time] = [1, 2].map((hours) => inHours(hours));
  const { body } = await anna.call("POST", "/dispatches", { start_time, end_time });
  named = namesOf(anna, body.id);
});

const inHours = (hours: number): string => new Date(service.clock.now().getTime() + hours * 3_600_000).toISOString();

/** Calls every endpoint once with only these headers. */
const everyEndpoint = async (headers: Record<string, string>, endpoints = servedEndpoints): Promise<Answer[]> => {
  // A hundred failures a minute from one address are answered 429 (G9), so each row has its own minute.
  service.clock.advance({ minutes: 1 });
  const call = httpClient(`${service.url}/2022-04-15`, headers);
  const answers: Answer[] = [];
  for (const endpoint of endpoints) {
    const { method, path, body } = goodCall(endpoint, named, service.clock);
    answers.push(await call(method, path, body));
  }
  return answers;
};

const expectDenied = async (headers: Record<string, string>): Promise<void> => {
  const before = await everythingStored();
  const answers = await everyEndpoint(headers);
  for (const answer of answers) expectError(answer, 401, /permission is denied|permission denied/i);
  expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
  expect(await everythingStored()).toEqual(before);
};

/** Row counts of what participants write, and the last use of keys. */
const everythingStored = async (): Promise<unknown> => {
  const { rows } = await service.database.pool.query(
    `select (select count(*) from dispatches) as dispatches, (select count(*) from availability_blocks) as blocks,
       (select count(*) from telemetry_hours) as hours, (select count(*) from controllable_load) as loads,
       (select count(*) from audit_log where actor like 'key:%' and action <> 'key.claim') as acts`,
  );
  return rows[0];
};

const key = (value: string) => ({ "x-service-api-key": value });

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
  test("A2: denies a key of spaces", () => expectDenied(key("   ")));
  test("A3: denies a random key of the right length", () => expectDenied(key("k".repeat(anna.key.length))));
  test("A3: denies an unknown key in our own form", () => expectDenied(key(`ctp_${"0".repeat(16)}_${"0".repeat(72)}`)));
  test("A4: denies a key with its last character changed", () => expectDenied(key(lastChanged(anna.key))));
  test("A4: denies a well-formed key of the right id with another secret", () =>
    expectDenied(key(keySecrets.newApiKey(anna.keyId, "production").apiKey)));
  test("A8: denies the earlier Authorization header", () => expectDenied({ authorization: `Bearer ${anna.key}` }));
  test("A8: denies the operator's token", () => expectDenied({ authorization: `Bearer ${OPERATOR_TOKEN}` }));
  test("A12: denies a key that differs in case only", () => expectDenied(key(anna.key.toUpperCase())));
  test("A15: reads the header's name in any case", async () => {
    for (const answer of await everyEndpoint({ "x-SERVICE-api-key": anna.key }, repeatableEndpoints))
      expect(answer.status).toBe(200);
  });
});

test.for(operator.operatorEndpoints.map((each) => [each.method, each.path] as const))(
  "A1, A8: the operator's %s %s denies whoever has not its token, before it looks at anything",
  async ([method, path]) => {
    // More than 100 wrong tokens a minute would be answered 429.
    service.clock.advance({ minutes: 1 });
    const tokens = ["", "Bearer ", `Bearer ${anna.key}`, `Bearer ${OPERATOR_TOKEN}x`, `Basic ${OPERATOR_TOKEN}`];
    for (const authorization of tokens) {
      const call = httpClient(`${service.url}/operator/v1`, { authorization, "x-service-api-key": anna.key });
      const body = method === "GET" ? undefined : "{";
      expectError(await call(method, path.replaceAll(/\{\w+\}/g, anna.accountId), body), 401, /^Permission denied/);
    }
  },
);

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

  test("sent twice in one request is denied", async () => {
    await expectDenied(key(`${anna.key}, ${anna.key}`));
  });
});
