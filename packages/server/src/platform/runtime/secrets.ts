import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const SECRET_BYTES = 32;
const CHECKSUM_CHARACTERS = 8;

const prefixes = { production: "ctp", sandbox: "cts" } as const;

const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest();

const checksum = (text: string): string => sha256(text).toString("hex").slice(0, CHECKSUM_CHARACTERS);

/** 80 random bits as 16 characters; 256 is a multiple of 32, so every character is equally likely. */
const randomName = (): string => Array.from(randomBytes(16), (byte) => ALPHABET[byte % ALPHABET.length]).join("");

/** An opaque id: `dis_4f9k…`. */
export const newId = (prefix: string): string => `${prefix}_${randomName()}`;

export const newToken = (): string => randomBytes(SECRET_BYTES).toString("base64url");

export const hashToken = (token: string): Buffer => sha256(token);

/** 80 random bits in groups that can be copied from paper. */
const newRecoveryCode = (): string => randomName().replaceAll(/.{4}(?=.)/g, "$&-");

/** For links, sessions and devices. */
export const tokens = { newToken, hashToken, newRecoveryCode };

export const equalHashes = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);

/**
 * API keys: `ctp_<key id>_<256 random bits as hex><checksum>`. People and secret scanners recognise the prefix, the id
 * finds the key, and the checksum rejects typing errors without a query.
 */
export const keySecrets = {
  newClaimToken: newToken,
  hashClaimToken: hashToken,
  newApiKey(keyId: string, environment: keyof typeof prefixes): { apiKey: string; secretHash: Buffer } {
    const body = `${prefixes[environment]}_${keyId.replace(/^key_/, "")}_${randomBytes(SECRET_BYTES).toString("hex")}`;
    const apiKey = body + checksum(body);
    return { apiKey, secretHash: sha256(apiKey) };
  },
  keyIdOf(apiKey: string): string | null {
    const match = /^ct[ps]_([0-9a-z]{16})_[0-9a-f]{72}$/.exec(apiKey);
    if (match === null) return null;
    const body = apiKey.slice(0, -CHECKSUM_CHARACTERS);
    return checksum(body) === apiKey.slice(-CHECKSUM_CHARACTERS) ? `key_${match[1]}` : null;
  },
  matches: (apiKey: string, secretHash: Buffer): boolean => equalHashes(sha256(apiKey), secretHash),
};

/**
 * Secrets of OpenADR clients: `cta_<256 random bits as hex><checksum>`, so that secret scanners recognise them. Only
 * their hash is stored.
 */
export const clientSecrets = {
  newSecret(): { secret: string; secretHash: Buffer } {
    const body = `cta_${randomBytes(SECRET_BYTES).toString("hex")}`;
    const secret = body + checksum(body);
    return { secret, secretHash: sha256(secret) };
  },
  matches: (secret: string, secretHash: Buffer): boolean => equalHashes(sha256(secret), secretHash),
};

const FINGERPRINT_CHARACTERS = 16;

/** A short text that differs if the given one does, and does not reveal it. */
export const fingerprintOf = (text: string): string => sha256(text).toString("hex").slice(0, FINGERPRINT_CHARACTERS);

/** Passwords for a broker that stores them: every process knows them, and one ends when its client's tokens end. */
export const brokerPasswords =
  (key: Buffer) =>
  ({ id, tokensFrom }: { readonly id: string; readonly tokensFrom: Date }): string =>
    createHmac("sha256", key).update(`${id} ${tokensFrom.toISOString()}`).digest("base64url");
