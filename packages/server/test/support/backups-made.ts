import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atEnd } from "@curtail/testing/at-end";
import { expect } from "vitest";
import type { Manifest, TablePart } from "../../src/backup/domain/content.js";
import { makeBackup } from "../../src/backup/storage/make-backup.js";
import { readContent } from "../../src/backup/storage/read-content.js";
import type { BackupRecipient } from "../../src/platform/backup-keys.js";
import { recordsOf } from "../../src/platform/files/backup-records.js";
import { ByteSource } from "../../src/platform/files/byte-source.js";
import { readSealedHeader, unsealed } from "../../src/platform/files/sealed-file.js";
import { unzipped } from "../../src/platform/files/zipped.js";
import { cloneDatabase, type TestDatabase } from "./database.js";

interface Read {
  readonly manifest: Manifest;
  readonly rowsOf: (table: string) => string;
}

export const temporaryFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "curtail-backup-"));
  atEnd(() => rm(folder, { recursive: true }));
  return folder;
};

interface Options {
  readonly asked?: AbortSignal;
  readonly recipients?: readonly BackupRecipient[];
  readonly secretsKeys?: readonly Buffer[] | null;
}

export const backupOf = async (
  { connection }: TestDatabase,
  { asked = new AbortController().signal, recipients = [], secretsKeys = null }: Options = {},
): Promise<string> => {
  const folder = await temporaryFolder();
  const path = join(folder, "test.backup");
  const order = { connection, recipients, path, version: "0.1.0", onProgress: () => {}, asked };
  await makeBackup({ ...order, folder: { dataDir: folder, archive: folder, secretsKeys } });
  return path;
};

export const read = async (path: string): Promise<Read> => {
  const file = await readFile(path);
  const source = new ByteSource(
    (async function* () {
      yield file;
    })(),
  );
  const opened = await readSealedHeader(source);
  const rows = new Map<string, string>();
  const manifest = await readContent(recordsOf(new ByteSource(unzipped(unsealed(source, opened, null)))), {
    open: async () => {},
    async table({ table }: TablePart, pieces) {
      let text = "";
      for await (const piece of pieces) text += piece.toString();
      rows.set(table, text);
    },
    async file(_part, pieces) {
      for await (const piece of pieces) expect(piece.length).toBeGreaterThan(0);
    },
  });
  return { manifest, rowsOf: (table) => rows.get(table) ?? "" };
};

export const database = async (): Promise<TestDatabase> => {
  const made = await cloneDatabase();
  atEnd(() => made.drop());
  return made;
};

export const ACCOUNT = "insert into accounts (id, name, disabled, created_at) values ($1, $2, false, now())";
