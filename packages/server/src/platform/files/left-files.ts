import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { hasEnded, keepTouched, OWNER, ownOwner } from "./file-owner.js";

const PART = new RegExp(String.raw`\.(${OWNER})\.[0-9a-f-]{36}\.part$`);

/** A name beside `path` for a file until it is whole, which tells the process that writes it; call `done` at the end. */
export const partOf = async (path: string): Promise<{ readonly part: string; readonly done: () => void }> => {
  const part = `${path}.${await ownOwner()}.${crypto.randomUUID()}.part`;
  return { part, done: keepTouched(part) };
};

/** Removes the parts that killed processes of this user left in a folder; returns the names of those that stay. */
export const removeLeftParts = async (folder: string): Promise<readonly string[]> => {
  const kept: string[] = [];
  for (const name of await readdir(folder)) {
    const [, owner] = PART.exec(name) ?? [];
    const path = join(folder, name);
    const found = owner === undefined ? null : await lstat(path).catch(() => null);
    if (owner === undefined || found === null) continue;
    const isOurs = found.isFile() && found.uid === (process.geteuid?.() ?? found.uid);
    if (isOurs && (await hasEnded(owner, found.mtimeMs))) await rm(path, { force: true });
    else kept.push(name);
  }
  return kept;
};
