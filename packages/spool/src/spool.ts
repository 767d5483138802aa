import { mkdir, open, readdir } from "node:fs/promises";
import { lockFolder } from "./lock.js";
import { type Progress, readProgress, writeProgress } from "./progress.js";
import { MAX_PAYLOAD_BYTES, sizeOf } from "./record.js";
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
import { AsideFile } from "./set-aside.js";
import type { SpooledRecord } from "./spooled-record.js";

/** Records that were dropped to keep a limit. */
export interface Dropped {
  readonly because: "bytes" | "age";
  /** How many records that were not retired. */
  readonly records: number;
  /** Position of the first of them. */
  readonly from: number;
}

export interface SpoolOptions {
  /** Bytes of all records. Default: 1 GiB. */
  readonly maxBytes?: number;
  /** Age of a record in milliseconds. Default: no limit. */
  readonly maxAgeMs?: number;
  /**
   * Beyond `maxBytes`: `drop_oldest` drops the oldest segment, `refuse` refuses to append. Default: `drop_oldest`, since
   * the newest readings matter most.
   */
  readonly whenFull?: "drop_oldest" | "refuse";
  /** Bytes after which a new segment begins, and so how much is dropped at once. Default: 8 MiB, an eighth of `maxBytes` at most. */
  readonly segmentBytes?: number;
  /** Called for what is dropped. */
  readonly onDrop?: (dropped: Dropped) => void;
  /** Milliseconds of Unix time. Default: the system's. */
  readonly now?: () => number;
}

/** What a spool holds. */
export interface SpoolState {
  /** Records that are neither retired nor dropped. */
  readonly waiting: number;
  /** Bytes of the segments. */
  readonly bytes: number;
  /** Records that were dropped because of a limit, ever. */
  readonly dropped: number;
  /** Records that a disk fault damaged, in the segments that are there. */
  readonly damaged: number;
  /** Records that are in `set-aside.jsonl`. */
  readonly setAside: number;
}

/** `maxBytes` is reached and `whenFull` is `refuse`. */
export class SpoolFull extends Error {
  constructor(maxBytes: number) {
    super(`the spool holds its limit of ${maxBytes} bytes; nothing was appended`);
    this.name = "SpoolFull";
  }
}

const DEFAULT_MAX_BYTES = 1024 ** 3;
const DEFAULT_SEGMENT_BYTES = 8 * 1024 ** 2;
const LEAST_SEGMENTS = 8;

interface Waiting {
  readonly payload: Uint8Array;
  readonly resolve: (position: number) => void;
  readonly reject: (error: unknown) => void;
}

/** A first-in, first-out queue of records on disk. Made by `openSpool`. */
export class Spool {
  private readonly limits: Required<Pick<SpoolOptions, "maxBytes" | "segmentBytes" | "whenFull">>;
  private appending: Waiting[] = [];
  /** Everything that changes files, one after the other. */
  private work: Promise<unknown> = Promise.resolve();
  private isClosed = false;
  /** Where the first record that is not retired begins, so that a segment is not searched again and again. */
  private cursor = { first: -1, offset: 0 };
  private readonly arrived = new Set<() => void>();

  private constructor(
    private readonly folder: string,
    private readonly options: SpoolOptions,
    private readonly release: () => Promise<void>,
    /** Segments before the newest, oldest first. */
    private older: Segment[],
    private writer: SegmentWriter,
    private progress: Progress,
    private readonly aside: AsideFile,
  ) {
    const maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
    const segmentBytes = options.segmentBytes ?? Math.min(DEFAULT_SEGMENT_BYTES, Math.ceil(maxBytes / LEAST_SEGMENTS));
    this.limits = { maxBytes, segmentBytes, whenFull: options.whenFull ?? "drop_oldest" };
  }

