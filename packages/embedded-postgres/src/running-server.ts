import { realpath, rm } from "node:fs/promises";
import { clusterDirOf, superuser } from "./cluster.js";
import type { Connection } from "./database.js";
import type { EmbeddedLog } from "./embedded-log.js";
import { unlessCode } from "./error-code.js";
import { endLeftovers } from "./orphan.js";
import { takeOwnership } from "./owner-lock.js";
import { readPostmasterFile } from "./postmaster-file.js";
import { postgresProcessesIn } from "./processes.js";

/**
 * Connects as the owner of all tables to the server that another process runs on the data directory; null if none does.
 * The socket belongs to the user that runs the service.
 */
export async function findRunningServer(dataDir: string): Promise<Connection | null> {
  const directory = await unlessCode(realpath(dataDir), ["ENOENT", "ENOTDIR"], null);
  if (directory === null) return null;
  const clusterDir = clusterDirOf(directory);
  const file = await readPostmasterFile(clusterDir);
  if (file === null || !file.isReady || file.socketDir === null) return null;
  if (!(await postgresProcessesIn(clusterDir)).includes(file.pid)) return null;
  return { host: file.socketDir, port: file.port, user: superuser, database: "curtail" };
}

/** Deletes a data directory that a killed process left, with the server that still runs on it; throws if it is in use. */
export async function removeLeftDirectory(dataDir: string, log: EmbeddedLog): Promise<void> {
  const directory = await unlessCode(realpath(dataDir), ["ENOENT"], null);
  if (directory === null) return;
  const lock = await takeOwnership(directory);
  try {
    const clusterDir = clusterDirOf(directory);
    if ((await unlessCode(realpath(clusterDir), ["ENOENT"], null)) !== null) await endLeftovers(clusterDir, log);
  } finally {
    await lock.release();
  }
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
}
