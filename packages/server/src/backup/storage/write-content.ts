import { createHash } from "node:crypto";
import { CHECK_SETTING } from "../../platform/database/sealed-secrets.js";
import { findSetting } from "../../platform/database/setting-store.js";
import { dataRecord, jsonRecord } from "../../platform/files/backup-records.js";
import { type Manifest, nameOf, type Opening, type Part, type PartSum } from "../domain/content.js";
import { CopyOut } from "./copy.js";
import type { SavedFile } from "./files-to-save.js";
import type { OpenedState } from "./opened-state.js";
import { copyOutOf, newestEntries, savedSequences } from "./saved-tables.js";

/** What a backup has in addition to the database. */
interface Added {
  /** Written after the tables. */
  readonly files: readonly SavedFile[];
  /** Expected, and not there. */
  readonly missing: readonly string[];
  readonly hasKeys: boolean;
  /** Gets the share that is done, from 0 to 1. */
  readonly onProgress: (share: number) => void;
}

/** One state of a database, as its transaction sees it. */
export interface Contents {
  /** The moment of that state. */
  readonly at: Date;
  /** The schema that the snapshot has. */
  readonly migrations: Opening["migrations"];
  /** Files of telemetry that the snapshot lists, relative to their directory. */
  readonly archives: readonly string[];
  /** Whether it has secrets that only the secrets key opens. */
  readonly hasSecrets: boolean;
  /** What its tables take on the disk, without indexes. */
  readonly tableBytes: number;
  /** The records, with what was counted. */
  records(added: Added): AsyncGenerator<Buffer>;
}

/** Reads what a state has besides the rows of its tables. */
export const openContents = async (state: OpenedState): Promise<Contents> => {
  const { client, tables, migrations, at } = state;
  const { rows: sizes } = await client.query<{ bytes: number }>(
    "select pg_database_size(current_database())::float8 as bytes",
  );
  const { rows: archives } = await client.query<{ file: string }>("select file from telemetry_archives order by seq");
  const hasSecrets = (await findSetting(client, CHECK_SETTING)) !== null;
  await state.giveBack();
  return {
    at,
    migrations,
    archives: [...new Set(archives.map(({ file }) => file))],
    hasSecrets,
    tableBytes: sum(tables.map(({ estimatedBytes }) => estimatedBytes)),
    records(added) {
      const databaseBytes = sizes[0]?.bytes ?? null;
      const archiveBytes = sum(added.files.map(({ bytes }) => bytes));
      const opening = { migrations, hasKeys: added.hasKeys, databaseBytes, archiveBytes };
      return records(state, { ...added, opening });
    },
  };
};

interface Writing extends Added {
  readonly opening: Opening;
}

async function* records(state: OpenedState, writing: Writing): AsyncGenerator<Buffer> {
  const { client, tables } = state;
  const { files, missing, opening, onProgress } = writing;
  const parts: Array<Manifest["parts"][number]> = [];
  const all = [...tables.map(({ estimatedBytes }) => estimatedBytes), ...files.map(({ bytes }) => bytes)];
  const totalBytes = Math.max(1, sum(all));
  let doneBytes = 0;
  yield* jsonRecord("O", opening);
  for (const { table, columns, estimatedBytes, estimatedRows } of tables) {
    const rows = new CopyOut(copyOutOf({ table, columns }));
    const note = (): void => {
      const share = estimatedRows === 0 ? 0 : Math.min(1, rows.rows / estimatedRows);
      onProgress((doneBytes + share * estimatedBytes) / totalBytes);
    };
    yield* partOf({ part: { table, columns }, pieces: rows.of(client), rowsOf: () => rows.rows, note }, parts);
    await state.giveBack();
    doneBytes += estimatedBytes;
  }
  const newest = await newestEntries(client);
  const sequences = await savedSequences(client);
  // Archived files are written once, so they need no snapshot, which keeps dead rows for as long as it lasts.
  await state.end();
  for (const { file, bytes, content } of files) {
    const note = (): void => onProgress(doneBytes / totalBytes);
    yield* partOf({ part: { file }, pieces: content(), rowsOf: () => 0, note }, parts);
    doneBytes += bytes;
  }
  yield* jsonRecord("M", { parts, sequences, newest, missing } satisfies Manifest);
}

const sum = (all: readonly number[]): number => all.reduce((total, each) => total + each, 0);

interface WrittenPart {
  readonly part: Part;
  readonly pieces: AsyncIterable<Buffer>;
  readonly rowsOf: () => number;
  readonly note: () => void;
}

async function* partOf(
  { part, pieces, rowsOf, note }: WrittenPart,
  parts: Array<Manifest["parts"][number]>,
): AsyncGenerator<Buffer> {
  yield* jsonRecord("P", part);
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const piece of pieces) {
    hash.update(piece);
    bytes += piece.length;
    yield* cut(piece);
    note();
  }
  const counted: PartSum = { rows: rowsOf(), bytes, sha256: hash.digest("hex") };
  parts.push({ name: nameOf(part), ...counted });
  yield* jsonRecord("E", counted);
}

/** A row may be longer than a record. */
const MAX_RECORD_BYTES = 1_048_576;

function* cut(piece: Buffer): Generator<Buffer> {
  for (let from = 0; from < piece.length; from += MAX_RECORD_BYTES)
    yield* dataRecord(piece.subarray(from, from + MAX_RECORD_BYTES));
}