  static async open(folder: string, options: SpoolOptions = {}): Promise<Spool> {
    await mkdir(folder, { recursive: true });
    const release = await lockFolder(folder);
    try {
      const [progress, aside] = [await readProgress(folder), await AsideFile.open(folder)];
      const segments = await segmentsOf(folder);
      const writer = await writerOf(folder, segments.at(-1), progress.from);
      const older = segments.filter(({ path }) => path !== writer.segment.path);
      const spool = new Spool(folder, options, release, older, writer, progress, aside);
      await spool.inTurn(() => spool.removeEmptied());
      return spool;
    } catch (error) {
      await release();
      throw error;
    }
  }

  get state(): SpoolState {
    const all = this.segments();
    const damaged = all.reduce((sum, each) => sum + each.damaged, 0);
    const { from, dropped } = this.progress;
    const next = this.writer.segment.next;
    return { waiting: Math.max(0, next - from), bytes: this.bytes(), dropped, damaged, setAside: this.aside.count };
  }

  /**
   * Adds a record at the end. Returns its position when it is stored permanently; records that are appended meanwhile
   * share one sync.
   *
   * @param record up to 1 MiB, for example the JSON of a reading
   * @throws SpoolFull; after any other error the record is not in the spool
   */
  append(record: Uint8Array | string): Promise<number> {
    const payload = typeof record === "string" ? Buffer.from(record, "utf8") : Buffer.from(record);
    if (payload.length > MAX_PAYLOAD_BYTES)
      return Promise.reject(
        new RangeError(`a record has at most ${MAX_PAYLOAD_BYTES} bytes, this one ${payload.length}`),
      );
    if (this.isClosed) return Promise.reject(new Error("the spool is closed"));
    return new Promise((resolve, reject) => {
      this.appending.push({ payload, resolve, reject });
      if (this.appending.length === 1) void this.inTurn(() => this.flush());
    });
  }

  /** The oldest records that are not retired, in order. The same again until they are retired. */
  take(limit: number): Promise<readonly SpooledRecord[]> {
    return this.inTurn(async () => {
      await this.dropOld();
      const taken: SpooledRecord[] = [];
      for (const segment of this.segments()) {
        if (taken.length >= limit) break;
        if (segment.next <= this.progress.from) continue;
        const from = this.cursor.first === segment.first ? this.cursor.offset : 0;
        const wanted = { offset: from, from: this.progress.from, limit: limit - taken.length };
        const { records, offset } = await recordsFrom(segment, wanted);
        if (taken.length === 0) this.cursor = { first: segment.first, offset };
        taken.push(...records);
      }
      // What is left is damaged: nothing waits for it.
      if (taken.length === 0 && limit > 0) await this.retireTo(this.writer.segment.next);
      return taken;
    });
  }

  /** Forgets all records up to a position. Call it when the service has stored them, never before. */
  retire(position: number): Promise<void> {
    return this.inTurn(() => this.retireTo(Math.min(position + 1, this.writer.segment.next)));
  }

  /**
   * Writes a record that will not be sent again to `set-aside.jsonl`, with the reason. Retire it afterwards; a crash
   * between the two does not write it twice.
   */
  setAside(record: SpooledRecord, reason: string): Promise<void> {
    return this.inTurn(() => this.aside.add(record, reason));
  }

  /** Resolves when there is a record that is not retired. */
  async arrival(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.state.waiting > 0) return;
    await new Promise<void>((resolve, reject) => {
      const arrived = () => {
        signal?.removeEventListener("abort", stop);
        resolve();
      };
      const stop = () => {
        this.arrived.delete(arrived);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener("abort", stop, { once: true });
      this.arrived.add(arrived);
    });
  }

