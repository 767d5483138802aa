import { access, chmod, constants, mkdir, realpath, stat } from "node:fs/promises";
import type { EmbeddedLog } from "./embedded-log.js";
import { errorCode, unlessCode } from "./error-code.js";

/**
 * On Linux the server's user needs no access to the path (reach.ts); elsewhere it does if root runs it as another user.
 */
const CLOSED_MODE = process.platform !== "linux" && process.geteuid?.() === 0 ? 0o711 : 0o700;
const STICKY = 0o1000;

/** Creates the directory if necessary, closes it to others, and returns its real path. */
export async function prepareDataDirectory(dataDir: string): Promise<string> {
  try {
    await mkdir(dataDir, { recursive: true, mode: CLOSED_MODE });
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return await realpath(dataDir);
  } catch (error) {
    throw new Error(`The data directory ${dataDir} cannot be used: ${reason(error)}`, { cause: error });
  }
}

/** Closes a directory that an earlier version or an operator left open: it has the database and private keys. */
export async function closeToOthers(dataDir: string, log: EmbeddedLog): Promise<void> {
  const found = await unlessCode(stat(dataDir), ["ENOENT", "ENOTDIR", "EACCES"], null);
  if (found === null || !found.isDirectory() || (found.mode & 0o777 & ~CLOSED_MODE) === 0) return;
  const mode = (found.mode & 0o7777).toString(8).padStart(4, "0");
  // /tmp must not be closed by mistake.
  if (found.uid !== process.geteuid?.() || (found.mode & STICKY) !== 0) {
    log.warn(
      { dataDir, mode, owner: found.uid },
      "other users have access to the data directory; give Curtail its own directory",
    );
    return;
  }
  await chmod(dataDir, CLOSED_MODE);
  log.info({ dataDir, mode }, "the data directory was open to other users; access has been restricted");
}

function reason(error: unknown): string {
  switch (errorCode(error)) {
    case "EEXIST":
    case "ENOTDIR":
      return "it, or one of its parents, is a file. Use a directory.";
    case "EACCES":
    case "EPERM":
      return "this user may not write there. Change its owner or mode, or use another directory.";
    case "EROFS":
      return "the file system is read-only. Use a directory elsewhere.";
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
