import { execFileSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { NewCertificate } from "../../../src/openadr/operations/manage-vens.js";
import { OpenadrAuthority } from "../../../src/openadr/vtn/ven-authority.js";
import { isRefusal } from "../../../src/platform/refusal.js";
import { fakeClock } from "../../support/fake-clock.js";

const DAY_MS = 86_400_000;
const made = (name: string): string => readFileSync(new URL(`requests/${name}.csr`, import.meta.url), "utf8");

const emptyFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "curtail-ca-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
};

const clock = fakeClock();
const authorityIn = (folder: string): OpenadrAuthority => new OpenadrAuthority(folder, clock);
const days = (count: number): Date => new Date(clock.now().getTime() + count * DAY_MS);
const certifying = (venId: string, days = 365) => ({ venId, days, now: clock.now() });

const signed = async (authority: OpenadrAuthority, name: string, days?: number): Promise<NewCertificate> => {
  const certified = await authority.sign(made(name), certifying("store-12", days));
  if (isRefusal(certified)) throw new Error(certified.message);
  return certified;
};

/** An authority of another maker. */
const importInto = (folder: string, keyOptions: readonly string[], ...options: readonly string[]): void => {
  const files = ["-keyout", join(folder, "ca.key"), "-out", join(folder, "ca.crt")];
  const subject = ["-subj", `/C=DE/O=Own Authority/CN=${basename(folder)}`];
  execFileSync("openssl", ["req", "-x509", "-noenc", ...keyOptions, ...files, ...subject, ...options], {
    stdio: "ignore",
  });
};
const rsa = ["-newkey", "rsa:2048"];

describe("the certificate authority", () => {
  test("is made once, and is the same after a restart", async () => {
    const folder = join(emptyFolder(), "openadr");
    const authority = authorityIn(folder);
    const pem = await authority.certificate();
    const certificate = new X509Certificate(pem);
    expect(certificate.ca).toBe(true);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.publicKey.asymmetricKeyType).toBe("rsa");
    expect(certificate.subject).toMatch(/^CN=Curtail OpenADR CA [0-9a-f]{8}$/);
    expect(new Date(certificate.validTo).getTime()).toBeGreaterThan(days(19 * 365).getTime());
    expect(await authority.certificate()).toBe(pem);
    expect(await authorityIn(folder).certificate()).toBe(pem);
  });

  test("keeps its key from everybody else, and leaves nothing else behind", async () => {
    const folder = join(emptyFolder(), "openadr");
    await authorityIn(folder).open();
    expect(readdirSync(folder).sort()).toEqual(["ca.crt", "ca.key"]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, "ca.key")).mode & 0o777).toBe(0o600);
  });

  test("is one, however many start at once", async () => {
    const folder = emptyFolder();
    const all = await Promise.all(Array.from({ length: 4 }, () => authorityIn(folder).certificate()));
    expect(new Set(all).size).toBe(1);
    const certified = await signed(authorityIn(folder), "ec-p256");
    expect(new X509Certificate(certified.pem).verify(new X509Certificate(all[0] ?? "").publicKey)).toBe(true);
  });

  test("that was cut off after its key goes on with that key", async () => {
    const folder = emptyFolder();
    await authorityIn(folder).open();
    const key = readFileSync(join(folder, "ca.key"), "utf8");
    rmSync(join(folder, "ca.crt"));
    await authorityIn(folder).open();
    expect(readFileSync(join(folder, "ca.key"), "utf8")).toBe(key);
  });

  test.each([
    ["RSA", rsa],
    ["EC", ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-384"]],
  ])("may be one of another maker: %s", async (_kind, keyOptions) => {
    const folder = emptyFolder();
    importInto(folder, keyOptions, "-addext", "keyUsage=critical,keyCertSign");
    const certified = await signed(authorityIn(folder), "rsa-2048");
    writeFileSync(join(folder, "ven.crt"), certified.pem);
    const verify = ["verify", "-x509_strict", "-purpose", "sslclient", "-CAfile", join(folder, "ca.crt")];
    expect(execFileSync("openssl", [...verify, join(folder, "ven.crt")], { encoding: "utf8" })).toMatch(/: OK/);
  });

  test("may be below another one, whose certificate stands behind its own", async () => {
    const folder = emptyFolder();
    const root = emptyFolder();
    importInto(root, rsa, "-addext", "keyUsage=critical,keyCertSign");
    const signer = ["-CA", join(root, "ca.crt"), "-CAkey", join(root, "ca.key")];
    importInto(folder, rsa, ...signer, "-addext", "keyUsage=critical,keyCertSign");
    const own = readFileSync(join(folder, "ca.crt"), "utf8");
    const rootPem = readFileSync(join(root, "ca.crt"), "utf8");
    writeFileSync(join(folder, "ca.crt"), `Our <b>authority</b>\n${own}above it\n${rootPem}`);
    const authority = authorityIn(folder);
    expect(await authority.certificate()).toBe(own + rootPem);
    writeFileSync(join(root, "ven.crt"), (await signed(authority, "ec-p256")).pem);
    const { chain } = await authority.serverCertificate(["localhost"]);
    writeFileSync(join(root, "server.crt"), chain);
    writeFileSync(join(root, "own.crt"), own);
    const verify = ["verify", "-CAfile", join(root, "ca.crt"), "-untrusted", join(root, "own.crt")];
    const said = execFileSync("openssl", [...verify, join(root, "ven.crt"), join(root, "server.crt")], {
      encoding: "utf8",
    });
    expect(said).toMatch(/ven\.crt: OK\n.*server\.crt: OK/);
    expect(await authority.serverCertificate(["localhost"])).toMatchObject({ chain });
  });

  test.each([
    ["no authority", [...rsa], ["-addext", "basicConstraints=critical,CA:FALSE"], /CA:TRUE/],
    ["a key of 1024 bits", ["-newkey", "rsa:1024"], [], /ca\.key cannot be used: it must be an RSA key of 2048 bits/],
    ["no right to sign", [...rsa], ["-addext", "keyUsage=critical,digitalSignature"], /keyCertSign/],
  ])("is not used with %s", async (_what, keyOptions, options, why) => {
    const folder = emptyFolder();
    importInto(folder, keyOptions, ...options);
    await expect(authorityIn(folder).open()).rejects.toThrow(why);
  });

  test("is not used with a key that is another's, encrypted or missing, or when it has expired", async () => {
    const [one, other] = [emptyFolder(), emptyFolder()];
    importInto(one, rsa);
    importInto(other, rsa);
    const key = join(one, "ca.key");
    const own = readFileSync(key, "utf8");
    writeFileSync(key, readFileSync(join(other, "ca.key"), "utf8"));
    const authority = authorityIn(one);
    await expect(authority.open()).rejects.toThrow(/the key in ca\.key does not belong to it/);
    execFileSync("openssl", ["pkey", "-in", join(other, "ca.key"), "-aes256", "-passout", "pass:x", "-out", key]);
    await expect(authority.open()).rejects.toThrow(/ca\.key cannot be used: .* not encrypted/);
    rmSync(key);
    await expect(authority.open()).rejects.toThrow(
      /ca\.key is missing next to it\. Replace it, or restore its folder from the backup/,
    );
    writeFileSync(key, own);
    chmodSync(key, 0o600);
    await authority.open();
    clock.advance({ days: 31 });
    onTestFinished(() => clock.advance({ days: -31 }));
    await expect(authorityIn(one).open()).rejects.toThrow(/ca\.crt cannot be used: it expired at/);
  });
});

