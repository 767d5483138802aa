import { createPublicKey, type KeyObject } from "node:crypto";
import { invalid, type Refusal, type Result } from "../../platform/refusal.js";
import { Pkcs10CertificateRequest } from "./x509.js";

/** A request for a key of 16,384 bits has 6,000 characters. */
const MAX_CHARACTERS = 16_384;
const MIN_RSA_BITS = 2048;
/** Verifying a signature by a larger key takes long, and the requester chooses its size. */
const MAX_RSA_BITS = 8192;
const curves: readonly string[] = ["prime256v1", "secp384r1", "secp521r1"];
const hashes: readonly string[] = ["SHA-256", "SHA-384", "SHA-512"];

/**
 * The key of a request (PKCS#10, PEM), once the requester has proven possession. Nothing else in the request is used:
 * we decide on names, uses and CA:TRUE.
 */
export const keyOfRequest = async (csr: string): Promise<Result<KeyObject>> => {
  if (csr.length > MAX_CHARACTERS) {
    return invalid(`csr has ${csr.length} characters; the most allowed is ${MAX_CHARACTERS}`);
  }
  const der = derOf(csr);
  const request = der === null ? null : requestOf(der);
  if (request === null) return notARequest();
  const key = publicKeyOf(request);
  if (key === null) return refuseKind();
  return refuseKey(key) ?? refuseHash(request) ?? (await refuseProof(request)) ?? key;
};

const armour =
  /^\s*-----BEGIN (NEW )?CERTIFICATE REQUEST-----([A-Za-z0-9+/=\s]+)-----END \1?CERTIFICATE REQUEST-----\s*$/;

/** Tools write text before the request; several requests are refused. */
const derOf = (pem: string): Buffer | null => {
  const text = pem.slice(Math.max(0, pem.indexOf("-----BEGIN ")));
  const base64 = armour.exec(text)?.[2];
  return base64 === undefined ? null : Buffer.from(base64, "base64");
};

const requestOf = (der: Buffer): Pkcs10CertificateRequest | null => {
  try {
    return new Pkcs10CertificateRequest(der);
  } catch {
    return null;
  }
};

const publicKeyOf = (request: Pkcs10CertificateRequest): KeyObject | null => {
  try {
    return createPublicKey({ key: Buffer.from(request.publicKey.rawData), format: "der", type: "spki" });
  } catch {
    return null;
  }
};

const refuseKey = ({ asymmetricKeyType, asymmetricKeyDetails = {} }: KeyObject): Refusal | null => {
  if (asymmetricKeyType === "ec") return curves.includes(asymmetricKeyDetails.namedCurve ?? "") ? null : refuseKind();
  if (asymmetricKeyType !== "rsa") return refuseKind();
  const { modulusLength: bits = 0, publicExponent: exponent = 0n } = asymmetricKeyDetails;
  if (bits < MIN_RSA_BITS || bits > MAX_RSA_BITS) {
    return invalid(
      `csr has an RSA key of ${bits} bits; it must have from ${MIN_RSA_BITS} to ${MAX_RSA_BITS}. Create a new key.`,
    );
  }
  // With an exponent of 1, anybody could sign.
  return exponent < 3n
    ? invalid("csr has an RSA key with a weak exponent; create a new key with exponent 65537")
    : null;
};

const refuseHash = (request: Pkcs10CertificateRequest): Refusal | null => {
  const hash = hashOf(request);
  return hash !== null && hashes.includes(hash)
    ? null
    : invalid(
        `csr is signed with ${hash ?? "an unknown algorithm"}; sign it with SHA-256, SHA-384 or SHA-512 (openssl req -sha256)`,
      );
};

const hashOf = ({ signatureAlgorithm }: Pkcs10CertificateRequest): string | null => {
  const hash: unknown = signatureAlgorithm.hash;
  const name: unknown = typeof hash === "object" && hash !== null && "name" in hash ? hash.name : hash;
  return typeof name === "string" ? name.toUpperCase() : null;
};

const refuseProof = async (request: Pkcs10CertificateRequest): Promise<Refusal | null> =>
  (await isSignedByItsKey(request))
    ? null
    : invalid("csr is not signed by the key it contains; create the request again with the private key of the VEN");

const isSignedByItsKey = async (request: Pkcs10CertificateRequest): Promise<boolean> => {
  try {
    return await request.verify();
  } catch {
    // A signature that cannot be parsed proves nothing.
    return false;
  }
};

const notARequest = (): Refusal =>
  invalid("csr must be one certificate request (PKCS#10) in PEM, as written by openssl req -new");

const refuseKind = (): Refusal =>
  invalid(`csr must contain an RSA key of ${MIN_RSA_BITS} bits or more, or an EC key on P-256, P-384 or P-521`);
