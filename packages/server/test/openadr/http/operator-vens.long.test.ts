import { X509Certificate } from "node:crypto";
import { operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ahead } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import {
  anna,
  certify,
  create,
  isLetIn,
  issue,
  lastAudit,
  newVen,
  nextVenId,
  prepare,
  prepareEach,
  request,
  service,
  show,
  vensOf,
} from "../../support/operators-vens.js";

beforeAll(prepare);

beforeEach(prepareEach);

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
    const body = { ven_id: nextVenId() };
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

describe("a VEN", () => {
  test("is changed in what is given, and in nothing else", async () => {
    const ven = await newVen({ targets: { resource: "customer_location_id" } });
    const change = {
      sites: [anna.sites[0]?.id],
      targets: { ven_id: false },
      transport: { push_url: "https://a.example/" },
    };
    const { status, body } = await service.operator("PATCH", `/vens/${ven.id}`, change);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...ven,
      sites: change.sites,
      targets: { resource: "customer_location_id", ven_id: false },
      transport: { push_url: "https://a.example/", ca_certificate: null },
    });
    const back = await service.operator(operator.changeVen, {
      params: { id: ven.id },
      body: { sites: "all", transport: "pull" },
    });
    expect(back.body).toEqual({ ...ven, targets: body.targets });
    expect(await show(ven.id)).toEqual(back.body);
  });

  test("has a name of its own in the whole service, which is free again once it is deleted", async () => {
    const ven = await newVen();
    const bert = await service.newParticipant();
    const body = { ven_id: ven.ven_id };
    expectError(await service.operator("POST", vensOf(bert), body), 400, /belongs to another VEN; choose another id/);
    expect((await service.operator(operator.deleteVen, { params: { id: ven.id } })).status).toBe(204);
    expect((await service.operator("POST", vensOf(bert), body)).status).toBe(201);
  });

  test("is listed with its account's others in pages, and gone once deleted", async () => {
    const [one, two] = [await newVen(), await newVen()];
    const bert = await service.newParticipant();
    await service.operator("POST", vensOf(bert), { ven_id: nextVenId() });
    await issue(two.id);
    const page = (await service.operator("GET", `${vensOf(anna)}?limit=1`)).body;
    expect(page.items).toEqual([one]);
    const rest = (await service.operator("GET", `${vensOf(anna)}?cursor=${page.next_cursor}`)).body;
    expect(rest).toEqual({ items: [await show(two.id)], next_cursor: null });
    expect(rest.items[0].certificates).toHaveLength(1);
    await service.operator(operator.deleteVen, { params: { id: one.id } });
    expect((await service.operator("GET", vensOf(anna))).body.items).toMatchObject([{ id: two.id }]);
  });

  test.each([
    [{ ven_id: "" }, /ven_id/],
    [{ ven_id: "a/b" }, /ven_id/],
    [{ ven_id: ".." }, /ven_id/],
    [{ ven_id: "a b" }, /ven_id/],
    [{ ven_id: "a\n" }, /ven_id/],
    [{ ven_id: "a".repeat(65) }, /ven_id .*at most 64/],
    [{ environment: "staging" }, /environment .*production, sandbox/],
    [{ sites: [] }, /sites/],
    [{ sites: "some" }, /sites/],
    [{ transport: "push" }, /transport/],
    [
      { transport: { push_url: "http://ven.example.com/" } },
      /push_url must be a complete address without white space that begins with https/,
    ],
    [{ transport: { push_url: "ven.example.com" } }, /push_url must be a complete address/],
    [{ transport: { push_url: "https://ven.example.com/a\tb" } }, /push_url must be a complete address/],
    [{ transport: { push_url: "https://a:b@ven.example.com/" } }, /push_url must not contain a user/],
    [
      { transport: { push_url: "https://a.example/", ca_certificate: "none" } },
      /ca_certificate must be the certificate/,
    ],
    [{ targets: { resource: "name" } }, /targets\.resource .*site_id, customer_location_id/],
    [{ market_context: "https://example.com" }, /market_context/],
    [{ poll_interval_seconds: 0 }, /poll_interval_seconds is 0; it must be at least 1/],
    [{ poll_interval_seconds: 86_401 }, /poll_interval_seconds is 86401; it must be at most 86400/],
  ])("is refused with %j", async (body, why) => {
    expectError(await create(body), 400, why);
  });
});

describe("certifying a VEN", () => {
  test("lasts 365 days unless said, and lets it in until then", async () => {
    const { fingerprint, expires_at } = await issue((await newVen()).id);
    expect(expires_at).toBe(ahead(service, { hours: 365 * 24 }));
    expect(await isLetIn(fingerprint)).toBe(true);
    service.clock.advance({ days: 365 });
    expect(await isLetIn(fingerprint)).toBe(false);
    service.clock.advance({ days: -365 });
  });

  test("may be done again: both certificates are good until one is revoked", async () => {
    const { id } = await newVen();
    const [old, next] = [await issue(id), await issue(id)];
    expect([await isLetIn(old.fingerprint), await isLetIn(next.fingerprint)]).toEqual([true, true]);
    const revoked = await service.operator(operator.revokeVenCertificate, {
      params: { id, fingerprint: old.fingerprint },
    });
    expect(revoked.status).toBe(204);
    expect([await isLetIn(old.fingerprint), await isLetIn(next.fingerprint)]).toEqual([false, true]);
    const states = (await show(id)).certificates.map(({ fingerprint, state }) => [fingerprint, state]);
    expect(new Map(states as Array<[string, string]>)).toEqual(
      new Map([
        [old.fingerprint, "revoked"],
        [next.fingerprint, "valid"],
      ]),
    );
  });

  test.each([
    [{ csr: "" }, /csr must be one certificate request/],
    [{ csr: "-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----" }, /csr must be one/],
    [{ csr: "a".repeat(16_385) }, /csr has 16385 characters; the most allowed is 16384/],
    [{ csr: request("rsa-1024") }, /1024 bits/],
    [{ csr: request("rsa-2048-sha1") }, /signed with SHA-1/],
    [{ csr: request("ec-p256").replace("MI", "MJ") }, /csr/],
    [{ csr: 1 }, /csr is 1; it must be a text/],
    [{ csr: request("ec-p256"), days: 0 }, /days is 0; it must be at least 1/],
    [{ csr: request("ec-p256"), days: 3651 }, /days is 3651; it must be at most 3650/],
    [{ days: 1.5 }, /days is 1.5; it must be a whole number/],
  ])("is refused, and nothing is kept: %#", async (body, why) => {
    const { id } = await newVen();
    expectError(await certify(id, body), 400, why);
    expect((await show(id)).certificates).toEqual([]);
  });
});
