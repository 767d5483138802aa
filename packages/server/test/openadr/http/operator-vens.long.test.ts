import { X509Certificate } from "node:crypto";
import { operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import {
  anna,
  isLetIn,
  issue,
  lastAudit,
  prepare,
  prepareEach,
  service,
  show,
  type Ven,
  vensOf,
} from "../../support/operators-vens.js";

let count = 0;

beforeAll(prepare);

beforeEach(prepareEach);
const create = (body: object = {}) => service.operator("POST", vensOf(anna), { ven_id: `store-${++count}`, ...body });
const newVen = async (body: object = {}): Promise<Ven> => (await create(body)).body;

describe("a VEN", () => {
  test("is set up as it is asked for", async () => {
    const { certificate } = (await service.operator(operator.getOpenadrAuthority)).body;
    const settings = {
      environment: "sandbox",
      sites: [anna.sites[1]?.id],
      transport: { push_url: "https://ven.example.com:8443/events", ca_certificate: certificate },
      targets: { resource: "customer_location_id", ven_id: false },
      market_context: "program",
      poll_interval_seconds: 10,
    };
    const ven = await newVen(settings);
    expect(ven).toMatchObject(settings);
    expect(await show(ven.id)).toEqual(ven);
  });

  test("is one, when many ask for its name at once", async () => {
    const body = { ven_id: `store-${++count}` };
    const answers = await Promise.all(Array.from({ length: 5 }, () => service.operator("POST", vensOf(anna), body)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(4);
  });

  test("is refused with sites that are another account's, or nobody's", async () => {
    const bert = await service.newParticipant();
    const foreign = bert.sites[0]?.id ?? "";
    for (const sites of [[foreign], [anna.sites[0]?.id, "site_0"]]) {
      expectError(await create({ sites }), 400, /which do not belong to the account; check the ids/);
      const { id } = await newVen();
      expectError(await service.operator("PATCH", `/vens/${id}`, { sites }), 400, /which do not belong to the account/);
    }
  });
});

describe("certifying a VEN", () => {
  test("ends at once when the VEN is deleted or its account disabled", async () => {
    const { id } = await newVen();
    const { fingerprint } = await issue(id);
    await service.operator(operator.changeAccount, {
      params: { id: anna.accountId },
      body: { disabled: true, confirm_running: true },
    });
    expect(await isLetIn(fingerprint)).toBe(false);
    await service.operator(operator.changeAccount, { params: { id: anna.accountId }, body: { disabled: false } });
    expect(await isLetIn(fingerprint)).toBe(true);
    await service.operator(operator.deleteVen, { params: { id } });
    expect(await isLetIn(fingerprint)).toBe(false);
  });

  test("is in the audit log, and so is revoking; no key and no request is", async () => {
    const { id } = await newVen();
    const { fingerprint, short_fingerprint } = await issue(id);
    expect(short_fingerprint).toMatch(/^([0-9A-F]{2}:){9}[0-9A-F]{2}$/);
    const entry = { actor: "operator", subject: id, account_id: anna.accountId };
    expect(await lastAudit()).toMatchObject({ ...entry, action: "ven.certify", after: { fingerprint } });
    await service.operator(operator.revokeVenCertificate, { params: { id, fingerprint } });
    expect(await lastAudit()).toMatchObject({ ...entry, action: "ven.revoke", after: { fingerprint } });
    expect((await service.operator(operator.listAudit, { query: { limit: 2 } })).text).not.toContain("-----BEGIN");
  });
});

describe("revoking a certificate", () => {
  test("takes the fingerprint as tools write it", async () => {
    const { id } = await newVen();
    const { certificate, fingerprint } = await issue(id);
    const written = new X509Certificate(certificate).fingerprint256;
    expect(
      (await service.operator(operator.revokeVenCertificate, { params: { id, fingerprint: written } })).status,
    ).toBe(204);
    expect(await isLetIn(fingerprint)).toBe(false);
  });

  test("that is revoked already keeps the time at which it was", async () => {
    const { id } = await newVen();
    const { fingerprint } = await issue(id);
    await service.operator(operator.revokeVenCertificate, { params: { id, fingerprint } });
    const before = await show(id);
    service.clock.advance({ minutes: 1 });
    expect((await service.operator(operator.revokeVenCertificate, { params: { id, fingerprint } })).status).toBe(204);
    expect(await show(id)).toEqual(before);
  });
});
