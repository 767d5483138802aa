import { rm } from "node:fs/promises";
import type { EmbeddedLog } from "./embedded-log.js";
import { errorCode } from "./error-code.js";
import { postmasterFilePath, readPostmasterFile } from "./postmaster-file.js";
import { postgresProcessesIn } from "./processes.js";
import { endServer } from "./shutdown.js";
import { waitUntil } from "./wait-until.js";

/**
 * Ends what a killed Curtail or a killed server left running on the directory. Only the holder of the owner lock may
 * call this: every server it did not start is an orphan.
 */
export async function endLeftovers(clusterDir: string, log: EmbeddedLog): Promise<void> {
  const pid = (await readPostmasterFile(clusterDir))?.pid;
  if (pid !== undefined && (await postgresProcessesIn(clusterDir)).includes(pid)) {
    log.warn({ pid }, "PostgreSQL was left running by an earlier process; stopping it");
    await endOrphan(pid, clusterDir, log);
  }
  await endBackends(clusterDir, log);
  await forgetRecycledPid(clusterDir);
}

function endOrphan(pid: number, clusterDir: string, log: EmbeddedLog): Promise<void> {
  const hasEnded = async (): Promise<boolean> => !(await postgresProcessesIn(clusterDir)).includes(pid);
  const endsWithin = (withinMs: number): Promise<boolean> => waitUntil(hasEnded, { withinMs });
  return endServer({ signal: (name) => void signalIfAlive(pid, name), endsWithin }, log);
}

/** Backends that outlive their postmaster in the middle of a query hold its shared memory, and no server can start. */
async function endBackends(clusterDir: string, log: EmbeddedLog): Promise<void> {
  for (const signal of ["SIGQUIT", "SIGKILL"] as const) {
    const left = await postgresProcessesIn(clusterDir);
    if (left.length === 0) return;
    log.warn({ pids: left, signal }, "stopping processes of a PostgreSQL server that died");
    for (const pid of left) signalIfAlive(pid, signal);
    await waitUntil(async () => (await postgresProcessesIn(clusterDir)).length === 0, { withinMs: 5_000 });
  }
}

/** After a reboot the pid in the file may be another process, and PostgreSQL would never start. */
async function forgetRecycledPid(clusterDir: string): Promise<void> {
  const stale = await readPostmasterFile(clusterDir);
  if (stale !== null && signalIfAlive(stale.pid, 0)) await rm(postmasterFilePath(clusterDir), { force: true });
}

function signalIfAlive(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) === "ESRCH") return false;
    if (errorCode(error) === "EPERM") return true;
    throw error;
  }
}
