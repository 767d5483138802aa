import { once } from "node:events";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, createServer, type TLSSocket } from "node:tls";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import type { ServerCertificate } from "../../../src/openadr/vtn/server-certificate.js";
import { OpenadrAuthority } from "../../../src/openadr/vtn/ven-authority.js";
import { fakeClock } from "../../support/fake-clock.js";

const folder = mkdtempSync(join(tmpdir(), "curtail-server-certificate-"));
afterAll(() => rmSync(folder, { recursive: true }));
const clock = fakeClock();
const authority = new OpenadrAuthority(folder, clock);
const names = ["vtn.example.com", "localhost", "127.0.0.1", "::1"];

interface Shaken {
  readonly cipher: string;
  readonly clientName: string | undefined;
  readonly clientError: Error | null;
}

/** A VEN's handshake with a listener that presents this certificate; rejects if the VEN refuses it. */
const shakeHands = async (shown: ServerCertificate, servername: string, options: object = {}): Promise<Shaken> => {
  const ca = await authority.certificate();
  const ven = await authority.issue({ venId: "store-12", days: 1, now: clock.now() });
  const server = createServer({
    key: shown.key,
    cert: shown.chain,
    ca,
    requestCert: true,
    rejectUnauthorized: false,
    ciphers: "DEFAULT:AES128-SHA256",
  });
  onTestFinished(() => void server.close());
  server.on("tlsClientError", () => {});
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const arrived = once(server, "secureConnection") as Promise<[TLSSocket]>;
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: "127.0.0.1", servername, ca, key: ven.privateKey, cert: ven.pem, ...options });
  onTestFinished(() => void socket.destroy());
  await once(socket, "secureConnect");
  const [peer] = await arrived;
  const { CN } = peer.getPeerCertificate().subject;
  return { cipher: socket.getCipher().name, clientName: String(CN), clientError: peer.authorizationError ?? null };
};

describe("the certificate of the listener", () => {
  test("is taken by a VEN that knows the authority, under each of its names, and the VEN by the listener", async () => {
    const shown = await authority.serverCertificate(names);
    for (const name of ["vtn.example.com", "localhost"]) {
      expect(await shakeHands(shown, name)).toMatchObject({ clientName: "store-12", clientError: null });
    }
    await expect(shakeHands(shown, "other.example.com")).rejects.toThrow(/altnames/);
  });

  test("lets old VENs use a TLS 1.2 suite with RSA and CBC", async () => {
    const shown = await authority.serverCertificate(names);
    const old = { minVersion: "TLSv1.2", maxVersion: "TLSv1.2", ciphers: "AES128-SHA256" };
    expect(await shakeHands(shown, "localhost", old)).toMatchObject({ cipher: "AES128-SHA256", clientError: null });
  });

  test("stays the same over restarts, until 30 days before its end", async () => {
    const shown = await authority.serverCertificate(names);
    const again = () => new OpenadrAuthority(folder, clock).serverCertificate(names);
    expect(await again()).toEqual(shown);
    clock.advance({ days: 334 });
    expect(await again()).toEqual(shown);
    clock.advance({ days: 1 });
    const renewed = await authority.serverCertificate(names);
    expect(renewed.chain).not.toBe(shown.chain);
    expect(renewed.expiresAt.getTime() - clock.now().getTime()).toBe(365 * 86_400_000);
    expect(await again()).toEqual(renewed);
    clock.advance({ days: -335 });
  });

  test("is made anew for other names, and when its file cannot be read", async () => {
    const shown = await authority.serverCertificate(names);
    const other = await authority.serverCertificate(["vtn.example.org"]);
    expect(other.chain).not.toBe(shown.chain);
    for (const text of ["", "nonsense", other.chain]) {
      writeFileSync(join(folder, "server.pem"), text);
      expect((await authority.serverCertificate(["vtn.example.org"])).key).toMatch(/PRIVATE KEY/);
    }
  });

  test("lies where nobody else can read its key", async () => {
    await authority.serverCertificate(names);
    expect(statSync(join(folder, "server.pem")).mode & 0o777).toBe(0o600);
  });
});
