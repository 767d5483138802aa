import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Another process uses the folder. */
export class SpoolInUse extends Error {
  /** @internal */
  constructor(
    folder: string,
    /** The other process. */
    readonly pid: number,
  ) {
    super(`${folder} is in use by process ${pid}; a spool belongs to one process at a time`);
    this.name = "SpoolInUse";
  }
}

/** Process, and when it started: process ids are used again. */
const NAME = /^lock\.(\d+)\.(\d+)\.[\w-]+$/;

/**
 * Locks a folder for this process. The lock of a process that has ended is removed.
 *
 * Each process creates a lock of its own, and only then looks for others. So of two that come at once at least one sees
 * the other, and no lock of a living process is ever removed: both may fail, but never both succeed.
 *
 * @internal
 * @returns releases the lock
 * @throws SpoolInUse
 */
export const lockFolder = async (folder: string): Promise<() => Promise<void>> => {
  const own = `lock.${process.pid}.${startOf(process.pid) ?? 0}.${randomUUID()}`;
  const release = () => rm(join(folder, own), { force: true });
  await writeFile(join(folder, own), "", { flag: "wx" });
  try {
    for (const { name, pid, isHeld } of await locksIn(folder)) {
      if (name === own) continue;
      if (isHeld) throw new SpoolInUse(folder, pid);
      await rm(join(folder, name), { force: true });
    }
  } catch (error) {
    await release();
    throw error;
  }
  return release;
};

/** The process that uses a folder; null if none does. */
export const holderOf = async (folder: string): Promise<number | null> =>
  (await locksIn(folder)).find(({ isHeld }) => isHeld)?.pid ?? null;

interface Lock {
  readonly name: string;
  readonly pid: number;
  readonly isHeld: boolean;
}

const locksIn = async (folder: string): Promise<readonly Lock[]> =>
  (await readdir(folder)).flatMap((name) => {
    const [, pid, start] = NAME.exec(name) ?? [];
    return pid === undefined ? [] : [{ name, pid: Number(pid), isHeld: isAlive(Number(pid), Number(start)) }];
  });

const isAlive = (pid: number, start: number): boolean => {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives, and belongs to another user.
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  const now = startOf(pid);
  return now === null || start === 0 || now === start;
};

/** Killed, and not yet waited for by its parent. */
const ENDED = new Set(["Z", "X"]);

/** Ticks from the start of the machine to that of a process, -1 if it has ended; null where the system does not say. */
const startOf = (pid: number): number | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name of the program may contain anything; it ends with the last parenthesis. Field 22, of which 20 follow.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return ENDED.has(fields[0] ?? "") ? -1 : Number(fields[19]);
  } catch {
    return null;
  }
};
