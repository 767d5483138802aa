import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { connect } from "node:tls";
import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { NO_FIXTURES, openadrFixtures, validate } from "../../../../openadr/test/support/schema.js";
import { OpenadrAuthority } from "../../../src/openadr/vtn/ven-authority.js";
import { newDispatch, newProgram } from "../../support/dispatching.js";
import { type Participant, type Running, running } from "../../support/running.js";
import { type Credentials, read, requestXml, type VenClient, type VenReply } from "../../support/ven-client.js";
import { DELETE_BY_HAND, listeningToVens, REVOKE_BY_HAND, type TestVen, type Vens } from "../../support/vens.js";

let service: Running;
let vens: Vens;
let anna: Participant;
let ven: TestVen;
let foreign: OpenadrAuthority;

beforeAll(async () => {
  service = await running();
  vens = await listeningToVens(service, { isRsa: true });
  anna = await service.newParticipant();
  ven = await vens.newVen(anna);
  await newDispatch(service, await newProgram(service, [anna]));
  foreign = new OpenadrAuthority(await mkdtemp(join(service.dataDir, "foreign-")), service.clock);
});

const issuedBy = async (authority: OpenadrAuthority, days: number): Promise<Credentials> => {
  const issued = await authority.issue({ venId: ven.venId, days, now: service.clock.now() });
  return { key: issued.privateKey, certificate: issued.pem };
};

const protocols = ["TLSv1.2", "TLSv1.3"] as const;

/** The handshake is refused or, with TLS 1.3, where the client finishes it before we see it, the connection. */
const expectCutOff = async (client: VenClient): Promise<void> => {
  await expect(client.request()).rejects.toThrow(/socket hang up|disconnected|ECONNRESET|alert|EPIPE/);
};

const expectForbidden = ({ status, headers, text }: VenReply): void => {
  expect({ status, text }).toEqual({ status: 403, text: "" });
  expect(headers["content-length"]).toBe("0");
};

test.skipIf(openadrFixtures === null)(
  `messages are held against the schema of 2.0a, unless ${NO_FIXTURES}`,
  async () => {
    const { text } = await ven.request();
    validate(text);
    expect(() => validate(text.replace(/<ei:eiTarget>.*<\/ei:eiTarget>/s, ""))).toThrow();
  },
);

test("Transport: a VEN polls over mutual TLS, and is answered in XML with its length", async () => {
  const [event] = await ven.events();
  expect(event?.target).toMatchObject({ resourceIds: [anna.sites[0]?.id], venIds: [ven.venId] });
});

describe.each(protocols)("Transport, %s", (protocol) => {
  const tls = { minVersion: protocol, maxVersion: protocol };

  test("a VEN is heard", async () => {
    expect(await ven.as({ tls }).events()).toHaveLength(1);
  });

  test("who has no certificate gets no answer at all", async () => {
    await expectCutOff(ven.as({ tls, credentials: null }));
  });

  test("who has a certificate of another authority gets no answer at all", async () => {
    await expectCutOff(ven.as({ tls, credentials: await issuedBy(foreign, 1) }));
  });

  test("nor does who has an expired one of another authority", async () => {
    const expired = await issuedBy(foreign, 0);
    await expectCutOff(ven.as({ tls, credentials: expired }));
  });

  test("an expired certificate of ours is answered 403, no body", async () => {
    const other = await vens.newVen(anna);
    const expired = await vens.certify(other.ven, { days: 0 });
    expectForbidden(await other.as({ tls, credentials: expired }).request());
  });
});

