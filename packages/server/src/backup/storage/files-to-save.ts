import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { BackupFault } from "../../platform/backup-fault.js";
import { ARCHIVE } from "../domain/content.js";

/** A file that goes into a backup. */
export interface SavedFile {
  /** Relative to the data directory, with `/`. */
  readonly file: string;
  readonly bytes: number;
  readonly content: () => AsyncIterable<Buffer>;
}

/** Where the service keeps what is not in its database. */
export interface SavedFolder {
  readonly dataDir: string;
  /** Of telemetry that is not kept in the database any more. */
  readonly archive: string;
  /** The keys of the setting; null: they are in `secrets.key`. */
  readonly secretsKeys: readonly Buffer[] | null;
}

interface Wanted {
  /** Relative to the archive. */
  readonly archives: readonly string[];
  /** Whether keys go into it. */
  readonly keys: boolean;
  /** Whether the database has secrets that only the secrets key opens. */
  readonly hasSecrets: boolean;
}

/** The key and certificate of the authority, and what the listener shows. */
const AUTHORITY = ["ca.key", "ca.crt", "server.pem"];

/**
 * The files that belong to a backup, and those that were expected and are not there. Throws a `BackupFault` if the secrets
 * key is one of these: a service could not start from such a backup.
 */
export const filesToSave = async (
  folder: SavedFolder,
  { archives, keys, hasSecrets }: Wanted,
): Promise<{ readonly files: readonly SavedFile[]; readonly missing: readonly string[] }> => {
  const { dataDir, archive, secretsKeys } = folder;
  const inData = (name: string) => ({ file: name, path: join(dataDir, ...name.split("/")) });
  const wanted = [
    ...(keys && secretsKeys === null ? [inData("secrets.key")] : []),
    ...(keys ? AUTHORITY.map((name) => inData(`openadr/${name}`)) : []),
    ...archives.map((name) => ({ file: `${ARCHIVE}/${name}`, path: join(archive, ...name.split("/")) })),
  ];
  const found = await Promise.all(wanted.map(async (each) => ({ ...each, bytes: await sizeOf(each.path) })));
  const missing = found.flatMap(({ file, bytes }) => (bytes === null ? [file] : []));
  if (hasSecrets && missing.includes("secrets.key")) throw withoutKey(dataDir);
  return {
    files: [
      ...(keys && secretsKeys !== null ? [keyFileOf(secretsKeys)] : []),
      ...found.flatMap(({ file, path, bytes }) =>
        bytes === null ? [] : [{ file, bytes, content: () => createReadStream(path) }],
      ),
    ],
    missing,
  };
};

const withoutKey = (dataDir: string): BackupFault =>
  new BackupFault(
    "no_keys",
    `There is no secrets.key in ${dataDir}, and the secrets in the database are encrypted with it: no service would start ` +
      "from this backup. Set CURTAIL_DATA_DIR to the data directory of the service, or CURTAIL_SECRETS_KEY to the content of " +
      "its secrets.key; or leave keys out with --no-keys, and keep them elsewhere.",
  );

/** The setting as the file that a service without the setting reads. */
const keyFileOf = (keys: readonly Buffer[]): SavedFile => {
  const text = Buffer.from(keys.map((key) => `${key.toString("base64")}\n`).join(""));
  return {
    file: "secrets.key",
    bytes: text.length,
    async *content() {
      yield text;
    },
  };
};

const sizeOf = async (path: string): Promise<number | null> => {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
};
