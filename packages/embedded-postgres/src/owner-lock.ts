import { mkdir, mkdtemp, rename, rm, rmdir, stat, symlink, unlink } from "node:fs/promises";
import { createConnection, createServer, type Server } from "node:net";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { errorCode, unlessCode } from "./error-code.js";
import { rootForSocket } from "./temporary-root.js";

export interface OwnerLock {
  release(): Promise<void>;
}

const lockName = "owner.sock";
const turnName = "owner.turn";
/** Taking the lock takes at most a tenth of that; a process that takes longer was killed. */
const FORGOTTEN_MS = 5000;

/**
 * One Curtail process per data directory. The lock is a listening socket in that directory: the kernel releases it with
 * the process, however that ends, and it is visible from another container or another private /tmp.
 */
export async function takeOwnership(dataDir: string): Promise<OwnerLock> {
  const server = await withAlias(dataDir, (alias) => inTurn(alias, () => listenAsOwner(alias)));
  if (server === null) {
    throw new Error(
      `Another Curtail process is using the data directory ${dataDir}. ` +
        "Stop it first, or give this one its own directory (CURTAIL_DATA_DIR).",
    );
  }
  return { release: await releaseOf(server, join(dataDir, lockName)) };
}

/** null if somebody owns the directory. */
async function listenAsOwner(alias: string): Promise<Server | null> {
  // A second round follows if a dead owner's socket was removed, a third if another start was faster.
  for (let round = 1; round <= 3; round++) {
    const listening = await listen(join(alias, lockName));
    if (listening !== null) return listening;
    if (!(await clearDeadOwner(alias))) return null;
  }
  return null;
}

/** One start at a time: while one moves a socket aside to check it, another would find the path free. */
async function inTurn<T>(alias: string, take: () => Promise<T>): Promise<T> {
  const turn = join(alias, turnName);
  while (!(await isMade(turn))) {
    const made = await unlessCode(stat(turn), ["ENOENT"], null);
    const isForgotten = made !== null && Math.abs(Date.now() - made.mtimeMs) > FORGOTTEN_MS;
    if (isForgotten) await unlessCode(rmdir(turn), ["ENOENT"], undefined);
    else await sleep(20);
  }
  try {
    return await take();
  } finally {
    await unlessCode(rmdir(turn), ["ENOENT"], undefined);
  }
}

const isMade = (folder: string): Promise<boolean> =>
  unlessCode(
    mkdir(folder).then(() => true),
    ["EEXIST"],
    false,
  );

/** A socket's path is limited to about a hundred bytes, a data directory's is not: use a short link. */
async function withAlias<T>(dataDir: string, use: (alias: string) => Promise<T>): Promise<T> {
  const root = await rootForSocket(`curtail-own-XXXXXX/d/${lockName}.XXXXXX`, null);
  const holder = await mkdtemp(join(root, "curtail-own-"));
  try {
    const alias = join(holder, "d");
    await symlink(dataDir, alias);
    return await use(alias);
  } finally {
    await rm(holder, { recursive: true, force: true });
  }
}

function listen(path: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((caller) => caller.destroy());
    server.unref();
    server.once("error", (error) => (errorCode(error) === "EADDRINUSE" ? resolve(null) : reject(error)));
    server.listen(path, () => resolve(server));
  });
}

/** true if the path is free now, false if the owner is alive. */
async function clearDeadOwner(alias: string): Promise<boolean> {
  const path = join(alias, lockName);
  if (await answers(path)) return false;
  // A starting process is silent for a moment between bind and listen.
  await sleep(100);
  if (await answers(path)) return false;
  const aside = `${path}.${basename(join(alias, "..")).slice(-6)}`;
  const moved = await unlessCode(
    rename(path, aside).then(() => true),
    ["ENOENT"],
    false,
  );
  if (!moved) return true;
  // Another process may have taken over since we looked; then the socket we moved is alive, and goes back.
  if (await answers(aside)) {
    await rename(aside, path);
    return false;
  }
  await unlink(aside);
  return true;
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const caller = createConnection(path, () => {
      caller.destroy();
      resolve(true);
    });
    // Anything but these two (a full queue, no permission) means that somebody may be there.
    caller.once("error", (error) => resolve(!["ECONNREFUSED", "ENOENT"].includes(errorCode(error) ?? "")));
  });
}

async function releaseOf(server: Server, path: string): Promise<() => Promise<void>> {
  const ours = (await stat(path)).ino;
  return async () => {
    const there = await unlessCode(stat(path), ["ENOENT"], null);
    // Unlink before closing: after that, the path may belong to a successor.
    if (there?.ino === ours) await unlink(path);
    await new Promise<void>((resolve) => void server.close(() => resolve()));
  };
}
