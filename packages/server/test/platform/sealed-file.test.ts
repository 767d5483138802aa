import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { BackupFault } from "../../src/platform/backup-fault.js";
import { type BackupRecipient, newBackupKey, parseIdentity, parseRecipient } from "../../src/platform/backup-keys.js";
import { ByteSource } from "../../src/platform/files/byte-source.js";
import { readSealedHeader, sealed, unsealed } from "../../src/platform/files/sealed-file.js";

const HEADER = { madeAt: "2026-11-27T02:30:00.000Z", version: "0.1.0", schema: 104 };

/** Pieces of any size, as streams cut them. */
async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

const wholeOf = async (pieces: AsyncIterable<Buffer>): Promise<Buffer> => {
  const all: Buffer[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
};

const pair = () => {
  const { identity, recipient } = newBackupKey();
  const [key, to] = [parseIdentity(`# a comment\n${identity}\n`), parseRecipient(recipient)];
  if (key === null || to === null) throw new Error("a key that was just made cannot be read");
  return { key, to };
};

const write = (content: Buffer, recipients: readonly BackupRecipient[]) =>
  wholeOf(sealed(HEADER, recipients, inPieces(content, 1000)));

const read = async (file: Buffer, key: ReturnType<typeof pair>["key"] | null): Promise<Buffer> => {
  const source = new ByteSource(inPieces(file, 7001));
  return wholeOf(unsealed(source, await readSealedHeader(source), key));
};

const faultOf = (file: Buffer, key: ReturnType<typeof pair>["key"] | null): Promise<string> =>
  read(file, key).then(
    () => "none",
    (error: unknown) => (error instanceof BackupFault ? error.kind : String(error)),
  );

/** Longer than a block, and than two. */
const content = fc.integer({ min: 0, max: 140_000 }).map((length) => Buffer.alloc(length, "row\t1\n"));

test("what is sealed to several recipients is read with the key of each, and without recipients with none", async () => {
  const [one, other] = [pair(), pair()];
  await fc.assert(
    fc.asyncProperty(content, async (plain) => {
      const file = await write(plain, [one.to, other.to]);
      expect((await read(file, one.key)).equals(plain)).toBe(true);
      expect((await read(file, other.key)).equals(plain)).toBe(true);
      expect((await read(await write(plain, []), null)).equals(plain)).toBe(true);
    }),
    { numRuns: propertyRuns(30, { atMost: 500 }) },
  );
});

test("another key, or none, is refused as a wrong key, and nothing of the content can be read without one", async () => {
  const [mine, other] = [pair(), pair()];
  const file = await write(Buffer.from("the load of a participant"), [mine.to]);
  expect(await faultOf(file, other.key)).toBe("wrong_key");
  expect(await faultOf(file, null)).toBe("wrong_key");
  expect(file.includes("load of a participant")).toBe(false);
});

test("a key is refused for a backup that is not encrypted, and more recipients than can be read are refused in writing", async () => {
  const { key, to } = pair();
  expect(await faultOf(await write(Buffer.from("open"), []), key)).toBe("wrong_key");
  const most = Array.from({ length: 16 }, () => to);
  expect(await faultOf(await write(Buffer.from("sealed"), most), key)).toBe("none");
  await expect(write(Buffer.from("sealed"), [...most, to])).rejects.toThrow("at most 16 recipients");
});

test("a file that is cut at any place is refused as cut short", async () => {
  const { key, to } = pair();
  await fc.assert(
    fc.asyncProperty(
      content,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.boolean(),
      async (plain, share, isOpen) => {
        const file = await write(plain, isOpen ? [] : [to]);
        const length = Math.min(file.length - 1, Math.floor(share * file.length));
        expect(await faultOf(file.subarray(0, length), isOpen ? null : key)).toBe("cut_short");
      },
    ),
    { numRuns: propertyRuns(40) },
  );
});

test("a byte that is changed at any place, or added at the end, is refused as changed", async () => {
  const { key, to } = pair();
  await fc.assert(
    fc.asyncProperty(
      content,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 1, max: 255 }),
      fc.boolean(),
      async (plain, share, change, isOpen) => {
        const file = await write(plain, isOpen ? [] : [to]);
        const at = Math.min(file.length - 1, Math.floor(share * file.length));
        file[at] = (file[at] ?? 0) ^ change;
        // The first bytes say what the file is.
        expect(await faultOf(file, isOpen ? null : key)).toBe(at < 15 ? "not_a_backup" : "changed");
      },
    ),
    { numRuns: propertyRuns(40) },
  );
  const file = await write(Buffer.from("whole"), [to]);
  expect(await faultOf(Buffer.concat([file, Buffer.from("x")]), key)).toBe("changed");
});

const mistyped = (text: string): string =>
  text.replace(/_(.)/, (_all, letter: string) => `_${letter === "A" ? "B" : "A"}`);

test("a mistyped public key or key file is found", () => {
  const { identity, recipient } = newBackupKey();
  expect(parseRecipient(mistyped(recipient))).toBeNull();
  expect(parseIdentity(mistyped(identity))).toBeNull();
  expect(parseRecipient(identity)).toBeNull();
});
