import { createCipheriv, createDecipheriv, createHash, type KeyObject, randomBytes } from "node:crypto";
import { BackupFault } from "../backup-fault.js";
import { type BackupRecipient, openFileKey, type SealedFileKey, sealFileKey } from "../backup-keys.js";
import type { ByteSource } from "./byte-source.js";

/** What can be read of a backup without its key. */
export interface SealedHeader {
  readonly format: number;
  /** When it was begun, ISO 8601. */
  readonly madeAt: string;
  /** Version of Curtail that made it. */
  readonly version: string;
  /** Number of the newest migration in it. */
  readonly schema: number;
}

type WrittenHeader = SealedHeader & ({ readonly sealedKeys: readonly SealedFileKey[] } | { readonly plainKey: string });

/** Increase it when older versions cannot read what is written any more. */
const FORMAT = 1;

const MAGIC = Buffer.from("curtail-backup\n");
const LENGTH_BYTES = 8;
const DIGEST_BYTES = 32;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const CHUNK_BYTES = 65_536;
const MAX_HEADER_BYTES = 16_384;
const MAX_RECIPIENTS = 16;
const LAST = 0x8000_0000;

/** A length with four bytes of its own digest: so a changed length differs from a file that ends too early. */
const writtenLength = (length: number, position: number): Buffer => {
  const bytes = Buffer.alloc(LENGTH_BYTES);
  bytes.writeUInt32BE(length, 0);
  digestOf("length", String(position), bytes.subarray(0, 4)).copy(bytes, 4, 0, 4);
  return bytes;
};

const readLength = (bytes: Buffer, position: number): number => {
  const length = bytes.readUInt32BE(0);
  if (!writtenLength(length, position).equals(bytes)) throw changed(position);
  return length;
};

const digestOf = (...parts: ReadonlyArray<string | Uint8Array>): Buffer => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};

const nonceOf = (position: number): Buffer => {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(position), 4);
  return nonce;
};

/** @param position number of the chunk; 0 is the header */
const changed = (position: number): BackupFault =>
  new BackupFault(
    "changed",
    `The backup was changed after it was written: ${position === 0 ? "its header is" : `block ${position} is`} not what ` +
      "was written. Use another copy of the file, or an earlier backup.",
  );

const cutShort = (): BackupFault =>
  new BackupFault(
    "cut_short",
    "The backup is cut short: the file ends before the backup does. Copy it again, or use an earlier backup.",
  );

const CIPHER = "aes-256-gcm";
const tags = { authTagLength: TAG_BYTES } as const;

/**
 * The bytes of a backup file: a header, and the content in blocks, each encrypted and authenticated (AES-256-GCM) with its
 * number and whether it is the last. Without recipients the key is in the header: damage is found, but nothing is secret.
 */
