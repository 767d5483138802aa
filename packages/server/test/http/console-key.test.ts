import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ahead } from "../support/dispatching.js";
import { expectError } from "../support/expect-error.js";
import { httpClient } from "../support/http-client.js";
import { type Browser, newBrowser } from "../support/people.js";
import { type Participant, type Running, running } from "../support/running.js";

let service: Running;
let anna: Participant;
let admin: Browser;

beforeAll(async () => {
  service = await running();
});

beforeEach(async () => {
  anna = await service.newParticipant();
  admin = await newBrowser(service, "participant-admin", anna.accountId);
});

const issue = (body: object = {}) => admin.console("POST", "/keys", { environment: "production", ...body });
const revoke = (id: string) => admin.console("DELETE", `/keys/${id}`);
const claim = async (url: string): Promise<string> =>
  (await httpClient(service.url)("POST", new URL(url).pathname)).body.api_key;
const sitesWith = (key: string) =>
  httpClient(`${service.url}/2022-04-15`, { "x-service-api-key": key })("GET", "/sites");

describe("a key of the own account", () => {
  test("changes over without a gap: the second is claimed and works, then the first is revoked", async () => {
    const { body } = await issue();
    const second = await claim(body.claim_url);
    for (const key of [anna.key, second]) expect((await sitesWith(key)).status).toBe(200);
    expect((await revoke(anna.keyId)).status).toBe(204);
    expectError(await sitesWith(anna.key), 401);
    expect((await sitesWith(second)).status).toBe(200);
  });

  test("is listed as the operator sees it, in pages", async () => {
    const { body } = await issue({ expires_at: ahead(service, { days: 1 }) });
    const { items } = (await admin.console("GET", "/keys")).body;
    expect(items).toEqual((await service.operator("GET", `/accounts/${anna.accountId}/keys`)).body.items);
    expect(items).toMatchObject([
      { id: anna.keyId, state: "active" },
      { id: body.id, state: "unclaimed" },
    ]);
    const first = (await admin.console("GET", "/keys?limit=1")).body;
    expect(first.items).toEqual(items.slice(0, 1));
    expect((await admin.console("GET", `/keys?cursor=${first.next_cursor}`)).body.items).toEqual(items.slice(1));
  });

  test("is issued and revoked by the person, says the audit log", async () => {
    const { body } = await issue();
    await revoke(body.id);
    const { items } = (await service.operator("GET", "/audit?limit=2")).body;
    const act = { actor: `user:${admin.id}`, subject: body.id, account_id: anna.accountId };
    expect(items).toMatchObject([
      { ...act, action: "key.revoke" },
      { ...act, action: "key.create" },
    ]);
  });

  test("is refused where its end lies in the past", async () => {
    expectError(await issue({ expires_at: ahead(service, { seconds: -1 }) }), 400, /expires_at must lie in the future/);
  });
});

describe("of keys of one environment there are two at most", () => {
  test("links that wait to be opened included; the sandbox counts apart", async () => {
    expect((await issue()).status).toBe(201);
    expectError(await issue(), 400, /2 production keys already.*revoke one first/);
    for (let count = 0; count < 2; count++) expect((await issue({ environment: "sandbox" })).status).toBe(201);
    expectError(await issue({ environment: "sandbox" }), 400, /2 sandbox keys already/);
  });

  test("those that are revoked, expired or were never claimed not counted", async () => {
    const expiring = (await issue({ expires_at: ahead(service, { hours: 1 }) })).body;
    await claim(expiring.claim_url);
    expectError(await issue(), 400);
    service.clock.advance({ hours: 1 });
    const link = (await issue()).body;
    expectError(await issue(), 400);
    await revoke(link.id);
    expect((await issue()).status).toBe(201);
    service.clock.advance({ hours: 24 });
    // The session ended with the day.
    const tomorrow = await newBrowser(service, "participant-admin", anna.accountId);
    expect((await tomorrow.console("POST", "/keys", { environment: "production" })).status).toBe(201);
  });

  test("also when several are asked for at once", async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => issue()));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  test("but the operator issues any number", async () => {
    const path = `/accounts/${anna.accountId}/keys`;
    for (let count = 0; count < 3; count++)
      expect((await service.operator("POST", path, { environment: "production" })).status).toBe(201);
  });
});
