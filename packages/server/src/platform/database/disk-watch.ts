import { statfs as statfsOf } from "node:fs/promises";
import type { DiskSpace } from "../disk-space.js";

/** What asks the system for the blocks of a disk. */
export type Statfs = (
  path: string,
) => Promise<{ readonly bavail: number; readonly blocks: number; readonly bsize: number }>;

const KEPT_MS = 1000;

/** The space on the disk of a directory, asked for once a second at most. */
export class DiskWatch {
  private askedAtMs = Number.NEGATIVE_INFINITY;
  private latest: Promise<DiskSpace | null> = Promise.resolve(null);

  constructor(
    private readonly directory: string,
    private readonly onError: (error: unknown) => void,
    private readonly statfs: Statfs = statfsOf,
  ) {}

  /** null where the system does not say. */
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