describe("a VEN's certificate", () => {
  test("names the VEN and lets it be a client, whatever its request asked for", async () => {
    const authority = authorityIn(emptyFolder());
    const ca = new X509Certificate(await authority.certificate());
    const { pem, fingerprint, expiresAt } = await signed(authority, "asks-for-authority", 30);
    const certificate = new X509Certificate(pem);
    expect(certificate.subject).toBe("CN=store-12");
    expect(certificate.ca).toBe(false);
    expect(certificate.subjectAltName).toBeUndefined();
    expect(certificate.keyUsage).toEqual(["1.3.6.1.5.5.7.3.2"]);
    expect(certificate.checkIssued(ca) && certificate.verify(ca.publicKey)).toBe(true);
    expect(certificate.fingerprint256.replaceAll(":", "").toLowerCase()).toBe(fingerprint);
    expect([expiresAt, new Date(certificate.validTo)]).toEqual([days(30), days(30)]);
  });

  test("is another one each time, for the same request too", async () => {
    const authority = authorityIn(emptyFolder());
    const [one, other] = [await signed(authority, "ec-p256"), await signed(authority, "ec-p256")];
    expect(one.fingerprint).not.toBe(other.fingerprint);
  });

  test("is good from an hour ago on, since a VEN's clock may be behind", async () => {
    const { notBefore } = await signed(authorityIn(emptyFolder()), "ec-p256");
    expect(clock.now().getTime() - notBefore.getTime()).toBe(3_600_000);
  });

  test("never outlives its authority", async () => {
    const folder = emptyFolder();
    importInto(folder, rsa, "-days", "100");
    const authority = authorityIn(folder);
    const { expiresAt } = await signed(authority, "ec-p256", 365);
    expect(expiresAt).toEqual(new Date(new X509Certificate(await authority.certificate()).validTo));
  });
});
