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
  prepare,
  prepareEach,
  request,
  service,
  show,
} from "../../support/operators-vens.js";

beforeAll(prepare);

beforeEach(prepareEach);

const now = (): string => ahead(service, {});

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
