import { X509Certificate as NodeCertificate } from "node:crypto";
import { join } from "node:path";
import {
  authorityOf,
  type CertificateAuthority,
  makeAuthorityCertificate,
  makeAuthorityKey,
} from "./certificate-authority.js";
import { keysOf } from "./make-keys.js";
import { makeFolder, readText, writeOnce } from "./private-files.js";

/**
 * The authority in `folder`: what lies there, or one made now. Each file is put there whole and once, the key first, and
 * the certificate follows from the key: processes that start together, or one that died half way, come to the same.
 */
export const openAuthority = async (folder: string, now: Date): Promise<CertificateAuthority> => {
  const files = { key: join(folder, "ca.key"), certificate: join(folder, "ca.crt") };
  await makeFolder(folder);
  const given = { key: await readText(files.key), certificate: await readText(files.certificate) };
  if (given.key === null && given.certificate !== null) {
    throw new Error(`${files.certificate} has no key beside it. Put its key into ${files.key}, or restore the backup.`);
  }
  const key = given.key ?? (await writeOnce(files.key, await makeAuthorityKey()));
  const fault = faultOfKey(key);
  if (fault !== null) throw new Error(`${files.key} cannot be used: ${fault}.`);
  const certificate =
    given.certificate ?? (await writeOnce(files.certificate, await makeAuthorityCertificate(key, now)));
  const mistake = faultOfCertificate(certificate, key, now);
  if (mistake !== null) throw new Error(`${files.certificate} cannot be used: ${mistake}.`);
  return authorityOf(certificate, key);
};

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
  if (!certificate.ca) return "it is not the certificate of an authority, which may sign others (CA:TRUE, keyCertSign)";
  if (!certificate.checkPrivateKey(keysOf(keyPem).privateKey)) return "the key in ca.key is not its key";
  return Date.parse(certificate.validTo) > now.getTime()
    ? null
    : `it expired at ${certificate.validTo}; put a new certificate and its key there, and give every VEN a new one`;
};

const certificateOf = (pem: string): NodeCertificate | null => {
  try {
    return new NodeCertificate(pem);
  } catch {
    return null;
  }
};
