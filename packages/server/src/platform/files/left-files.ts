import { createHash } from "node:crypto";
import { lstat, readdir, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";

/** Whether a process of this machine runs. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is another user's.
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
};

const PART = /\.([0-9a-f]{8})\.(\d{1,10})\.[0-9a-f-]{36}\.part$/;
/** A file that is being written changes all the time. */
const FORGOTTEN_MS = 86_400_000;

/** What this process writes now; in a container, the process before had the same number. */
const writing = new Set<string>();

const host = (): string => createHash("sha256").update(hostname()).digest("hex").slice(0, 8);

/** A name beside `path` for a file until it is whole, which tells the process that writes it; call `done` at the end. */
export const partOf = (path: string): { readonly part: string; readonly done: () => void } => {
  const part = `${path}.${host()}.${process.pid}.${crypto.randomUUID()}.part`;
  writing.add(part);
  return { part, done: () => void writing.delete(part) };
};

/** Removes the parts that killed processes of this user left in a folder. */
export const removeLeftParts = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder)) {
    const [, madeOn, pid] = PART.exec(name) ?? [];
    const path = join(folder, name);
    if (pid === undefined || writing.has(path)) continue;
    const found = await lstat(path).catch(() => null);
    if (found === null || !found.isFile() || found.uid !== (process.geteuid?.() ?? found.uid)) continue;
    const isDead = madeOn === host() && (Number(pid) === process.pid || !isAlive(Number(pid)));
    if (isDead || Date.now() - found.mtimeMs > FORGOTTEN_MS) await rm(path, { force: true });
  }
};
