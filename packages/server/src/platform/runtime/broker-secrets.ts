import { createHash, createHmac } from "node:crypto";

const FINGERPRINT_CHARACTERS = 16;

/** A short text that differs if the given one does, and does not reveal it. */
export const fingerprintOf = (text: string): string =>
  createHash("sha256").update(text).digest("hex").slice(0, FINGERPRINT_CHARACTERS);

/** Passwords for a broker that stores them: every process knows them, and one ends when its client's tokens end. */
export const brokerPasswords =
  (key: Buffer) =>
  ({ id, tokensFrom }: { readonly id: string; readonly tokensFrom: Date }): string =>
    createHmac("sha256", key).update(`${id} ${tokensFrom.toISOString()}`).digest("base64url");
