import { createHash } from "node:crypto";

/** Characters of a digest that are kept: 132 bits. */
const DIGEST_CHARACTERS = 22;

/** Tag of a body (RFC 9110, 8.8.3). Weak: the body may be sent compressed. */
export const entityTag = (body: string | Buffer): string =>
  `W/"${createHash("sha256").update(body).digest("base64url").slice(0, DIGEST_CHARACTERS)}"`;

/** Whether a client that sent this If-None-Match has the body already (RFC 9110, 13.1.2). */
export const isKnown = (tag: string, ifNoneMatch: string | undefined): boolean => {
  if (ifNoneMatch === undefined) return false;
  const known = ifNoneMatch.split(",").map((each) => opaque(each.trim()));
  return known.includes("*") || known.includes(opaque(tag));
};

/** Weak and strong tags compare alike. */
const opaque = (tag: string): string => tag.replace(/^W\//, "");

/** Headers with a tag: a client asks again each time, and only its own credentials may reuse the answer (G74). */
export const revalidated = (credentialHeader: string): Readonly<Record<string, string>> => ({
  "cache-control": "private, no-cache",
  vary: credentialHeader.toLowerCase(),
});
