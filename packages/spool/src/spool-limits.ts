import { sizeOf } from "./record.js";
import type { Segment } from "./segment.js";
import type { SpoolFiles } from "./spool-files.js";
import type { Dropped, SpoolOptions } from "./spool-options.js";

const DEFAULT_MAX_BYTES = 1024 ** 3;
const DEFAULT_SEGMENT_BYTES = 8 * 1024 ** 2;
const LEAST_SEGMENTS = 8;

/** Keeps a spool within its limits: what there is room for, and what is dropped. */
export class SpoolLimits {
  readonly maxBytes: number;
  private readonly segmentBytes: number;
  private readonly isRefusing: boolean;
  private readonly now: () => number;

  constructor(
    private readonly files: SpoolFiles,
    private readonly options: SpoolOptions,
  ) {
    this.maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
    const mostBytes = Math.min(DEFAULT_SEGMENT_BYTES, Math.ceil(this.maxBytes / LEAST_SEGMENTS));
    this.segmentBytes = options.segmentBytes ?? mostBytes;
    this.isRefusing = options.whenFull === "refuse";
    this.now = options.now ?? Date.now;
  }

  /** All of them, or the first ones for which there is room. */
  fitting<T extends { readonly payload: Uint8Array }>(waiting: readonly T[]): readonly T[] {
    if (!this.isRefusing) return waiting;
    let room = this.maxBytes - this.files.bytes;
    const end = waiting.findIndex(({ payload }) => (room -= sizeOf(payload)) < 0);
    return end === -1 ? waiting : waiting.slice(0, end);
  }

  /** Begins a segment when the newest is full or used up, and drops the oldest while there is too much. */
  async makeRoom(bytes: number): Promise<void> {
    const { files, maxBytes, segmentBytes } = this;
    const isFull = () => files.bytes + bytes > maxBytes;
    const { next, bytes: written } = files.newest;
    const isUsed = written > 0 && files.progress.from >= next;
    if (written >= segmentBytes || (isUsed && isFull())) await files.beginSegment();
    await this.dropOld();
    await this.dropWhile("bytes", () => !this.isRefusing && isFull());
  }

  /** A segment goes when its newest record is too old. */
  async dropOld(): Promise<void> {
    const { maxAgeMs } = this.options;
    if (maxAgeMs === undefined) return;
    const isOld = ({ newestMs, bytes }: Segment) => bytes > 0 && newestMs < this.now() - maxAgeMs;
    if (isOld(this.files.newest)) await this.files.beginSegment();
    await this.dropWhile("age", isOld);
  }

  private async dropWhile(because: Dropped["because"], isTooMuch: (oldest: Segment) => boolean): Promise<void> {
    const { files } = this;
    for (let { oldest } = files; oldest !== null && isTooMuch(oldest); { oldest } = files) {
      const dropped = await files.drop(oldest);
      if (dropped.records > 0) this.options.onDrop?.({ because, ...dropped });
    }
  }
}
