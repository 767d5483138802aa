import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_CHARACTERS = 8;

/** Identifies a key in stored texts without revealing it. */
export const keyIdOf = (key: Buffer): string =>
  createHash("sha256").update("curtail secrets key").update(key).digest("hex").slice(0, KEY_ID_CHARACTERS);

export const newKey = (): Buffer => randomBytes(KEY_BYTES);

/** AES-256-GCM; `place` is authenticated and has to match to decrypt. */
export const encrypt = (key: Buffer, plain: string, place: string): Buffer => {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(place));
  const text = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]);
};

/** Throws if key or place differ, or if a bit was changed. */
export const decrypt = (key: Buffer, sealed: Buffer, place: string): string => {
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(place))
    .setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
};

/** A key for one purpose, from which the first cannot be found (RFC 5869). */
export const derivedKey = (key: Buffer, purpose: string): { id: string; key: Buffer } => {
  const derived = Buffer.from(hkdfSync("sha256", key, "", `curtail ${purpose}`, KEY_BYTES));
  return { id: keyIdOf(derived), key: derived };
};

/** Parses keys of a setting or file: base64, separated by commas or newlines; null if one is not 32 bytes long. */
export const parseKeys = (text: string): readonly Buffer[] | null => {
  const parts = text.split(/[,\s]+/).filter((part) => part !== "");
  const keys = parts.map((part) => Buffer.from(part, "base64"));
  const isRight = keys.every((key, index) => key.length === KEY_BYTES && key.toString("base64") === parts[index]);
  return keys.length > 0 && isRight ? keys : null;
};

export const writtenKey = (key: Buffer): string => `${key.toString("base64")}\n`;
