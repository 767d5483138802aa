import { createHash } from "node:crypto";
import { damagedContent } from "../../platform/backup-fault.js";
import {
  type FilePart,
  type Manifest,
  nameOf,
  type Opening,
  type Part,
  type PartSum,
  parseManifest,
  parseOpening,
  parsePart,
  parseSum,
  type TablePart,
} from "../domain/content.js";

/** As `platform/files/backup-records.ts` reads them. */
type ContentRecord =
  | { readonly kind: "O" | "P" | "E" | "M"; readonly json: unknown }
  | { readonly kind: "D"; readonly bytes: Buffer };

/** What takes the parts of a backup, in the order in which they are in it. Each has to read the pieces to their end. */
export interface ContentReceiver {
  open(opening: Opening): Promise<void>;
  table(part: TablePart, rows: AsyncIterable<Buffer>): Promise<void>;
  file(part: FilePart, bytes: AsyncIterable<Buffer>): Promise<void>;
}

/** Reads a whole backup; what the file notes of each part is compared with what came. Throws a `BackupFault`. */
export const readContent = async (
  records: AsyncGenerator<ContentRecord>,
  receiver: ContentReceiver,
): Promise<Manifest> => {
  const opening = await next(records);
  if (opening.kind !== "O") throw damagedContent("it does not begin with its opening");
  await receiver.open(parseOpening(opening.json));
  const parts: Array<Manifest["parts"][number]> = [];
  for (;;) {
    const record = await next(records);
    if (record.kind === "M") return whole(parseManifest(record.json), parts);
    if (record.kind !== "P") throw damagedContent("a part does not begin with its name");
    const part = parsePart(record.json);
    const pieces = piecesOf(records, part, (sum) => void parts.push({ name: nameOf(part), ...sum }));
    await ("table" in part ? receiver.table(part, pieces) : receiver.file(part, pieces));
  }
};

const next = async (records: AsyncGenerator<ContentRecord>): Promise<ContentRecord> => {
  const { done, value } = await records.next();
  if (done === true) throw damagedContent("it ends without its manifest");
  return value;
};

const NEWLINE = 0x0a;

/** Text of `copy` ends each row with a newline, and has no other. */
const newlinesIn = (bytes: Buffer): number => {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
};

async function* piecesOf(
  records: AsyncGenerator<ContentRecord>,
  part: Part,
  done: (sum: PartSum) => void,
): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  let [bytes, rows] = [0, 0];
  for (;;) {
    const record = await next(records);
    if (record.kind === "D") {
      hash.update(record.bytes);
      bytes += record.bytes.length;
      if ("table" in part) rows += newlinesIn(record.bytes);
      yield record.bytes;
      continue;
    }
    if (record.kind !== "E") throw damagedContent(`${nameOf(part)} has no end`);
    const [noted, sum] = [parseSum(record.json), { rows, bytes, sha256: hash.digest("hex") }];
    if (!isSame(noted, sum)) throw damagedContent(`${nameOf(part)} is not what was written`);
    return done(sum);
  }
}

const isSame = (one: PartSum, other: PartSum): boolean =>
  one.rows === other.rows && one.bytes === other.bytes && one.sha256 === other.sha256;

const whole = (manifest: Manifest, parts: Manifest["parts"]): Manifest => {
  const isWhole =
    manifest.parts.length === parts.length &&
    parts.every((part, index) => {
      const noted = manifest.parts[index];
      return noted !== undefined && noted.name === part.name && isSame(noted, part);
    });
  if (!isWhole) throw damagedContent("its manifest lists other parts");
  return manifest;
};
