import { link, mkdir, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder } from "../sync-folder.js";

/** Writes a file for the service's user alone, and syncs it; it may not be there yet. */
export const writeNewFile = async (path: string, content: AsyncIterable<Uint8Array>): Promise<number> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, "wx", 0o600);
  let bytes = 0;
  try {
    for await (const piece of content) {
      await file.writeFile(piece);
      bytes += piece.length;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  await syncFolder(dirname(path));
  return bytes;
};

/**
 * Writes a file that gets its name when it is whole; one that has the name is never written over (EEXIST). Returns its
 * size.
 */
export const writeWholeFile = async (path: string, content: AsyncIterable<Uint8Array>): Promise<number> => {
  const part = `${path}.${crypto.randomUUID()}.part`;
  try {
    const bytes = await writeNewFile(part, content);
    await link(part, path);
    return bytes;
  } finally {
    await rm(part, { force: true });
    await syncFolder(dirname(path));
  }
};
