import { readdir, readFile, stat } from "node:fs/promises";
import { runCommand } from "./command.js";
import { unlessCode } from "./error-code.js";

/** The pids of all PostgreSQL processes on this directory, by any starter; recycled pids are excluded. */
export function postgresProcessesIn(clusterDir: string): Promise<number[]> {
  return process.platform === "linux" ? fromProc(clusterDir) : fromPs(clusterDir);
}

/** Every PostgreSQL process has the data directory as its working directory, possibly under another path (reach.ts). */
async function fromProc(clusterDir: string): Promise<number[]> {
  const wanted = await stat(clusterDir, { bigint: true });
  const pids: number[] = [];
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const command = await unlessReadable(readFile(`/proc/${name}/comm`, "utf8"));
    if (command?.trim() !== "postgres") continue;
    const found = await unlessReadable(stat(`/proc/${name}/cwd`, { bigint: true }));
    if (found?.ino === wanted.ino && found.dev === wanted.dev) pids.push(Number(name));
  }
  return pids;
}

/** A process may exit while we look, and another user's is not readable: neither can be our server. */
const unlessReadable = <T>(promise: Promise<T>): Promise<T | null> =>
  unlessCode(promise, ["ENOENT", "ESRCH", "EACCES", "EPERM"], null);

/** Without /proc only the postmaster is found: the others do not show the directory. */
async function fromPs(clusterDir: string): Promise<number[]> {
  const listed = await runCommand({ file: "/bin/ps", args: ["-axo", "pid=,command="], identity: null });
  return listed.output
    .split("\n")
    .filter((line) => line.includes("postgres -D ") && line.includes(clusterDir))
    .map((line) => Number.parseInt(line, 10));
}
