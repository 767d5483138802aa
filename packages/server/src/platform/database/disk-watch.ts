import { statfs as statfsOf } from "node:fs/promises";
import type { DiskSpace } from "../disk-space.js";

/** Reads the block counts of a disk. */
export type Statfs = (
  path: string,
) => Promise<{ readonly bavail: number; readonly blocks: number; readonly bsize: number }>;

const KEPT_MS = 1000;

/** Free space on the disk of a directory, read at most once a second. */
export class DiskWatch {
  private askedAtMs = Number.NEGATIVE_INFINITY;
  private latest: Promise<DiskSpace | null> = Promise.resolve(null);

  constructor(
    private readonly directory: string,
    private readonly onError: (error: unknown) => void,
    private readonly statfs: Statfs = statfsOf,
  ) {}

  /** null if the system does not report it. */
  space(): Promise<DiskSpace | null> {
    const nowMs = performance.now();
    if (nowMs - this.askedAtMs >= KEPT_MS) {
      this.askedAtMs = nowMs;
      this.latest = this.ask();
    }
    return this.latest;
  }

  private async ask(): Promise<DiskSpace | null> {
    try {
      const { bavail, blocks, bsize } = await this.statfs(this.directory);
      return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
    } catch (error) {
      this.onError(error);
      return null;
    }
  }
}
