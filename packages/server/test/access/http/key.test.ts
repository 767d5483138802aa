import { listSites, operator, participantConsole } from "@curtail/contract";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { ahead } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { anyone, claim, claimedKey, prepare, service, sitesWith } from "../../support/keys-of-accounts.js";
import { type Browser, newBrowser } from "../../support/people.js";
import { type Participant, running } from "../../support/running.js";

let anna: Participant;

beforeAll(prepare);

beforeEach(async () => {
  anna = await service.newParticipant();
});

const issue = (body: object = {}) =>
  service.made(operator.createKey, { params: { id: anna.accountId }, body: { environment: "production", ...body } });

describe("a one-time link", () => {
  test("opened shows a page with a button, as often as it is opened, and no key", async () => {
    const { claim_url } = await issue();
    const first = await claim(claim_url, "GET");
    expect([first.status, first.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(first.text).toMatch(/<form method="post"><button/);
    expect(first.text).not.toMatch(/ct[ps]_/);
    expect((await claim(claim_url, "GET")).text).toBe(first.text);
    expect((await claim(claim_url)).status).toBe(200);
    expect((await claim(claim_url, "GET")).text).toBe(first.text);
    expect((await anyone("GET", "/claim/unknown")).text).toBe(first.text);
  });

  test("pressed shows the key once, and the key works", async () => {
    const { claim_url } = await issue();
    const { status, body } = await claim(claim_url);
    expect([status, Object.keys(body)]).toEqual([200, ["api_key"]]);
    expect((await sitesWith(body.api_key)).status).toBe(200);
    expectError(await claim(claim_url), 404);
  });

  test("used, expired, revoked and unknown is answered alike", async () => {
    const [used, late, revoked] = [await issue(), await issue(), await issue()];
    await claim(used.claim_url);
    await service.operator(operator.revokeKey, { params: { id: revoked.id } });
    service.clock.advance({ hours: 24 });
    const texts = [];
    for (const url of [used.claim_url, late.claim_url, revoked.claim_url, `${service.url}/claim/unknown`]) {
      const answer = await claim(url);
      expectError(answer, 404, /has been used or has expired/);
      texts.push(answer.text);
    }
    expect(new Set(texts).size).toBe(1);
  });

  test("lives for 24 hours", async () => {
    const link = await issue();
    expect(link).toMatchObject({ claim_expires_at: ahead(service, { hours: 24 }) });
    service.clock.advance({ hours: 23, minutes: 59, seconds: 59 });
    expect((await claim(link.claim_url)).status).toBe(200);
  });

  test("pressed in a browser shows a page with the key, and the same page for all that are spent", async () => {
    const { claim_url } = await issue();
    const form = { accept: "text/html", "content-type": "application/x-www-form-urlencoded" };
    const shown = await anyone("POST", new URL(claim_url).pathname, "", form);
    expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const key = /<output>(ctp_[0-9a-z_]+)<\/output>/.exec(shown.text)?.[1] ?? "";
    expect((await sitesWith(key)).status).toBe(200);
    const used = await claim(claim_url, "POST", { accept: "text/html" });
    const unknown = await anyone("POST", "/claim/unknown", undefined, { accept: "text/html" });
    expect([used.status, used.text]).toEqual([404, unknown.text]);
    expect(used.text).toMatch(/has been used or has expired/);
  });

  test("is never kept by anyone on the way, whatever the answer", async () => {
    const { claim_url } = await issue();
    const answers = [
      await claim(claim_url, "GET"),
      await claim(claim_url),
      await claim(claim_url),
      await claim(claim_url, "POST", { accept: "text/html" }),
    ];
    for (const { headers } of answers) expect(headers.get("cache-control")).toBe("no-store");
    for (const { headers } of answers) expect(headers.get("referrer-policy")).toBe("no-referrer");
  });
});

// Specification, "Authentication"; reliability: API keys and one-time links.
const keys = async () => (await service.operator(operator.listKeys, { params: { id: anna.accountId } })).body.items;
describe("a key", () => {
  test("is listed with its state from link to end, and never shown", async () => {
    const link = await issue({ expires_at: ahead(service, { days: 1 }) });
    const state = async () => (await keys()).find((key) => key.id === link.id)?.state;
    expect(await state()).toBe("unclaimed");
    const { api_key } = (await claim(link.claim_url)).body;
    expect(await state()).toBe("active");
    const { text } = await service.operator(operator.listKeys, { params: { id: anna.accountId } });
    expect(text).not.toContain(api_key.slice(-40));
    service.clock.advance({ days: 1 });
    expect(await state()).toBe("expired");
    await service.operator(operator.revokeKey, { params: { id: link.id } });
    expect(await state()).toBe("revoked");
  });

  test("revoked is refused from that answer on, and the account's other key goes on", async () => {
    const { body } = await claim((await issue()).claim_url);
    expect((await sitesWith(anna.key)).status).toBe(200);
    expect((await service.operator(operator.revokeKey, { params: { id: anna.keyId } })).status).toBe(204);
    expectError(await sitesWith(anna.key), 401, /permission denied/i);
    expect((await sitesWith(body.api_key)).status).toBe(200);
    expectError(await service.operator(operator.revokeKey, { params: { id: "key_0" } }), 404);
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
      /expires_at must be in the future/,
    );
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
      (await other.operator(operator.listKeys, { params: { id: ben.accountId } })).body.items[0]?.last_used_at;
    expect(await lastUse()).toBeNull();
    other.clock.set(new Date("2027-07-01T18:00:59Z"));
    await ben.call(listSites);
    await ben.call(listSites);
    expect(await lastUse()).toBeNull();
    vi.advanceTimersByTime(10_000);
    await expect.poll(lastUse).toBe("2027-07-01T18:00:00Z");
  });
});

describe("keys in the console", () => {
  let admin: Browser;

  beforeEach(async () => {
    anna = await service.newParticipant();
    admin = await newBrowser(service, "participant-admin", anna.accountId);
  });

  const issue = (body: object = {}) =>
    admin.console(participantConsole.createOwnKey, { body: { environment: "production", ...body } });
  const revoke = (id: string) => admin.console(participantConsole.revokeOwnKey, { params: { id } });
  describe("a key of the own account", () => {
    test("changes over without a gap: the second is claimed and works, then the first is revoked", async () => {
      const { body } = await issue();
      const second = await claimedKey(body.claim_url);
      for (const key of [anna.key, second]) expect((await sitesWith(key)).status).toBe(200);
      expect((await revoke(anna.keyId)).status).toBe(204);
      expectError(await sitesWith(anna.key), 401);
      expect((await sitesWith(second)).status).toBe(200);
    });

    test("is listed as the operator sees it, in pages", async () => {
      const { body } = await issue({ expires_at: ahead(service, { days: 1 }) });
      const { items } = (await admin.console(participantConsole.listOwnKeys)).body;
      expect(items).toEqual((await service.operator(operator.listKeys, { params: { id: anna.accountId } })).body.items);
      expect(items).toMatchObject([
        { id: anna.keyId, state: "active" },
        { id: body.id, state: "unclaimed" },
      ]);
      const first = (await admin.console(participantConsole.listOwnKeys, { query: { limit: 1 } })).body;
      expect(first.items).toEqual(items.slice(0, 1));
      expect((await admin.console("GET", `/keys?cursor=${first.next_cursor}`)).body.items).toEqual(items.slice(1));
    });

    test("is issued and revoked by the person, says the audit log", async () => {
      const { body } = await issue();
      await revoke(body.id);
      const { items } = (await service.operator(operator.listAudit, { query: { limit: 2 } })).body;
      const act = { actor: `user:${admin.id}`, subject: body.id, account_id: anna.accountId };
      expect(items).toMatchObject([
        { ...act, action: "key.revoke" },
        { ...act, action: "key.create" },
      ]);
    });

    test("is refused where its end lies in the past", async () => {
      expectError(
        await issue({ expires_at: ahead(service, { seconds: -1 }) }),
        400,
        /expires_at must be in the future/,
      );
    });
  });

  describe("of keys of one environment there are two at most", () => {
    test("links that wait to be opened included; the sandbox counts apart", async () => {
      expect((await issue()).status).toBe(201);
      expectError(await issue(), 400, /2 production keys already.*revoke one first/);
      for (let count = 0; count < 2; count++) expect((await issue({ environment: "sandbox" })).status).toBe(201);
      expectError(await issue({ environment: "sandbox" }), 400, /2 sandbox keys already/);
    });

    test("but the operator issues any number", async () => {
      const path = `/accounts/${anna.accountId}/keys`;
      for (let count = 0; count < 3; count++)
        expect((await service.operator("POST", path, { environment: "production" })).status).toBe(201);
    });
  });
});
