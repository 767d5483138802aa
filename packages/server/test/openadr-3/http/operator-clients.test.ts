import { operator } from "@curtail/contract";
import { OPENADR3_SCOPES } from "@curtail/contract/constants";
import { scopes, scopesOf } from "@curtail/openadr-3";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { callbackReceiver } from "../../support/callback-receiver.js";
import { ahead } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { clientOf, requestToken, runningVtn, tokenOf, type Vtn } from "../../support/openadr-3.js";
import type { Participant } from "../../support/running.js";

let vtn: Vtn;
let anna: Participant;

beforeAll(async () => {
  vtn = await runningVtn();
});
beforeEach(async () => {
  anna = await vtn.newParticipant({ sites: [["main"], ["main"]] });
});

const create = (body: object, account = anna.accountId) =>
  vtn.operator("POST", `/accounts/${account}/openadr3-clients`, { name: "Gateway", ...body });
const made = async (body: object = {}): Promise<operator.NewOpenadr3Client> => (await create(body)).body;
const show = async (id: string) => (await vtn.operator(operator.getOpenadrClient, { params: { id } })).body;
const lastAudit = async () => (await vtn.operator(operator.listAudit, { query: { limit: 1 } })).body.items[0];

test("the contract has the scopes of the package", () => {
  expect(OPENADR3_SCOPES).toEqual(scopes);
});

describe("a client of an account", () => {
  test("is set up with what suits most, and shows its secret once", async () => {
    const { status, body } = await create({});
    expect(status).toBe(201);
    const client = {
      id: expect.stringMatching(/^oac_[0-9a-z]{16}$/),
      role: "ven",
      account_id: anna.accountId,
      environment: "production",
      name: "Gateway",
      sites: "all",
      scopes: scopesOf.ven,
      targets: [],
      ven_id: expect.stringMatching(/^oav_[0-9a-z]{16}$/),
      external_id: null,
      state: "active",
      previous_secret_until: null,
      created_at: ahead(vtn, {}),
      revoked_at: null,
      last_used_at: null,
    };
    expect(body).toEqual({ ...client, client_secret: expect.stringMatching(/^cta_[0-9a-f]{72}$/) });
    const { client_secret: _secret, ...shown } = body;
    expect(await show(body.id)).toEqual(shown);
    expect((await vtn.operator(operator.listOpenadrClients, { params: { id: anna.accountId } })).body.items).toEqual([
      shown,
    ]);
  });

  test("is set up as it is asked for", async () => {
    const asked = {
      environment: "sandbox",
      sites: [anna.sites[0]?.id],
      scopes: ["write_reports", "read_targets"],
      targets: ["group-1", "group-2", "group-1"],
    };
    expect((await create(asked)).body).toMatchObject({
      ...asked,
      scopes: ["read_targets", "write_reports"],
      targets: ["group-1", "group-2"],
    });
  });

  test("is refused with sites of another account, scopes of another role, or too long a name", async () => {
    const bert = await vtn.newParticipant();
    expectError(await create({ sites: [bert.sites[0]?.id] }), 400, /do not belong to the account/);
    expectError(await create({ scopes: ["write_events"] }), 400, /write_events, which a VEN may not have/);
    expectError(await create({ scopes: ["admin"] }), 400, /scopes\[0\]/);
    expectError(await create({ name: "x".repeat(101) }), 400, /100/);
    expectError(await create({ targets: [""] }), 400, /targets\[0\]/);
    expectError(await create({}, "acc_unknown"), 404);
  });

  test("is changed, which its tokens notice at once", async () => {
    const { id, client_secret } = await made({ targets: ["before"] });
    const token = await tokenOf(vtn.vtnUrl, { id, secret: String(client_secret) });
    const ven = clientOf(vtn.vtnUrl, token);
    const bl = await vtn.bl();
    const { id: programID } = await bl.programs.made({ programName: `For ${id}`, targets: [`after ${id}`] });
    expect(await ven.programs.get(programID)).toMatchObject({ status: 404 });
    const change = { name: "Renamed", sites: [anna.sites[1]?.id], targets: [`after ${id}`] };
    const changed = await vtn.operator("PATCH", `/openadr3-clients/${id}`, change);
    expect(changed).toMatchObject({ status: 200, body: change });
    expect(await ven.programs.get(programID)).toMatchObject({ status: 200 });
    expect(await lastAudit()).toMatchObject({
      action: "openadr3_client.change",
      subject: id,
      account_id: anna.accountId,
      before: { name: "Gateway", targets: ["before"], sites: "all" },
      after: { name: "Renamed", targets: [`after ${id}`], sites: [anna.sites[1]?.id] },
    });
    const { last_used_at: _used, ...unchanged } = changed.body;
    expect(await vtn.operator("PATCH", `/openadr3-clients/${id}`, {})).toMatchObject({ status: 200, body: unchanged });
    expectError(await vtn.operator("PATCH", `/openadr3-clients/${id}`, { sites: ["site_unknown"] }), 400);
    expectError(await vtn.operator("PATCH", "/openadr3-clients/oac_unknown", {}), 404);
  });

  test("ends with its ven and subscriptions; its reports are kept, and it is listed as revoked", async () => {
    const { id, client_secret, ven_id } = await made();
    const ven = clientOf(vtn.vtnUrl, await tokenOf(vtn.vtnUrl, { id, secret: String(client_secret) }));
    const bl = await vtn.bl();
    const { id: programID } = await bl.programs.made({ programName: `Of ${id}` });
    const { id: eventID } = await bl.events.made({ programID });
    const { id: report } = await ven.reports.made({ eventID, clientName: "v", resources: [] });
    const { url: callbackUrl } = await callbackReceiver();
    const operation = { objects: ["EVENT"], operations: ["CREATE"], callbackUrl };
    const { id: subscription } = await ven.subscriptions.made({ clientName: "v", objectOperations: [operation] });
    expect(await vtn.operator("DELETE", `/openadr3-clients/${id}`)).toMatchObject({ status: 204 });
    expect(await bl.vens.get(String(ven_id))).toMatchObject({ status: 404 });
    expect(await bl.subscriptions.get(subscription)).toMatchObject({ status: 404 });
    expect(await bl.reports.get(report)).toMatchObject({ status: 200 });
    expect(await show(id)).toMatchObject({ state: "revoked", revoked_at: ahead(vtn, {}), ven_id: null });
    expect(await lastAudit()).toMatchObject({ action: "openadr3_client.revoke", subject: id });
    expectError(await vtn.operator("DELETE", `/openadr3-clients/${id}`), 400, /revoked/);
    expectError(await vtn.operator("POST", `/openadr3-clients/${id}/rotate-secret`, {}), 400, /revoked/);
  });

  test("shows when it was last used", async () => {
    const { id, client_secret } = await made();
    const ven = clientOf(vtn.vtnUrl, await tokenOf(vtn.vtnUrl, { id, secret: String(client_secret) }));
    await ven.programs.search();
    vtn.clock.advance({ seconds: 10 });
    await expect.poll(async () => (await show(id)).last_used_at).toMatch(/:00Z$/);
  });

  test("is created once when the request is repeated with its key, and shows the same secret", async () => {
    const headers = { "idempotency-key": `once-${anna.accountId}` };
    const path = `/accounts/${anna.accountId}/openadr3-clients`;
    const first = await vtn.operator("POST", path, { name: "Once" }, headers);
    const again = await vtn.operator("POST", path, { name: "Once" }, headers);
    expect(first.status).toBe(201);
    expect(again.body).toEqual(first.body);
    const { items } = (await vtn.operator("GET", path)).body;
    expect(items).toHaveLength(1);
  });
});

