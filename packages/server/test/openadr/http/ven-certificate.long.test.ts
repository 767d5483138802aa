import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { type BodyOf, operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { alarmsAbout, judgeOnce, untilAlarms } from "../../support/alarms.js";
import { ahead } from "../../support/dispatching.js";
import { httpClient, type Send } from "../../support/http-client.js";
import { type Participant, type Running, running } from "../../support/running.js";

let service: Running;

beforeAll(async () => {
  service = await running();
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
  const html = { accept: "text/html" };
  const certificatesOf = async () => (await service.operator(operator.getVen, { params: { id } })).body.certificates;

  describe("a one-time link to a VEN's certificate", () => {
    test("pressed in a browser shows a page with three files, and the same page for all that are spent", async () => {
      const { claim_url } = await offer();
      const { status, text } = await claim(claim_url, "POST", html);
      expect(status).toBe(200);
      const files = [...text.matchAll(/download="([\w.-]+)" href="data:application\/x-pem-file;base64,([\w+/=]+)"/g)];
      const [key, certificate, ca] = files.map(([, , content = ""]) => Buffer.from(content, "base64").toString());
      expect(files.map(([, name]) => name)).toEqual([`${venId}.key`, `${venId}.crt`, "ca.crt"]);
      expect(new X509Certificate(certificate ?? "").checkPrivateKey(createPrivateKey(key ?? ""))).toBe(true);
      expect(ca).toBe((await service.operator(operator.getOpenadrAuthority)).body.certificate);
      const used = await claim(claim_url, "POST", html);
      const unknown = await anyone("POST", "/claim/ven/unknown", undefined, html);
      expect([used.status, used.text]).toEqual([404, unknown.text]);
    });

    test("lives for 24 hours", async () => {
      const link = await offer();
      expect(link.claim_expires_at).toBe(ahead(service, { hours: 24 }));
      service.clock.advance({ hours: 23, minutes: 59, seconds: 59 });
      expect((await claim(link.claim_url)).status).toBe(200);
    });

    test("pressed by many at once makes and shows one key", async () => {
      const { claim_url } = await offer();
      const answers = await Promise.all(Array.from({ length: 10 }, () => claim(claim_url)));
      expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
      expect(await certificatesOf()).toHaveLength(1);
    });

    test("is never kept by anyone on the way, whatever the answer", async () => {
      const { claim_url } = await offer();
      for (const { headers } of [await claim(claim_url, "GET"), await claim(claim_url), await claim(claim_url)]) {
        expect([headers.get("cache-control"), headers.get("referrer-policy")]).toEqual(["no-store", "no-referrer"]);
      }
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
    test("is provided for by a newer certificate, or by being deleted", async () => {
      await certify(20);
      expect(await untilAlarms(service, about(), 1)).toMatchObject([{ subject: `${id} 30` }]);
      const { fingerprint } = await certify(365);
      await untilAlarms(service, about(), 0);
      await service.operator(operator.revokeVenCertificate, { params: { id, fingerprint } });
      await untilAlarms(service, about(), 1);
      await service.operator(operator.deleteVen, { params: { id } });
      await untilAlarms(service, about(), 0);
    });

    test("is nobody's concern when its account is disabled, or it was never certified", async () => {
      await judgeOnce(service);
      expect(await subjects()).toEqual([]);
      await certify(20);
      await service.operator(operator.changeAccount, {
        params: { id: anna.accountId },
        body: { disabled: true, confirm_running: true },
      });
      await judgeOnce(service);
      expect(await subjects()).toEqual([]);
    });
  });
});
