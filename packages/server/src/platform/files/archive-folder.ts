import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { link, mkdir, open, rm, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { syncFolder } from "../sync-folder.js";

/** A file that was written whole and is on disk, but has no name yet. */
export interface UnnamedFile {
  readonly bytes: number;
  readonly sha256: string;
  /** Gives it its name, or another one if a different file has it; returns the name. */
  keep(): Promise<string>;
  discard(): Promise<void>;
}

export interface ArchiveFolder {
  /** Writes `<month>/<site>.parquet`, below the folder. */
  write(month: string, site: string, content: AsyncIterable<Uint8Array>): Promise<UnnamedFile>;
}

export interface ArchivedFiles {
  /** Removes a file by its name, if it is there. */
  remove(name: string): Promise<void>;
}

/** Files that appear whole and never change: a file is never written over. */
export const archiveFolder = (folder: string): ArchiveFolder & ArchivedFiles => ({
  async write(month, site, content) {
    await mkdir(join(folder, month), { recursive: true, mode: 0o700 });
    // Only one process writes files of a site at a time; what a killed one left is written again.
    const path = join(folder, month, `.${site}.part`);
    const { bytes, sha256 } = await writeWhole(path, content);
    return {
      bytes,
      sha256,
      async keep() {
        const name = await linkAs(path, { folder, stem: join(month, site), sha256 });
        await unlink(path);
        // A month may lie in a folder of its own.
        for (const below of [join(folder, month), dirname(join(folder, month)), folder]) await syncFolder(below);
        return name;
      },
      discard: () => unlink(path),
    };
  },
  remove: (name) => rm(join(folder, name), { force: true }),
});

const writeWhole = async (
  path: string,
  content: AsyncIterable<Uint8Array>,
): Promise<{ readonly bytes: number; readonly sha256: string }> => {
  const hash = createHash("sha256");
  const file = await open(path, "w", 0o600);
  try {
    let bytes = 0;
    for await (const piece of content) {
      await file.writeFile(piece);
      hash.update(piece);
      bytes += piece.length;
    }
    await file.sync();
    return { bytes, sha256: hash.digest("hex") };
  } finally {
    await file.close();
  }
};

interface Wanted {
  readonly folder: string;
  /** Name without its ending. */
  readonly stem: string;
  readonly sha256: string;
}

/** A file with the same content is left by a process that was killed before it had recorded it. */
const linkAs = async (path: string, { folder, stem, sha256 }: Wanted, nth = 1): Promise<string> => {
  const name = nth === 1 ? `${stem}.parquet` : `${stem}-${nth}.parquet`;
  try {
    await link(path, join(folder, name));
    return name;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const isSame = (await digestOf(join(folder, name))) === sha256;
    return isSame ? name : linkAs(path, { folder, stem, sha256 }, nth + 1);
  }
};

const digestOf = async (path: string): Promise<string> => {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
};
