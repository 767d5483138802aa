import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { type BodyOf, operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { acknowledge, alarmsAbout, judgeOnce, untilAlarms } from "../../support/alarms.js";
import { ahead } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { httpClient, type Send } from "../../support/http-client.js";
import { type Participant, type Running, running } from "../../support/running.js";
import { withoutRsa } from "../../support/vens.js";

let service: Running;

beforeAll(async () => {
  service = await running();
  await withoutRsa(service);
});

describe("claiming", () => {
  let anyone: Send;
  let anna: Participant;
  let venId: string;
  let id: string;
  let count = 0;

  beforeAll(async () => {
    anyone = httpClient(service.url);
    anna = await service.newParticipant();
  });

  beforeEach(async () => {
    venId = `store-${++count}`;
    ({ id } = await service.made(operator.createVen, { params: { id: anna.accountId }, body: { ven_id: venId } }));
  });

  const offer = async (body: BodyOf<typeof operator.certifyVen> = {}) => {
    const offered = await service.made(operator.certifyVen, { params: { id }, body });
    if (!("claim_url" in offered)) throw new Error("no link was offered");
    return offered;
  };
  const claim = (url: string, method = "POST", headers = {}) =>
    anyone(method, new URL(url).pathname, undefined, headers);
  const certificatesOf = async () => (await service.operator(operator.getVen, { params: { id } })).body.certificates;

  describe("a one-time link to a VEN's certificate", () => {
    test("opened shows a page with a button, as often as it is opened, and makes nothing", async () => {
      const { claim_url } = await offer();
      const first = await claim(claim_url, "GET");
      expect([first.status, first.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
      expect(first.text).toMatch(/<form method="post"><button/);
      expect((await claim(claim_url, "GET")).text).toBe(first.text);
      expect(await certificatesOf()).toEqual([]);
      await claim(claim_url);
      expect((await claim(claim_url, "GET")).text).toBe(first.text);
      expect((await anyone("GET", "/claim/ven/unknown")).text).toBe(first.text);
    });

    test("pressed makes a key and its certificate, and shows both once", async () => {
      const { claim_url } = await offer({ days: 30 });
      const { status, body } = await claim(claim_url);
      expect(status).toBe(200);
      const certificate = new X509Certificate(body.certificate);
      expect(certificate.checkPrivateKey(createPrivateKey(body.private_key))).toBe(true);
      expect(certificate.publicKey.asymmetricKeyDetails?.modulusLength).toBe(2048);
      expect(certificate.subject).toBe(`CN=${venId}`);
      expect(certificate.verify(new X509Certificate(body.ca_certificate).publicKey)).toBe(true);
      expect(body).toMatchObject({ ven_id: venId, expires_at: ahead(service, { hours: 30 * 24 }) });
      expect(await certificatesOf()).toMatchObject([{ fingerprint: body.fingerprint, state: "valid" }]);
      expectError(await claim(claim_url), 404);
    });

    test("used, expired, unknown, of a key, and of a VEN that is gone is answered alike", async () => {
      const [used, late] = [await offer(), await offer()];
      await claim(used.claim_url);
      const key = await service.made(operator.createKey, {
        params: { id: anna.accountId },
        body: { environment: "production" },
      });
      service.clock.advance({ hours: 24 });
      const gone = await offer();
      await service.operator(operator.deleteVen, { params: { id } });
      const keyAsVen = key.claim_url.replace("/claim/", "/claim/ven/");
      const venAsKey = late.claim_url.replace("/claim/ven/", "/claim/");
      const texts = [];
      const unknown = `${service.url}/claim/ven/unknown`;
      for (const url of [used.claim_url, late.claim_url, gone.claim_url, unknown, keyAsVen, venAsKey]) {
        const answer = await claim(url);
        expectError(answer, 404, /has been used or has expired/);
        texts.push(answer.text);
      }
      expect(new Set(texts).size).toBe(1);
    });

    test("is in the audit log when it is made and when it is used, without its token or the key", async () => {
      const { claim_url } = await offer();
      const { body } = await claim(claim_url);
      const { text, body: audit } = await service.operator(operator.listAudit, { query: { limit: 2 } });
      expect(audit.items).toMatchObject([
        { actor: `ven:${id}`, action: "ven.certify", subject: id, after: { fingerprint: body.fingerprint } },
        { actor: "operator", action: "ven.offer_certificate", subject: id, after: { days: 365 } },
      ]);
      expect(text).not.toContain(claim_url.split("/").at(-1));
      expect(text).not.toContain("PRIVATE KEY");
    });

    test("leaves no key in the database", async () => {
      await claim((await offer()).claim_url);
      const { rows } = await service.database.pool.query("select to_jsonb(c) as row from ven_certificates c");
      expect(JSON.stringify(rows)).not.toContain("PRIVATE KEY");
    });
  });
});

describe("the end of a certificate", () => {
  let anna: Participant;
  let id: string;
  let count = 0;

  beforeEach(async () => {
    anna = await service.newParticipant();
    ({ id } = await service.made(operator.createVen, {
      params: { id: anna.accountId },
      body: { ven_id: `expiring-${++count}` },
    }));
  });

  const csr = readFileSync(new URL("../vtn/requests/ec-p256.csr", import.meta.url), "utf8");
  const certify = async (days: number) => {
    const certified = await service.made(operator.certifyVen, { params: { id }, body: { csr, days } });
    if (!("certificate" in certified)) throw new Error("no certificate was issued");
    return certified;
  };
  const about = () => ({ kind: "certificate_expiring", id });
  const subjects = async (): Promise<string[]> => (await alarmsAbout(service, about())).map(({ subject }) => subject);

  describe("a VEN whose last certificate ends", () => {
    test("is told of at 60, 30 and 7 days, each time anew, and when it has ended", async () => {
      const { expires_at } = await certify(61);
      await judgeOnce(service);
      expect(await subjects()).toEqual([]);
      service.clock.advance({ days: 1 });
      const [alarm] = await untilAlarms(service, about(), 1);
      expect(alarm).toMatchObject({
        subject: `${id} 60`,
        account_id: anna.accountId,
        message: expect.stringContaining(`ends within 60 days, at ${expires_at}; the VEN cannot connect after that.`),
      });
      await acknowledge(service, alarm?.id);
      for (const [days, step] of [
        [30, 30],
        [23, 7],
        [7, 0],
      ] as const) {
        service.clock.advance({ days });
        await judgeOnce(service);
        expect(await subjects()).toEqual([`${id} ${step}`]);
      }
      const [ended] = await alarmsAbout(service, about());
      expect(ended?.message).toContain(`ended at ${expires_at}`);
      expect(ended?.acknowledged_at).toBeNull();
    });
  });
});
