import { chmod, mkdtemp, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Binaries } from "./binaries.js";
import { runCommand } from "./command.js";
import type { EmbeddedLog } from "./embedded-log.js";
import { unlessCode } from "./error-code.js";
import { chooseMaker, giveTo, type Identity, uidOf } from "./identity.js";
import { chooseReach, reaching } from "./reach.js";

export interface ClusterOptions {
  readonly dataDir: string;
  readonly binaries: Binaries;
  readonly identity: Identity;
  readonly log: EmbeddedLog;
  /** Aborting it kills initdb. */
  readonly atOnce?: AbortSignal | undefined;
}

export const superuser = "curtail";
const unfinishedPrefix = "postgres.new-";

export const clusterDirOf = (dataDir: string): string => join(dataDir, "postgres");

/** Ensures a complete cluster of our major version, or throws with the reason. */
export async function ensureCluster(options: ClusterOptions): Promise<void> {
  await removeUnfinished(options.dataDir);
  const clusterDir = clusterDirOf(options.dataDir);
  if (await isEmpty(clusterDir)) await createCluster(options);
  else await checkVersion(clusterDir, options.binaries.major);
  await takePossession(clusterDir, options.identity);
}

/** A cluster gets its name only when complete, so anything under the temporary name was interrupted. */
async function removeUnfinished(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(unfinishedPrefix)) continue;
    // An initdb that outlived its parent may still be writing there.
    await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

async function isEmpty(clusterDir: string): Promise<boolean> {
  return (await unlessCode(readdir(clusterDir), ["ENOENT"], [])).length === 0;
}

async function checkVersion(clusterDir: string, major: number): Promise<void> {
  const found = await unlessCode(readFile(join(clusterDir, "PG_VERSION"), "utf8"), ["ENOENT", "ENOTDIR"], null);
  if (found === null) {
    throw new Error(
      `${clusterDir} is neither empty nor a PostgreSQL database. Move it away, or use another data directory.`,
    );
  }
  if (found.trim() === String(major)) return;
  throw new Error(
    `${clusterDir} was created by PostgreSQL ${found.trim()}, but this is ${major}. Set CURTAIL_POSTGRES_PROGRAMS to the programs ` +
      "of that version; or dump it with them (pg_dump), move it away, and restore the dump; or run your own server and set DATABASE_URL.",
  );
}

async function createCluster({ dataDir, binaries, identity, log, atOnce }: ClusterOptions): Promise<void> {
  const unfinished = await mkdtemp(join(dataDir, unfinishedPrefix));
  const maker = await chooseMaker(identity);
  await giveTo(maker, unfinished);
  const reach = await chooseReach(maker, unfinished);
  log.info({ directory: clusterDirOf(dataDir) }, "creating a new database");
  const made = await reaching(reach, unfinished, (directory, descriptors) =>
    runCommand({
      file: binaries.initdb,
      args: initdbArguments(directory, binaries.major),
      identity: maker,
      descriptors,
      atOnce,
    }),
  );
  if (!made.succeeded) {
    await rm(unfinished, { recursive: true, force: true, maxRetries: 5 });
    throw new Error(
      `initdb could not create a database in ${dataDir}: ${made.output}${adviceOn(made.output, identity)}`,
    );
  }
  // Before it gets its name: later starts run the server as its owner.
  if (uidOf(maker) !== uidOf(identity)) await giveAllTo(identity, unfinished);
  await rename(unfinished, clusterDirOf(dataDir));
  await syncDirectory(dataDir);
}

/** `docker run --user 12345` gives us a uid without a name, which initdb does not accept. */
const adviceOn = (output: string, identity: Identity): string =>
  output.includes("could not look up effective user ID")
    ? `. Add a line for uid ${uidOf(identity)} to /etc/passwd, or set DATABASE_URL to use your own server.`
    : "";

/** Case mapping for all of Unicode, the same on every machine; the order of libc and ICU changes with updates. */
const BUILT_IN_LOCALE = ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
/** Before 17 PostgreSQL has none: libc's C.UTF-8 maps cases, and orders by code points, too. */
const LIBC_LOCALE = ["--locale=C.UTF-8", "--locale-provider=libc"];
const FIRST_WITH_BUILT_IN = 17;

function initdbArguments(directory: string, major: number): string[] {
  return [
    `--pgdata=${directory}`,
    `--username=${superuser}`,
    "--encoding=UTF8",
    ...(major >= FIRST_WITH_BUILT_IN ? BUILT_IN_LOCALE : LIBC_LOCALE),
    "--data-checksums",
    // The rules of who may connect are written before the first start (access.ts).
    "--auth=peer",
    "--no-instructions",
  ];
}

/** A restored or copied directory may have another owner, or a mode that PostgreSQL refuses. */
async function takePossession(clusterDir: string, identity: Identity): Promise<void> {
  const found = await stat(clusterDir);
  if (found.uid !== uidOf(identity)) {
    if (identity === null) {
      throw new Error(`${clusterDir} belongs to uid ${found.uid}. Start as that user or as root, or change its owner.`);
    }
    await giveAllTo(identity, clusterDir);
  }
  if ((found.mode & 0o027) !== 0) await chmod(clusterDir, 0o700);
}

/** The directory last: after an interruption it still shows its old owner. */
async function giveAllTo(identity: Identity, directory: string): Promise<void> {
  for (const name of await readdir(directory, { recursive: true })) await giveTo(identity, join(directory, name));
  await giveTo(identity, directory);
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
