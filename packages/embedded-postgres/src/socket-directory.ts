import { createHash } from "node:crypto";
import { chmod, chown, lstat, mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { unlessCode } from "./error-code.js";
import { type Identity, uidOf } from "./identity.js";
import { rootForSocket } from "./temporary-root.js";

export const socketPort = 5432;
const socketName = `.s.PGSQL.${socketPort}`;

/**
 * The directory of the server's socket, mode 0700: users who can enter it are trusted. Its name follows from the data
 * directory, so that a start after a crash reuses it.
 */
export async function prepareSocketDirectory(dataDir: string, identity: Identity): Promise<string> {
  const name = `curtail-${createHash("sha256").update(dataDir).digest("hex").slice(0, 16)}`;
  const root = await rootForSocket(`${name}/${socketName}.lock`, identity);
  const wanted = join(root, name);
  await unlessCode(mkdir(wanted, { mode: 0o700 }), ["EEXIST"], undefined);
  // Anyone may have created that name in a shared directory; never use theirs for our socket.
  const directory = (await belongsToUs(wanted, identity)) ? wanted : await mkdtemp(join(root, "curtail-"));
  await chmod(directory, 0o700);
  if (identity !== null) await chown(directory, identity.uid, identity.gid);
  return directory;
}

/** The socket lock file of a dead server may name a pid that exists again, and the server would refuse to start. */
export async function clearSocket(directory: string): Promise<void> {
  await rm(join(directory, socketName), { force: true });
  await rm(join(directory, `${socketName}.lock`), { force: true });
}

async function belongsToUs(directory: string, identity: Identity): Promise<boolean> {
  const found = await lstat(directory);
  return found.isDirectory() && (found.uid === uidOf(identity) || found.uid === uidOf(null));
}
