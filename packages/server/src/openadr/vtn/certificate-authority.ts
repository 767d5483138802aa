import { createHash, type KeyObject, randomBytes, type webcrypto } from "node:crypto";
import { type KeyPair, keysOf, makeRsaKeys, pemOf } from "./make-keys.js";
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from "./x509.js";

/** The issuer of VENs' certificates and of our listener's own. */
export interface CertificateAuthority {
  /** Its certificate, followed by those above it, if any (PEM). */
  readonly pem: string;
  readonly certificate: X509Certificate;
  readonly signingKey: CryptoKey;
  readonly signingAlgorithm: webcrypto.EcdsaParams | webcrypto.Algorithm;
}

type CryptoKey = webcrypto.CryptoKey;

/** What to certify: a key, its owner and its permitted uses. */
export interface Subject {
  readonly publicKey: KeyObject;
  readonly commonName: string;
  readonly days: number;
  readonly extensions: readonly Extension[];
}

const AUTHORITY_BITS = 3072;
const AUTHORITY_YEARS = 20;
const DAY_MS = 86_400_000;
/** A VEN's clock may be behind ours. */
const BACKDATED_MS = 3_600_000;

export const makeAuthorityKey = async (): Promise<string> => pemOf((await makeRsaKeys(AUTHORITY_BITS)).privateKey);

/** Creates the self-signed certificate of the authority's key. Its name is unique to the installation. */
export const makeAuthorityCertificate = async (keyPem: string, now: Date): Promise<string> => {
  const keys = keysOf(keyPem);
  const name = [{ CN: [`Curtail OpenADR CA ${fingerprintOf(spkiOf(keys.publicKey)).slice(0, 8)}`] }];
  const { signingKey, signingAlgorithm } = await signerOf(keys);
  const publicKey = spkiOf(keys.publicKey);
  const certificate = await X509CertificateGenerator.create({
    serialNumber: newSerialNumber(),
    subject: name,
    issuer: name,
    notBefore: new Date(now.getTime() - BACKDATED_MS),
    notAfter: new Date(now.getTime() + AUTHORITY_YEARS * 365 * DAY_MS),
    publicKey,
    signingKey,
    signingAlgorithm,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(publicKey),
    ],
  });
  return `${certificate.toString("pem")}\n`;
};

/** Loads an authority from its two files; the first certificate is the issuing one. */
export const authorityOf = async (pem: string, keyPem: string): Promise<CertificateAuthority> => ({
  pem,
  certificate: new X509Certificate(pem),
  ...(await signerOf(keysOf(keyPem))),
});

/** Certifies a key for a number of days, at most until the authority expires. */
export const certify = async (
  { certificate: issuer, signingKey, signingAlgorithm }: CertificateAuthority,
  { publicKey, commonName, days, extensions }: Subject,
  now: Date,
): Promise<X509Certificate> => {
  const spki = spkiOf(publicKey);
  const authorityKey = issuer.getExtension(SubjectKeyIdentifierExtension);
  return X509CertificateGenerator.create({
    serialNumber: newSerialNumber(),
    subject: [{ CN: [commonName] }],
    issuer: issuer.subjectName,
    notBefore: new Date(Math.max(now.getTime() - BACKDATED_MS, issuer.notBefore.getTime())),
    notAfter: new Date(Math.min(now.getTime() + days * DAY_MS, issuer.notAfter.getTime())),
    publicKey: spki,
    signingKey,
    signingAlgorithm,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      ...extensions,
      await SubjectKeyIdentifierExtension.create(spki),
      authorityKey === null
        ? await AuthorityKeyIdentifierExtension.create(issuer.publicKey)
        : new AuthorityKeyIdentifierExtension(authorityKey.keyId),
    ],
  });
};

/** Older TLS suites use an RSA key for encryption as well as for signatures. */
export const leafKeyUsage = ({ asymmetricKeyType }: KeyObject): Extension =>
  asymmetricKeyType === "rsa"
    ? new KeyUsagesExtension(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment, true)
    : new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true);

/** SHA-256 in lower-case hex. */
export const fingerprintOf = (der: NodeJS.ArrayBufferView | ArrayBuffer): string =>
  createHash("sha256")
    .update(der instanceof ArrayBuffer ? new Uint8Array(der) : der)
    .digest("hex");

const spkiOf = (publicKey: KeyObject): Buffer => publicKey.export({ type: "spki", format: "der" });

/** 127 random bits: positive, and never 0. */
const newSerialNumber = (): string => {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes.toString("hex");
};

const hashOfCurve: Readonly<Record<string, string>> = { "P-256": "SHA-256", "P-384": "SHA-384", "P-521": "SHA-512" };
const webNames: Readonly<Record<string, string>> = { prime256v1: "P-256", secp384r1: "P-384", secp521r1: "P-521" };

const signerOf = async ({
  privateKey,
}: KeyPair): Promise<Pick<CertificateAuthority, "signingKey" | "signingAlgorithm">> => {
  const namedCurve = webNames[privateKey.asymmetricKeyDetails?.namedCurve ?? ""];
  const algorithm =
    namedCurve === undefined
      ? { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }
      : { name: "ECDSA", namedCurve, hash: hashOfCurve[namedCurve] ?? "SHA-256" };
  const pkcs8 = privateKey.export({ type: "pkcs8", format: "der" });
  const signingKey = await crypto.subtle.importKey("pkcs8", pkcs8, algorithm, false, ["sign"]);
  return { signingKey, signingAlgorithm: algorithm };
};