  /** Waits for what was begun, and lets another process open the folder. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    await this.inTurn(async () => {
      await this.writer.close();
      await this.release();
    });
  }

  private inTurn<T>(task: () => Promise<T>): Promise<T> {
    const done = this.work.then(task);
    this.work = done.catch(() => {});
    return done;
  }

  private async retireTo(from: number): Promise<void> {
    if (from > this.progress.from) await this.proceed({ ...this.progress, from });
  }

  private segments(): readonly Segment[] {
    return [...this.older, this.writer.segment];
  }

  private bytes(): number {
    return this.segments().reduce((sum, { bytes }) => sum + bytes, 0);
  }

  private now(): number {
    return (this.options.now ?? Date.now)();
  }

  /** Writes all that waits, with one sync. */
  private async flush(): Promise<void> {
    const waiting = this.appending;
    this.appending = [];
    try {
      await this.makeRoom(waiting.reduce((sum, { payload }) => sum + sizeOf(payload), 0));
      const batch = this.fitting(waiting);
      for (const { reject } of waiting.slice(batch.length)) reject(new SpoolFull(this.limits.maxBytes));
      if (batch.length > 0) await this.write(batch);
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }

  private async write(batch: readonly Waiting[]): Promise<void> {
    const first = this.writer.segment.next;
    const atMs = this.now();
    await this.writer.write(batch.map(({ payload }, index) => ({ position: first + index, atMs, payload })));
    for (const [index, { resolve }] of batch.entries()) resolve(first + index);
    for (const arrived of this.arrived) arrived();
    this.arrived.clear();
  }

  /** All of them, or the first ones for which there is room. */
  private fitting(waiting: readonly Waiting[]): readonly Waiting[] {
    const { maxBytes, whenFull } = this.limits;
    if (whenFull === "drop_oldest") return waiting;
    let room = maxBytes - this.bytes();
    const end = waiting.findIndex(({ payload }) => (room -= sizeOf(payload)) < 0);
    return end === -1 ? waiting : waiting.slice(0, end);
  }

  /** Begins a segment when the newest is full or used up, and drops the oldest while there is too much. */
  private async makeRoom(bytes: number): Promise<void> {
    const { maxBytes, segmentBytes, whenFull } = this.limits;
    const isFull = () => this.bytes() + bytes > maxBytes;
    const { next, bytes: written } = this.writer.segment;
    const isUsed = written > 0 && this.progress.from >= next;
    if (written >= segmentBytes || (isUsed && isFull())) await this.beginSegment();
    await this.dropOld();
    if (whenFull === "drop_oldest") while (isFull() && this.older.length > 0) await this.dropOldest("bytes");
  }

  private async beginSegment(): Promise<void> {
    const full = this.writer;
    const { segment, handle } = await createSegment(this.folder, full.segment.next);
    this.writer = new SegmentWriter(segment, handle);
    this.older.push(full.segment);
    await full.close();
    await this.removeEmptied();
  }

  /** A segment goes when its newest record is too old. */
  private async dropOld(): Promise<void> {
    const { maxAgeMs } = this.options;
    if (maxAgeMs === undefined) return;
    const isOld = ({ newestMs, bytes }: Segment) => bytes > 0 && newestMs < this.now() - maxAgeMs;
    if (isOld(this.writer.segment)) await this.beginSegment();
    while (this.older[0] !== undefined && isOld(this.older[0])) await this.dropOldest("age");
  }

  private async dropOldest(because: Dropped["because"]): Promise<void> {
    const [oldest] = this.older;
    if (oldest === undefined) return;
    const { from, dropped } = this.progress;
    const records = Math.max(0, oldest.next - Math.max(from, oldest.first));
    await this.proceed({ from: Math.max(from, oldest.next), dropped: dropped + records });
    if (records > 0) this.options.onDrop?.({ because, records, from: Math.max(from, oldest.first) });
  }

  /** Segments go only after it is stored that nothing of them is needed. */
  private async proceed(progress: Progress): Promise<void> {
    await writeProgress(this.folder, progress);
    this.progress = progress;
    await this.removeEmptied();
  }

  private async removeEmptied(): Promise<void> {
    for (let [oldest] = this.older; oldest !== undefined && oldest.next <= this.progress.from; [oldest] = this.older) {
      await removeSegment(oldest);
      this.older.shift();
    }
  }
}

/**
 * Opens the spool in a folder, which belongs to one process at a time. What a crash left behind the last whole record
 * is cut off; no record whose `append` had returned is lost.
 *
 * @throws SpoolInUse
 */
export const openSpool = (folder: string, options?: SpoolOptions): Promise<Spool> => Spool.open(folder, options);

const segmentsOf = async (folder: string): Promise<Segment[]> => {
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