describe("Transport", () => {
  test("a TLS 1.2 CBC suite with RSA is accepted", async () => {
    for (const ciphers of ["AES128-SHA256", "ECDHE-RSA-AES128-SHA256", "AES256-SHA"]) {
      expect(await ven.as({ tls: { maxVersion: "TLSv1.2", ciphers } }).events(), ciphers).toHaveLength(1);
    }
  });

  test("TLS before 1.2 is refused", async () => {
    const tls = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" };
    await expect(ven.as({ tls }).request()).rejects.toThrow(/protocol version/);
  });

  test.each(protocols)("a VEN that resumes its session (%s) is still known", async (protocol) => {
    const tls = { minVersion: protocol, maxVersion: protocol, host: "127.0.0.1", port: vens.port, ca: vens.ca };
    const { key, certificate: cert } = ven.credentials;
    const poll = async (session?: Buffer): Promise<{ isReused: boolean; status: string; session: Buffer }> => {
      const socket = connect({ ...tls, key, cert, ...(session === undefined ? {} : { session }) });
      let latest: Buffer = Buffer.alloc(0);
      let isReused = false;
      socket.on("secureConnect", () => (isReused = socket.isSessionReused()));
      socket.on("session", (offered: Buffer) => (latest = offered));
      const body = requestXml({ venId: ven.venId });
      socket.write(
        `POST /vtn/${ven.venId}/OpenADR2/Simple/EiEvent HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      );
      let text = "";
      for await (const chunk of socket) text += String(chunk);
      return { isReused, status: text.slice(9, 12), session: latest };
    };
    const first = await poll();
    const second = await poll(first.session);
    expect(second.isReused).toBe(true);
    expect([first.status, second.status]).toEqual(["200", "200"]);
  });

  test("a revoked certificate is answered 403, the VEN's other one goes on", async () => {
    const other = await vens.newVen(anna);
    const second = await vens.certify(other.ven);
    await service.database.pool.query(REVOKE_BY_HAND, [other.credentials.fingerprint]);
    expectForbidden(await other.request());
    expect(await other.as({ credentials: second }).events()).toHaveLength(1);
  });

  test("a VEN that is gone is answered 403, one of a disabled account too", async () => {
    const gone = await vens.newVen(anna);
    expect(await gone.events()).toHaveLength(1);
    await service.database.pool.query(DELETE_BY_HAND, [gone.ven.id]);
    expectForbidden(await gone.request());
    const bert = await service.newParticipant();
    const disabled = await vens.newVen(bert);
    await service.made(operator.changeAccount, {
      params: { id: bert.accountId },
      body: { disabled: true, confirm_running: true },
    });
    expectForbidden(await disabled.request());
  });

  test("a certificate of ours that was never any VEN's is answered 403", async () => {
    const authority = new OpenadrAuthority(join(service.dataDir, "openadr"), service.clock);
    expectForbidden(await ven.as({ credentials: await issuedBy(authority, 1) }).request());
  });

  test("a venID that is not the certificate's is answered 463 and no event, known elsewhere or not", async () => {
    const other = await vens.newVen(await service.newParticipant());
    for (const venId of [other.venId, "nobody"]) {
      const path = `/vtn/${venId}/OpenADR2/Simple/EiEvent`;
      for (const reply of [
        await ven.request({ venId }),
        await ven.post(requestXml({ venId: ven.venId }), { path }),
        await ven.post(requestXml({ venId }), { path }),
      ]) {
        const message = read(reply);
        expect(reply.status).toBe(200);
        expect(message).toMatchObject({ kind: "distributeEvent", events: [], response: { responseCode: "463" } });
      }
      const events = await ven.events();
      expect((await ven.answer(events, { venId })).response).toMatchObject({ responseCode: "463" });
    }
    expect((await ven.events())[0]?.responseRequired).toBe("always");
  });

  test("any content type is accepted, in the charset that it names", async () => {
    for (const type of ["text/plain; charset=ISO-8859-1", "application/xml; charset=utf-8", "", "text/html"]) {
      const headers = { "content-type": type };
      const reply = await ven.post(requestXml({ venId: ven.venId }), { headers });
      expect(reply.status, type).toBe(200);
    }
    const umlaut = Buffer.from(requestXml({ venId: ven.venId, requestId: "größe" }), "latin1");
    const reply = await ven.post(umlaut, { headers: { "content-type": "text/plain; charset=ISO-8859-1" } });
    expect(read(reply)).toMatchObject({ response: { requestId: "größe" } });
  });

  test("another address is 404, another method 405, both without a body", async () => {
    expect(await ven.post("", { path: "/" })).toMatchObject({ status: 404, text: "" });
    expect(await ven.post("", { path: `/vtn/${ven.venId}/OpenADR2/Simple/EiReport` })).toMatchObject({ status: 404 });
    expect(await ven.post("", { method: "GET" })).toMatchObject({ status: 405, headers: { allow: "POST" } });
  });

  test("the fingerprint header of a peer that is no trusted proxy counts for nothing", async () => {
    const headers = { "x-client-cert-fingerprint": ven.credentials.fingerprint };
    const other = await vens.newVen(await service.newParticipant());
    const body = requestXml({ venId: ven.venId });
    const path = `/vtn/${ven.venId}/OpenADR2/Simple/EiEvent`;
    expect(read(await other.post(body, { headers, path }))).toMatchObject({ response: { responseCode: "463" } });
  });
});

describe("Transport, behind a proxy that the operator names", () => {
  let proxied: Running;
  let proxiedVens: Vens;
  let behind: TestVen;

  beforeAll(async () => {
    proxied = await running({ CURTAIL_OPENADR_TRUSTED_PROXIES: "127.0.0.0/8" });
    proxiedVens = await listeningToVens(proxied);
    const bert = await proxied.newParticipant();
    behind = await proxiedVens.newVen(bert);
    await newDispatch(proxied, await newProgram(proxied, [bert]));
  });

  const asProxy = (fingerprint: string | null): Promise<VenReply> =>
    behind.as({ credentials: null }).post(requestXml({ venId: behind.venId }), {
      headers: fingerprint === null ? {} : { "x-client-cert-fingerprint": fingerprint },
    });

  test("its header names the VEN, in any spelling of the fingerprint", async () => {
    const { fingerprint } = behind.credentials;
    const colons = fingerprint.toUpperCase().match(/../g)?.join(":") ?? "";
    const base64 = Buffer.from(fingerprint, "hex").toString("base64");
    for (const spelled of [fingerprint, colons, base64, `SHA256:${base64}`, `By=a;Hash=${fingerprint};URI=b`]) {
      expect(read(await asProxy(spelled))).toMatchObject({ events: [{}] });
    }
  });

  test("no header, a malformed one, or an unknown certificate is answered 403", async () => {
    for (const fingerprint of [null, "", "abc", "0".repeat(64), "'; drop table vens"]) {
      expectForbidden(await asProxy(fingerprint));
    }
  });

  test("a VEN that comes by itself is known by its certificate", async () => {
    expect(await behind.events()).toHaveLength(1);
  });
});