describe("business logic", () => {
  test("is a client of the operator, which sees every account", async () => {
    const { body } = await vtn.operator("POST", "/openadr3-clients", { name: "Price feed" });
    expect(body).toMatchObject({
      role: "bl",
      account_id: null,
      sites: "all",
      scopes: scopesOf.bl,
      ven_id: null,
      client_secret: expect.any(String),
    });
    const { items } = (await vtn.operator(operator.listBusinessLogic)).body;
    expect(items.map(({ id }: { id: string }) => id)).toContain(body.id);
    expect(items.every(({ role }: { role: string }) => role === "bl")).toBe(true);
    const bl = clientOf(vtn.vtnUrl, await tokenOf(vtn.vtnUrl, { id: body.id, secret: body.client_secret }));
    const { ven_id } = await made();
    expect(await bl.vens.get(String(ven_id))).toMatchObject({ status: 200 });
  });

  test("has neither sites nor targets", async () => {
    const { id } = (await vtn.operator("POST", "/openadr3-clients", { name: "Price feed" })).body;
    expectError(await vtn.operator("PATCH", `/openadr3-clients/${id}`, { sites: "all" }), 400, /leave sites/);
    expectError(await vtn.operator("PATCH", `/openadr3-clients/${id}`, { targets: [] }), 400, /leave sites/);
    expect(await vtn.operator("PATCH", `/openadr3-clients/${id}`, { name: "Prices" })).toMatchObject({ status: 200 });
  });
});

describe("a secret", () => {
  test("is rotated, and the audit log says until when the one before counts", async () => {
    const { id, client_secret } = await made();
    const rotated = await vtn.operator("POST", `/openadr3-clients/${id}/rotate-secret`, { previous_valid_hours: 2 });
    expect(rotated.body.client_secret).not.toBe(client_secret);
    expect(rotated.body.previous_secret_until).toBe(ahead(vtn, { hours: 2 }));
    expect(await lastAudit()).toMatchObject({
      action: "openadr3_client.rotate_secret",
      after: { previous_secret_until: ahead(vtn, { hours: 2 }) },
    });
    const form = { grant_type: "client_credentials", client_id: id, client_secret: String(client_secret) };
    expect(await requestToken(vtn.vtnUrl, form)).toMatchObject({ status: 200 });
    expectError(
      await vtn.operator("POST", `/openadr3-clients/${id}/rotate-secret`, { previous_valid_hours: 169 }),
      400,
    );
  });
});

test("an account may have 100 clients at a time", async () => {
  const { pool } = vtn.database;
  await pool.query(
    `insert into openadr3_clients (id, role, account_id, environment, name, scopes, secret_hash, tokens_from, created_at)
     select 'oac_' || $1 || number, 'ven', $1, 'production', 'many', '{}', '', now(), now()
     from generate_series(1, 100) as number`,
    [anna.accountId],
  );
  expectError(await create({}), 400, /100 clients already/);
  await pool.query("update openadr3_clients set revoked_at = now() where id = 'oac_' || $1 || '1'", [anna.accountId]);
  expect((await create({})).status).toBe(201);
});
