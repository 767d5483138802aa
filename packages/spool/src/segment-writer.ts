import type { FileHandle } from "node:fs/promises";
import { encoded } from "./record.js";
import type { Segment } from "./segment.js";
import type { SpooledRecord } from "./spooled-record.js";

/** Appends to the newest segment. */
export class SegmentWriter {
  /** Why nothing can be written any more; null while it can. */
  private failure: Error | null = null;

  constructor(
    private segmentNow: Segment,
    private readonly handle: FileHandle,
  ) {}

  get segment(): Segment {
    return this.segmentNow;
  }

  /** Writes records and returns when they are stored permanently; if that fails, none of them is in the segment. */
  async write(records: readonly SpooledRecord[]): Promise<void> {
    if (this.failure !== null) throw this.failure;
    const { bytes: start, next, newestMs } = this.segmentNow;
    const bytes = Buffer.concat(records.map(encoded));
    try {
      await writeAll(this.handle, bytes, start);
    } catch (error) {
      await this.cutTo(start);
      throw error;
    }
    await this.synced();
    const times = records.map(({ atMs }) => atMs);
    this.segmentNow = {
      ...this.segmentNow,
      bytes: start + bytes.length,
      next: next + records.length,
      newestMs: times.reduce((a, b) => Math.max(a, b), newestMs),
    };
  }

  close(): Promise<void> {
    return this.handle.close();
  }

  private async cutTo(bytes: number): Promise<void> {
    try {
      await this.handle.truncate(bytes);
    } catch (error) {
      this.failure = broken(error);
    }
  }

  /** After a failed sync the system may have dropped what was written: only opening the spool again shows what is there. */
  private async synced(): Promise<void> {
    try {
      await this.handle.datasync();
    } catch (error) {
      this.failure = broken(error);
      throw this.failure;
    }
  }
}

const broken = (cause: unknown): Error =>
  new Error("the spool could not be written to; close it and open it again", { cause });

const writeAll = async (handle: FileHandle, bytes: Buffer, start: number): Promise<void> => {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, start + done);
    done += bytesWritten;
  }
};
