import { damagedContent } from "../backup-fault.js";
import type { ByteSource } from "./byte-source.js";

/**
 * The content of a backup is a sequence of records: a letter, four bytes of length, and as many bytes. `O` opens it, each
 * part is a `P`, its data in any number of `D` and an `E`, and an `M` closes it. All but `D` are JSON.
 */
export type BackupRecord =
  | { readonly kind: "O" | "P" | "E" | "M"; readonly json: unknown }
  | { readonly kind: "D"; readonly bytes: Buffer };

const HEAD_BYTES = 5;
/** Longer ones are damaged, and nothing is allocated for them. */
const MAX_BYTES = { O: 1_048_576, P: 65_536, D: 1_048_576, E: 65_536, M: 16_777_216 } as const;

const isKind = (letter: string): letter is keyof typeof MAX_BYTES => Object.hasOwn(MAX_BYTES, letter);

const withHead = (kind: keyof typeof MAX_BYTES, bytes: Buffer): Buffer[] => {
  const head = Buffer.alloc(HEAD_BYTES, kind);
  head.writeUInt32BE(bytes.length, 1);
  return [head, bytes];
};

/** @param bytes at most 1 MiB */
export const dataRecord = (bytes: Buffer): Buffer[] => withHead("D", bytes);

export const jsonRecord = (kind: "O" | "P" | "E" | "M", json: unknown): Buffer[] =>
  withHead(kind, Buffer.from(JSON.stringify(json)));

/** The records, until the last one was read. Throws a `BackupFault`. */
export async function* recordsOf(source: ByteSource): AsyncGenerator<BackupRecord> {
  for (;;) {
    const head = await source.take(HEAD_BYTES);
    const kind = head.toString("latin1", 0, 1);
    if (head.length < HEAD_BYTES || !isKind(kind)) throw damagedContent("a record has no kind");
    const length = head.readUInt32BE(1);
    if (length > MAX_BYTES[kind]) throw damagedContent(`a record of kind ${kind} has ${length} bytes`);
    const bytes = await source.take(length);
    if (bytes.length < length) throw damagedContent("a record ends too early");
    yield kind === "D" ? { kind, bytes } : { kind, json: parsed(bytes) };
    if (kind !== "M") continue;
    // Reads the rest of the file, too: its last block is checked.
    if ((await source.take(1)).length > 0) throw damagedContent("records follow its manifest");
    return;
  }
}

const parsed = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString());
  } catch (error) {
    throw damagedContent("a record is no JSON", error);
  }
};
