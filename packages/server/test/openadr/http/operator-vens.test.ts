import { X509Certificate } from "node:crypto";
import { operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ahead } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import {
  anna,
  certify,
  isLetIn,
  issue,
  lastAudit,
  prepare,
  prepareEach,
  request,
  service,
  show,
  type Ven,
  vensOf,
} from "../../support/operators-vens.js";

let count = 0;

beforeAll(prepare);

beforeEach(prepareEach);

const now = (): string => ahead(service, {});
const create = (body: object = {}) => service.operator("POST", vensOf(anna), { ven_id: `store-${++count}`, ...body });
const newVen = async (body: object = {}): Promise<Ven> => (await create(body)).body;

describe("a VEN", () => {
  test("is set up with what suits most, and answered as it is", async () => {
    const { status, body } = await create({ ven_id: "Store_12.east-b" });
    expect(status).toBe(201);
    const ven = {
      id: expect.stringMatching(/^ven_[0-9a-z]{16}$/),
      account_id: anna.accountId,
      ven_id: "Store_12.east-b",
      environment: "production",
      sites: "all",
      transport: "pull",
      targets: { resource: "site_id", ven_id: true },
      market_context: "*",
      poll_interval_seconds: 60,
      created_at: now(),
      last_poll: null,
      last_acknowledgement: null,
      certificates: [],
    };
    expect(body).toEqual(ven);
    expect(await show(body.id)).toEqual(body);
  });

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
    await service.operator("POST", vensOf(bert), { ven_id: `store-${++count}` });
    await issue(two.id);
    const page = (await service.operator("GET", `${vensOf(anna)}?limit=1`)).body;
    expect(page.items).toEqual([one]);
    const rest = (await service.operator("GET", `${vensOf(anna)}?cursor=${page.next_cursor}`)).body;
    expect(rest).toEqual({ items: [await show(two.id)], next_cursor: null });
    expect(rest.items[0].certificates).toHaveLength(1);
    await service.operator(operator.deleteVen, { params: { id: one.id } });
    expect((await service.operator("GET", vensOf(anna))).body.items).toMatchObject([{ id: two.id }]);
  });

  test("that is deleted, or never was, is not found", async () => {
    const { id } = await newVen();
    await service.operator(operator.deleteVen, { params: { id } });
    for (const gone of [id, "ven_0"]) {
      expectError(await service.operator(operator.getVen, { params: { id: gone } }), 404, /No such VEN/);
      expectError(await service.operator(operator.listVenEvents, { params: { id: gone } }), 404, /No such VEN/);
      expectError(
        await service.operator(operator.changeVen, { params: { id: gone }, body: { sites: "all" } }),
        404,
        /No such VEN/,
      );
      expectError(await service.operator(operator.deleteVen, { params: { id: gone } }), 404, /No such VEN/);
      expectError(await certify(gone), 404, /No such VEN/);
      expectError(await certify(gone, {}), 404, /No such VEN/);
      expectError(
        await service.operator(operator.revokeVenCertificate, { params: { id: gone, fingerprint: "00" } }),
        404,
        /No such VEN/,
      );
    }
    expectError(await service.operator(operator.listVens, { params: { id: "acc_0" } }), 404, /No such account/);
    expectError(
      await service.operator(operator.createVen, { params: { id: "acc_0" }, body: { ven_id: "a" } }),
      404,
      /No such account/,
    );
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

  test("is in the audit log: created, changed, deleted", async () => {
    const { id } = await newVen();
    const subject = { actor: "operator", subject: id, account_id: anna.accountId };
    expect(await lastAudit()).toMatchObject({
      ...subject,
      action: "ven.create",
      before: null,
      after: { sites: "all" },
    });
    await service.operator(operator.changeVen, { params: { id }, body: { poll_interval_seconds: 5 } });
    const [before, after] = [{ poll_interval_seconds: 60 }, { poll_interval_seconds: 5 }];
    expect(await lastAudit()).toMatchObject({ ...subject, action: "ven.change", before, after });
    await service.operator(operator.deleteVen, { params: { id } });
    expect(await lastAudit()).toMatchObject({ ...subject, action: "ven.delete", after: null });
  });

  test("tells what it knows of each event, newest first", async () => {
    const { id } = await newVen();
    const insert = `insert into ven_events (ven, dispatch_id, first_shown_at, shown_modification, modification_shown_at,
      acknowledged_modification, opt, response_code, acknowledged_at) values ($1, $2, $3, 1, $3, $4, $5, $6, $7)`;
    const at = service.clock.now();
    await service.database.pool.query(insert, [id, "dis_1", at, 0, "optOut", "200", at]);
    await service.database.pool.query(insert, [id, "dis_2", at, null, null, null, null]);
    const shown = { first_shown_at: now(), modification_number: 1, modification_shown_at: now() };
    const page = (await service.operator(operator.listVenEvents, { params: { id }, query: { limit: 1 } })).body;
    expect(page.items).toEqual([{ dispatch_id: "dis_2", ...shown, acknowledgement: null }]);
    const acknowledgement = { modification_number: 0, opt: "optOut", response_code: "200", at: now() };
    expect((await service.operator("GET", `/vens/${id}/events?cursor=${page.next_cursor}`)).body).toEqual({
      items: [{ dispatch_id: "dis_1", ...shown, acknowledgement }],
      next_cursor: null,
    });
  });
});

describe("certifying a VEN", () => {
  test("signs its key, names it after the VEN, and hands out what the VEN needs", async () => {
    const ven = await newVen();
    const { status, body } = await certify(ven.id, { csr: request("asks-for-authority"), days: 30 });
    expect(status).toBe(201);
    const authority = (await service.operator(operator.getOpenadrAuthority)).body;
    expect(authority).toEqual({ certificate: body.ca_certificate, vtn_id: "Curtail-VTN" });
    const certificate = new X509Certificate(body.certificate);
    expect(certificate.subject).toBe(`CN=${ven.ven_id}`);
    expect(certificate.ca).toBe(false);
    expect(certificate.verify(new X509Certificate(authority.certificate).publicKey)).toBe(true);
    expect(body.fingerprint).toBe(certificate.fingerprint256.replaceAll(":", "").toLowerCase());
    expect(body.short_fingerprint).toBe(certificate.fingerprint256.slice(-29));
    expect(body.expires_at).toBe(ahead(service, { hours: 30 * 24 }));
  });

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

describe("revoking a certificate", () => {
  test("does not find another VEN's, nor one that never was", async () => {
    const [one, other] = [await newVen(), await newVen()];
    const { fingerprint } = await issue(one.id);
    for (const unknown of [fingerprint, "00", "%00"]) {
      expectError(
        await service.operator(operator.revokeVenCertificate, { params: { id: other.id, fingerprint: unknown } }),
        404,
        /No such certificate/,
      );
    }
    expect(await isLetIn(fingerprint)).toBe(true);
  });
});
