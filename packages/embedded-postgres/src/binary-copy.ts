import { chmod, cp, lstat, lutimes, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { errorCode, unlessCode } from "./error-code.js";
import { uidOf } from "./identity.js";
import { linkLibraries } from "./library-links.js";

/**
 * A copy of the package's binaries below `root` that every user can read, for installations that the server's user
 * cannot. All starts share one copy per package version and owner.
 */
export async function copyBinaries(packageRoot: string, root: string): Promise<string> {
  const name = `curtail-postgresql-${await packageVersion(packageRoot)}-${process.arch}-${uidOf(null)}`;
  const shared = join(root, name);
  const spoilt = await inodeOf(shared);
  if (spoilt !== null && (await isSound(shared, packageRoot))) return shared;
  const fresh = await mkdtemp(join(root, `${name}-`));
  try {
    await copyReadable(packageRoot, fresh);
    if (spoilt !== null) await moveAway(shared, spoilt, `${fresh}.spoilt`);
    return await publish(fresh, shared, packageRoot);
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    throw new Error(`The PostgreSQL binaries could not be copied to ${root}. Free some space there, or set TMPDIR.`, {
      cause: error,
    });
  }
}

/** Removes only the copy found damaged: another start may have replaced it with a good one, and be using it. */
async function moveAway(shared: string, spoilt: number, aside: string): Promise<void> {
  if (!(await isOurs(shared)) || (await inodeOf(shared)) !== spoilt) return;
  await unlessCode(rename(shared, aside), ["ENOENT"], undefined);
  await rm(aside, { recursive: true, force: true });
}

async function inodeOf(directory: string): Promise<number | null> {
  return (await unlessCode(lstat(directory), ["ENOENT"], null))?.ino ?? null;
}

/** The first process to finish names the copy. */
async function publish(fresh: string, shared: string, packageRoot: string): Promise<string> {
  try {
    await rename(fresh, shared);
    return shared;
  } catch (error) {
    // Another start was faster, or the name belongs to someone else: use theirs if it is intact, else our own.
    if (!["ENOTEMPTY", "EEXIST", "ENOTDIR", "EPERM", "EACCES"].includes(errorCode(error) ?? "")) throw error;
    if (!(await isSound(shared, packageRoot))) return fresh;
    await rm(fresh, { recursive: true, force: true });
    return shared;
  }
}

/** Cleaners of /tmp remove files untouched for days, while a server may still need its time zones. */
export async function refreshCopy(copy: string): Promise<void> {
  const now = new Date();
  for (const name of await readdir(copy, { recursive: true })) await lutimes(join(copy, name), now, now);
}

async function packageVersion(packageRoot: string): Promise<string> {
  const parsed: unknown = JSON.parse(await readFile(join(packageRoot, "package.json"), "utf8"));
  const described = typeof parsed === "object" && parsed !== null && "version" in parsed ? String(parsed.version) : "";
  return /^[\w.-]+$/.test(described) ? described : "unversioned";
}

async function copyReadable(packageRoot: string, into: string): Promise<void> {
  await cp(packageRoot, into, { recursive: true, verbatimSymlinks: true });
  await linkLibraries(into);
  // An installation made under umask 077 has modes that would lock the server's user out of the copy as well.
  await chmod(into, 0o755);
  for (const entry of await readdir(into, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    const runnable = entry.isDirectory() || ((await lstat(path)).mode & 0o100) !== 0;
    await chmod(path, runnable ? 0o755 : 0o644);
  }
}

async function isOurs(directory: string): Promise<boolean> {
  const found = await unlessCode(lstat(directory), ["ENOENT"], null);
  return found?.isDirectory() === true && found.uid === uidOf(null);
}

/** Ours, not writable by others, and complete: see refreshCopy. */
async function isSound(copy: string, packageRoot: string): Promise<boolean> {
  if (!(await isOurs(copy)) || ((await lstat(copy)).mode & 0o022) !== 0) return false;
  for (const entry of await readdir(packageRoot, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    const original = join(entry.parentPath, entry.name);
    const copied = await unlessCode(lstat(join(copy, relative(packageRoot, original))), ["ENOENT", "ENOTDIR"], null);
    if (copied === null || copied.size !== (await lstat(original)).size) return false;
  }
  return true;
}