export async function* sealed(
  header: Omit<SealedHeader, "format">,
  recipients: readonly BackupRecipient[],
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  if (recipients.length > MAX_RECIPIENTS)
    throw new Error(`A backup has at most ${MAX_RECIPIENTS} recipients, not ${recipients.length}. Name fewer.`);
  const key = randomBytes(KEY_BYTES);
  const keys =
    recipients.length === 0
      ? { plainKey: key.toString("base64") }
      : { sealedKeys: recipients.map((recipient) => sealFileKey(key, recipient)) };
  const text = Buffer.from(JSON.stringify({ format: FORMAT, ...header, ...keys } satisfies WrittenHeader));
  const digest = digestOf(MAGIC, text);
  yield Buffer.concat([MAGIC, writtenLength(text.length, 0), text, digest]);
  let position = 1;
  let open: Buffer[] = [];
  let openBytes = 0;
  const chunk = (plain: Buffer, isLast: boolean): Buffer => {
    const length = writtenLength(plain.length + (isLast ? LAST : 0), position);
    const cipher = createCipheriv(CIPHER, key, nonceOf(position), tags).setAAD(Buffer.concat([digest, length]));
    position++;
    return Buffer.concat([length, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  };
  for await (const piece of content) {
    open.push(Buffer.from(piece));
    openBytes += piece.length;
    if (openBytes <= CHUNK_BYTES) continue;
    let rest = Buffer.concat(open);
    for (; rest.length > CHUNK_BYTES; rest = rest.subarray(CHUNK_BYTES))
      yield chunk(rest.subarray(0, CHUNK_BYTES), false);
    open = [rest];
    openBytes = rest.length;
  }
  yield chunk(Buffer.concat(open), true);
}

interface OpenedHeader {
  readonly header: WrittenHeader;
  readonly digest: Buffer;
}

/** Reads the header from the beginning of the file. Throws a `BackupFault`. */
export const readSealedHeader = async (source: ByteSource): Promise<OpenedHeader> => {
  const magic = await source.take(MAGIC.length);
  if (!magic.equals(MAGIC)) {
    if (magic.length < MAGIC.length && MAGIC.subarray(0, magic.length).equals(magic)) throw cutShort();
    throw new BackupFault(
      "not_a_backup",
      "The file is not a backup of Curtail, or its first bytes were changed. Name a file that `curtail backup` wrote.",
    );
  }
  const length = readLength(await whole(source, LENGTH_BYTES), 0);
  if (length > MAX_HEADER_BYTES) throw changed(0);
  const text = await whole(source, length);
  const digest = await whole(source, DIGEST_BYTES);
  if (!digestOf(MAGIC, text).equals(digest)) throw changed(0);
  return { header: headerOf(text), digest };
};

const whole = async (source: ByteSource, length: number): Promise<Buffer> => {
  const bytes = await source.take(length);
  if (bytes.length < length) throw cutShort();
  return bytes;
};

const headerOf = (text: Buffer): WrittenHeader => {
  const header = JSON.parse(text.toString()) as WrittenHeader;
  if (header.format > FORMAT)
    throw new BackupFault(
      "newer_format",
      `The backup was made by Curtail ${header.version} in a newer format (${header.format}) than this version reads ` +
        `(${FORMAT}). Install that version or a newer one.`,
    );
  return header;
};

const fileKeyOf = (header: WrittenHeader, identity: KeyObject | null): Buffer => {
  if ("plainKey" in header) {
    if (identity === null) return Buffer.from(header.plainKey, "base64");
    throw new BackupFault(
      "wrong_key",
      "The backup is not encrypted, so the key does not show who made it. If it is meant to be so (--no-keys), leave out --key.",
    );
  }
  if (identity === null)
    throw new BackupFault("wrong_key", "The backup is encrypted. Give the key file of its recipient with --key.");
  for (const each of header.sealedKeys.slice(0, MAX_RECIPIENTS)) {
    const key = openFileKey(each, identity);
    if (key !== null) return key;
  }
  throw new BackupFault(
    "wrong_key",
    "The key is not that of a recipient of this backup. Give the key file that belongs to the recipient it was made for.",
  );
};

/** The content of a backup whose header was read, checked block by block. Throws a `BackupFault`. */
export async function* unsealed(
  source: ByteSource,
  { header, digest }: OpenedHeader,
  identity: KeyObject | null,
): AsyncGenerator<Buffer> {
  const key = fileKeyOf(header, identity);
  for (let position = 1; ; position++) {
    const written = await whole(source, LENGTH_BYTES);
    const length = readLength(written, position);
    const [isLast, size] = [length >= LAST, length % LAST];
    if (size > CHUNK_BYTES) throw changed(position);
    const bytes = await whole(source, size + TAG_BYTES);
    const decipher = createDecipheriv(CIPHER, key, nonceOf(position), tags)
      .setAAD(Buffer.concat([digest, written]))
      .setAuthTag(bytes.subarray(size));
    const plain = decipher.update(bytes.subarray(0, size));
    try {
      decipher.final();
    } catch {
      throw changed(position);
    }
    yield plain;
    if (!isLast) continue;
    if ((await source.take(1)).length > 0)
      throw new BackupFault(
        "changed",
        "The backup was changed after it was written: bytes follow its end. Use another copy.",
      );
    return;
  }
}
