import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from "node:crypto";

const KEY_BYTES = 32;
const CHECK_CHARACTERS = 8;
const CIPHER = "aes-256-gcm";
const TAG_BYTES = 16;
/** Its key seals one text only. */
const NONCE = Buffer.alloc(12);

/** The public half of a backup key, to which backups are sealed: `cbr_…`. */
export interface BackupRecipient {
  readonly text: string;
  readonly bytes: Buffer;
}

/** A file's key, sealed to one recipient; base64. */
export interface SealedFileKey {
  /** Public key of the pair that was made for this file. */
  readonly ephemeral: string;
  readonly sealed: string;
}

const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, CHECK_CHARACTERS);

const written = (prefix: "cbr" | "cbi", bytes: Buffer): string => {
  const body = `${prefix}_${bytes.toString("base64url")}`;
  return `${body}_${digestOf(body)}`;
};

/** null if it is mistyped. */
const parsed = (prefix: "cbr" | "cbi", text: string): Buffer | null => {
  const [, body, check] = new RegExp(`^(${prefix}_[\\w-]{43})_([0-9a-f]{8})$`).exec(text.trim()) ?? [];
  if (body === undefined || digestOf(body) !== check) return null;
  return Buffer.from(body.slice(prefix.length + 1), "base64url");
};

const publicKeyOf = (bytes: Buffer): KeyObject =>
  createPublicKey({ key: { kty: "OKP", crv: "X25519", x: bytes.toString("base64url") }, format: "jwk" });

const bytesOf = (publicKey: KeyObject): Buffer => Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url");

/** Parses a recipient; null if it is mistyped. */
export const parseRecipient = (text: string): BackupRecipient | null => {
  const bytes = parsed("cbr", text);
  return bytes === null ? null : { text: text.trim(), bytes };
};

/** Makes a key pair (X25519). `identity` opens what is sealed to `recipient`. */
export const newBackupKey = (): { readonly identity: string; readonly recipient: string } => {
  const { publicKey, privateKey } = generateKeyPairSync("x25519");
  const secret = Buffer.from(privateKey.export({ format: "jwk" }).d ?? "", "base64url");
  return { identity: written("cbi", secret), recipient: written("cbr", bytesOf(publicKey)) };
};

/** PKCS #8 of an X25519 key, up to the key itself (RFC 8410, 7). */
const PKCS8 = Buffer.from("302e020100300506032b656e04220420", "hex");

/** Parses the content of a key file, whose other lines begin with `#`; null if it has no key. */
export const parseIdentity = (text: string): KeyObject | null => {
  const line = text.split("\n").find((each) => each.trim() !== "" && !each.startsWith("#"));
  const secret = parsed("cbi", line ?? "");
  return secret === null
    ? null
    : createPrivateKey({ key: Buffer.concat([PKCS8, secret]), format: "der", type: "pkcs8" });
};

const sealingKey = (shared: Buffer, ephemeral: Buffer, recipient: Buffer): Buffer =>
  Buffer.from(hkdfSync("sha256", shared, Buffer.concat([ephemeral, recipient]), "curtail backup file key", KEY_BYTES));

/** Seals a file's key so that only the owner of the recipient's identity can read it. */
export const sealFileKey = (fileKey: Buffer, recipient: BackupRecipient): SealedFileKey => {
  const pair = generateKeyPairSync("x25519");
  const ephemeral = bytesOf(pair.publicKey);
  const shared = diffieHellman({ privateKey: pair.privateKey, publicKey: publicKeyOf(recipient.bytes) });
  const cipher = createCipheriv(CIPHER, sealingKey(shared, ephemeral, recipient.bytes), NONCE, {
    authTagLength: TAG_BYTES,
  });
  const sealed = Buffer.concat([cipher.update(fileKey), cipher.final(), cipher.getAuthTag()]);
  return { ephemeral: ephemeral.toString("base64"), sealed: sealed.toString("base64") };
};

/** The file's key; null if it is sealed to somebody else. */
export const openFileKey = ({ ephemeral, sealed }: SealedFileKey, identity: KeyObject): Buffer | null => {
  const [theirs, bytes] = [Buffer.from(ephemeral, "base64"), Buffer.from(sealed, "base64")];
  if (theirs.length !== KEY_BYTES || bytes.length !== KEY_BYTES + TAG_BYTES) return null;
  try {
    const shared = diffieHellman({ privateKey: identity, publicKey: publicKeyOf(theirs) });
    const key = sealingKey(shared, theirs, bytesOf(createPublicKey(identity)));
    const decipher = createDecipheriv(CIPHER, key, NONCE, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(bytes.subarray(KEY_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(0, KEY_BYTES)), decipher.final()]);
  } catch {
    // The tag does not match: another identity.
    return null;
  }
};
