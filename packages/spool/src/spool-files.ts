import { open, readdir } from "node:fs/promises";
import { type Progress, readProgress, writeProgress } from "./progress.js";
import {
  createSegment,
  cutTail,
  firstOf,
  readSegment,
  recordsFrom,
  removeSegment,
  type Segment,
  segmentPath,
} from "./segment.js";
import { SegmentWriter } from "./segment-writer.js";
import type { Dropped } from "./spool-options.js";
import type { SpooledRecord } from "./spooled-record.js";

/** The segments of a spool, and how far it is emptied. Whoever changes them waits for one change before the next. */
export class SpoolFiles {
  /** Where the first record that is not retired begins, so that a segment is not searched again and again. */
  private cursor = { first: -1, offset: 0 };

  private constructor(
    private readonly folder: string,
    /** Segments before the newest, oldest first. */
    private readonly older: Segment[],
    private writer: SegmentWriter,
    private progressNow: Progress,
  ) {}

  static async open(folder: string): Promise<SpoolFiles> {
    const progress = await readProgress(folder);
    const segments = await segmentsOf(folder);
    const writer = await writerOf(folder, segments.at(-1), progress.from);
    const older = segments.filter(({ path }) => path !== writer.segment.path);
    const files = new SpoolFiles(folder, older, writer, progress);
    await files.removeEmptied();
    return files;
  }

  get progress(): Progress {
    return this.progressNow;
  }

  /** Segments, oldest first. */
  get segments(): readonly Segment[] {
    return [...this.older, this.writer.segment];
  }

  /** Records are appended to it. */
  get newest(): Segment {
    return this.writer.segment;
  }

  get oldest(): Segment | null {
    return this.older[0] ?? null;
  }

  get bytes(): number {
    return this.segments.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  write(records: readonly SpooledRecord[]): Promise<void> {
    return this.writer.write(records);
  }

  /** The oldest records that are not retired, in order. */
  async read(limit: number): Promise<readonly SpooledRecord[]> {
    const taken: SpooledRecord[] = [];
    const { from } = this.progress;
    for (const segment of this.segments) {
      if (taken.length >= limit) break;
      if (segment.next <= from) continue;
      const start = this.cursor.first === segment.first ? this.cursor.offset : 0;
      const { records, offset } = await recordsFrom(segment, { offset: start, from, limit: limit - taken.length });
      if (taken.length === 0) this.cursor = { first: segment.first, offset };
      taken.push(...records);
    }
    return taken;
  }

  /** Nothing before this position is needed any more. */
  async retireTo(from: number): Promise<void> {
    if (from > this.progress.from) await this.proceed({ ...this.progress, from });
  }

  async beginSegment(): Promise<void> {
    const full = this.writer;
    const { segment, handle } = await createSegment(this.folder, full.segment.next);
    this.writer = new SegmentWriter(segment, handle);
    this.older.push(full.segment);
    await full.close();
    await this.removeEmptied();
  }

  /** Drops the oldest segment. Returns which of its records were not retired. */
  async drop(oldest: Segment): Promise<Omit<Dropped, "because">> {
    const { from, dropped } = this.progress;
    const records = Math.max(0, oldest.next - Math.max(from, oldest.first));
    await this.proceed({ from: Math.max(from, oldest.next), dropped: dropped + records });
    return { records, from: Math.max(from, oldest.first) };
  }

  close(): Promise<void> {
    return this.writer.close();
  }

  /** Segments go only after it is stored that nothing of them is needed. */
  private async proceed(progress: Progress): Promise<void> {
    await writeProgress(this.folder, progress);
    this.progressNow = progress;
    await this.removeEmptied();
  }

  private async removeEmptied(): Promise<void> {
    for (let { oldest } = this; oldest !== null && oldest.next <= this.progress.from; { oldest } = this) {
      await removeSegment(oldest);
      this.older.shift();
    }
  }
}

/** Oldest first. */
export const segmentsOf = async (folder: string): Promise<Segment[]> => {
  const firsts = (await readdir(folder)).map(firstOf).filter((first) => first !== null);
  const segments: Segment[] = [];
  for (const first of firsts.sort((a, b) => a - b)) segments.push(await readSegment(segmentPath(folder, first), first));
  return segments.map((each, index) => ({ ...each, damaged: each.damaged + lostAfter(each, segments[index + 1]) }));
};

/** Records at the end of a segment that are damaged: the next segment begins later. */
const lostAfter = ({ next }: Segment, later: Segment | undefined): number =>
  later === undefined ? 0 : Math.max(0, later.first - next);

/** Goes on with the newest segment, or begins the first. Positions are never used for two records. */
const writerOf = async (folder: string, newest: Segment | undefined, from: number): Promise<SegmentWriter> => {
  if (newest === undefined || newest.next < from) {
    const { segment, handle } = await createSegment(folder, from);
    return new SegmentWriter(segment, handle);
  }
  await cutTail(newest);
  return new SegmentWriter(newest, await open(newest.path, "r+"));
};
