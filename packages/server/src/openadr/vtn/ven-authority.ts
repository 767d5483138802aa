import { type KeyObject, X509Certificate as NodeCertificate } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../platform/clock.js";
import { readText, writeOnce } from "../../platform/private-file.js";
import { mapResult } from "../../platform/refusal.js";
import type { Certifying, NewCertificate, VenAuthority } from "../operations/manage-vens.js";
import {
  authorityOf,
  type CertificateAuthority,
  certify,
  fingerprintOf,
  leafKeyUsage,
  makeAuthorityCertificate,
  makeAuthorityKey,
} from "./certificate-authority.js";
import { keysOf, LEAF_BITS, makeRsaKeys, pemOf } from "./make-keys.js";
import { type ServerCertificate, serverCertificate } from "./server-certificate.js";
import { keyOfRequest } from "./sign-request.js";
import { ExtendedKeyUsage, ExtendedKeyUsageExtension } from "./x509.js";

/** The authority in `folder`, opened or created on first use. */
export class OpenadrAuthority implements VenAuthority {
  #opening: Promise<CertificateAuthority> | undefined;

  constructor(
    private readonly folder: string,
    private readonly clock: Clock,
  ) {}

  /** Throws, with what to do, if the authority cannot be used; the next call tries again. */
  open(): Promise<CertificateAuthority> {
    this.#opening ??= openAuthority(this.folder, this.clock.now()).catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async certificate(): Promise<string> {
    return (await this.open()).pem;
  }

  /** What the listener presents; renewed in time, so call once a day. */
  async serverCertificate(hostnames: readonly string[]): Promise<ServerCertificate> {
    return serverCertificate({ authority: await this.open(), folder: this.folder, hostnames }, this.clock.now());
  }

  async sign(csr: string, certifying: Certifying): ReturnType<VenAuthority["sign"]> {
    return mapResult(keyOfRequest(csr), (key) => this.certify(key, certifying));
  }

  async issue(certifying: Certifying): ReturnType<VenAuthority["issue"]> {
    const { publicKey, privateKey } = await makeRsaKeys(LEAF_BITS);
    return { ...(await this.certify(publicKey, certifying)), privateKey: pemOf(privateKey) };
  }

  async certify(publicKey: KeyObject, { venId, days, now }: Certifying): Promise<NewCertificate> {
    const extensions = [leafKeyUsage(publicKey), new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth])];
    const subject = { publicKey, commonName: venId, days, extensions };
    const certificate = await certify(await this.open(), subject, now);
    return {
      fingerprint: fingerprintOf(certificate.rawData),
      pem: `${certificate.toString("pem")}\n`,
      notBefore: certificate.notBefore,
      expiresAt: certificate.notAfter,
    };
  }
}

/**
 * Opens or creates the authority in `folder`. Each file is written atomically and once, the key first, and the
 * certificate follows from the key: processes that start together, or one that died half way, get the same result.
 */
const openAuthority = async (folder: string, now: Date): Promise<CertificateAuthority> => {
  const files = { key: join(folder, "ca.key"), certificate: join(folder, "ca.crt") };
  // It has keys, so only the owner has access.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // The certificate first: if there is one, its key exists already.
  const given = { certificate: certificatesIn(await readText(files.certificate)), key: await readText(files.key) };
  if (given.certificate !== null && given.key === null)
    throw unusable(files.certificate, "ca.key is missing next to it");
  const key = given.key ?? (await writeOnce(files.key, await makeAuthorityKey()));
  refuse(files.key, faultOfKey(key));
  const certificate =
    given.certificate ?? (await writeOnce(files.certificate, await makeAuthorityCertificate(key, now)));
  refuse(files.certificate, faultOfCertificate(certificate, key, now));
  return authorityOf(certificate, key);
};

/** Drops the text that tools write around them, because the rest is handed out. */
const certificatesIn = (text: string | null): string | null => {
  const blocks = text?.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return text === null ? null : blocks.map((block) => `${block}\n`).join("");
};

const refuse = (file: string, fault: string | null): void => {
  if (fault !== null) throw unusable(file, fault);
};

const unusable = (file: string, fault: string): Error =>
  new Error(`${file} cannot be used: ${fault}. Replace it, or restore its folder from the backup.`);

const MIN_RSA_BITS = 2048;
const curves: readonly string[] = ["prime256v1", "secp384r1", "secp521r1"];

const faultOfKey = (pem: string): string | null => {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails = {} } = keysOf(pem).privateKey;
    if (asymmetricKeyType === "rsa" && (asymmetricKeyDetails.modulusLength ?? 0) >= MIN_RSA_BITS) return null;
    if (asymmetricKeyType === "ec" && curves.includes(asymmetricKeyDetails.namedCurve ?? "")) return null;
    return "it must be an RSA key of 2048 bits or more, or an EC key on P-256, P-384 or P-521";
  } catch {
    return "it must be a private key in PEM that is not encrypted (openssl pkey -in … -out … decrypts one)";
  }
};

const faultOfCertificate = (pem: string, keyPem: string, now: Date): string | null => {
  const certificate = certificateOf(pem);
  if (certificate === null) return "it must be a certificate in PEM";
  if (!certificate.ca) return "it is not the certificate of an authority that may sign others (CA:TRUE, keyCertSign)";
  if (!certificate.checkPrivateKey(keysOf(keyPem).privateKey)) return "the key in ca.key does not belong to it";
  return Date.parse(certificate.validTo) > now.getTime()
    ? null
    : `it expired at ${certificate.validTo}, and so did the certificates of all VENs`;
};

const certificateOf = (pem: string): NodeCertificate | null => {
  try {
    return new NodeCertificate(pem);
  } catch {
    return null;
  }
};
