import { quote } from "../../platform/quote.js";

export type ReadFingerprint =
  /** SHA-256 in lower-case hex. */
  | { readonly ok: true; readonly fingerprint: string }
  /** The form of the text, and the forms that are expected. */
  | { readonly ok: false; readonly fault: string };

/** What precedes the digest in the output of OpenSSL, OpenSSH and Envoy. */
const LABEL = /^(?:.*?[;,]\s*)?(?:sha-?256(?:\s+fingerprint)?\s*[:=]|hash\s*=)\s*"?/i;
const EXPECTED = "send the SHA-256 of the VEN's certificate (DER) in hex or base64";
/** Digits in hex, by digest. */
const OTHER_DIGESTS: Readonly<Record<number, string>> = {
  32: "an MD5",
  40: "a SHA-1",
  96: "a SHA-384",
  128: "a SHA-512",
};

/**
 * Reads a SHA-256 fingerprint as proxies write it: hex in upper or lower case, with or without colons, or base64, also
 * after `SHA256:`, `sha256 Fingerprint=` or, in a list of Envoy's form, `Hash=`.
 */
export const readFingerprint = (text: string): ReadFingerprint => {
  const digest = text
    .trim()
    .replace(LABEL, "")
    .replace(/"?\s*(?:[;,].*)?$/, "");
  const hex = digest.replaceAll(/[:\s]/g, "").toLowerCase();
  if (/^[0-9a-f]{64}$/.test(hex)) return { ok: true, fingerprint: hex };
  if (/^[\w+/-]{43}=?$/.test(digest)) return { ok: true, fingerprint: Buffer.from(digest, "base64").toString("hex") };
  return { ok: false, fault: `${formOf(hex, text)}; ${EXPECTED}` };
};

const formOf = (hex: string, text: string): string => {
  if (hex === "") return "it is empty";
  const other = /^[0-9a-f]+$/.test(hex) ? OTHER_DIGESTS[hex.length] : undefined;
  return other === undefined
    ? `${quote(text)} is no fingerprint`
    : `it is ${other} fingerprint, of ${hex.length} hex digits`;
};
