import { lstat, readFile, symlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { unlessCode } from "./error-code.js";

interface Link {
  readonly source: string;
  readonly target: string;
}

/**
 * Creates the links among libraries that the package lists, because npm packages contain none and install scripts may
 * be disabled. false if the directory is not writable.
 */
export async function linkLibraries(packageRoot: string): Promise<boolean> {
  for (const { source, target } of await readLinks(packageRoot)) {
    const path = join(packageRoot, target);
    if ((await unlessCode(lstat(path), ["ENOENT"], null)) !== null) continue;
    const made = symlink(relative(dirname(target), source), path).then(() => true);
    // EEXIST: another start was faster.
    const there = await unlessCode(unlessCode(made, ["EEXIST"], true), ["EACCES", "EPERM", "EROFS"], false);
    if (!there) return false;
  }
  return true;
}

async function readLinks(packageRoot: string): Promise<readonly Link[]> {
  const path = join(packageRoot, "native", "pg-symlinks.json");
  const parsed: unknown = JSON.parse(await unlessCode(readFile(path, "utf8"), ["ENOENT"], "[]"));
  if (Array.isArray(parsed) && parsed.every(isLink)) return parsed;
  throw new Error(`${path} is not a list of links. Reinstall the dependencies (npm ci).`);
}

function isLink(entry: unknown): entry is Link {
  if (typeof entry !== "object" || entry === null || !("source" in entry) || !("target" in entry)) return false;
  return typeof entry.source === "string" && typeof entry.target === "string";
}
