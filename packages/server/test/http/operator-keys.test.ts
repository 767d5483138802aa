import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { ahead } from "../support/dispatching.js";
import { expectError } from "../support/expect-error.js";
import { httpClient, type Send } from "../support/http-client.js";
import { type Participant, type Running, running } from "../support/running.js";

// Specification, "Authentication"; reliability: API keys and one-time links.
let service: Running;
let anyone: Send;
let anna: Participant;

beforeAll(async () => {
  service = await running();
  anyone = httpClient(service.url);
});

beforeEach(async () => {
  anna = await service.newParticipant();
});

const issue = (body: object = {}) =>
  service.made<{ id: string; claim_url: string }>("POST", `/accounts/${anna.accountId}/keys`, {
    environment: "production",
    ...body,
  });
const claim = (url: string) => anyone("POST", new URL(url).pathname);
const keys = async () => (await service.operator("GET", `/accounts/${anna.accountId}/keys`)).body.items;
const sitesWith = (key: string) =>
  httpClient(`${service.url}/2022-04-15`, { "x-service-api-key": key })("GET", "/sites");

describe("a key", () => {
  test("is issued while fewer than 100 stand, links that wait to be opened included", async () => {
    const { rowCount } = await service.database.pool.query(
      `insert into api_keys (id, account_id, environment, claim_token_hash, claim_expires_at, created_at)
       select 'key_many_' || n, $1, 'production', sha256(('many' || n)::bytea), $2, now() from generate_series(1, 98) as n`,
      [anna.accountId, ahead(service, { hours: 24 })],
    );
    expect(rowCount).toBe(98);
    const path = `/accounts/${anna.accountId}/keys`;
    const answers = await Promise.all(
      [1, 2, 3].map(() => service.operator("POST", path, { environment: "production" })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expectError(
      await service.operator("POST", path, { environment: "production" }),
      400,
      /100 production keys.*revoke/,
    );
    expect((await service.operator("POST", path, { environment: "sandbox" })).status).toBe(201);
  });

  test("is listed with its state from link to end, and never shown", async () => {
    const link = await issue({ expires_at: ahead(service, { days: 1 }) });
    const state = async () => (await keys()).find((key: { id: string }) => key.id === link.id).state;
    expect(await state()).toBe("unclaimed");
    const { api_key } = (await claim(link.claim_url)).body;
    expect(await state()).toBe("active");
    const { text } = await service.operator("GET", `/accounts/${anna.accountId}/keys`);
    expect(text).not.toContain(api_key.slice(-40));
    service.clock.advance({ days: 1 });
    expect(await state()).toBe("expired");
    await service.operator("DELETE", `/keys/${link.id}`);
    expect(await state()).toBe("revoked");
  });

  test("revoked is refused from that answer on, and the account's other key goes on", async () => {
    const { body } = await claim((await issue()).claim_url);
    expect((await sitesWith(anna.key)).status).toBe(200);
    expect((await service.operator("DELETE", `/keys/${anna.keyId}`)).status).toBe(204);
    expectError(await sitesWith(anna.key), 401, /permission denied/i);
    expect((await sitesWith(body.api_key)).status).toBe(200);
    expectError(await service.operator("DELETE", "/keys/key_0"), 404);
  });

  test("expires when its time comes", async () => {
    const { body } = await claim((await issue({ expires_at: ahead(service, { hours: 1 }) })).claim_url);
    service.clock.advance({ minutes: 59 });
    expect((await sitesWith(body.api_key)).status).toBe(200);
    service.clock.advance({ minutes: 1 });
    expectError(await sitesWith(body.api_key), 401);
    const past = { environment: "production", expires_at: ahead(service, {}) };
    expectError(
      await service.operator("POST", `/accounts/${anna.accountId}/keys`, past),
      400,
      /expires_at must lie in the future/,
    );
  });

  test("of a disabled account is refused at once, and taken again when the account is enabled", async () => {
    expect((await sitesWith(anna.key)).status).toBe(200);
    await service.made("PATCH", `/accounts/${anna.accountId}`, { disabled: true });
    expectError(await sitesWith(anna.key), 401);
    await service.made("PATCH", `/accounts/${anna.accountId}`, { disabled: false });
    expect((await sitesWith(anna.key)).status).toBe(200);
  });

  test("of the sandbox is not one of production", async () => {
    const { body } = await claim((await issue({ environment: "sandbox" })).claim_url);
    expect(body.api_key).toMatch(/^cts_/);
    expectError(await sitesWith(body.api_key), 401);
  });

  test("is stored as a hash only", async () => {
    const { rows } = await service.database.pool.query("select api_keys::text as row from api_keys where id = $1", [
      anna.keyId,
    ]);
    const secret = anna.key.split("_")[2] ?? "";
    for (const part of [anna.key, secret, secret.slice(0, 64), Buffer.from(anna.key).toString("hex")]) {
      expect(rows[0].row).not.toContain(part);
    }
  });
});

describe("the last use of a key", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
  afterEach(() => void vi.useRealTimers());

  test("is noted to the minute, without a write for each request", async () => {
    const other = await running();
    const ben = await other.newParticipant();
    const lastUse = async () =>
      (await other.operator("GET", `/accounts/${ben.accountId}/keys`)).body.items[0].last_used_at;
    expect(await lastUse()).toBeNull();
    other.clock.set(new Date("2027-07-01T18:00:59Z"));
    await ben.call("GET", "/sites");
    await ben.call("GET", "/sites");
    expect(await lastUse()).toBeNull();
    vi.advanceTimersByTime(10_000);
    await expect.poll(lastUse).toBe("2027-07-01T18:00:00Z");
  });
});
