import { mkdir } from "node:fs/promises";
import { lockFolder } from "./lock.js";
import { MAX_PAYLOAD_BYTES, sizeOf } from "./record.js";
import { AsideFile } from "./set-aside.js";
import { SpoolFiles } from "./spool-files.js";
import { SpoolLimits } from "./spool-limits.js";
import { SpoolFull, type SpoolOptions, type SpoolState } from "./spool-options.js";
import type { SpooledRecord } from "./spooled-record.js";

/**
 * Opens the spool in a folder, which belongs to one process at a time. What a crash left behind the last whole record
 * is cut off; no record whose `append` had returned is lost.
 *
 * @throws SpoolInUse
 * @example
 * const spool = await openSpool("readings", { maxBytes: 500_000_000, onDrop: ({ records }) => warn(records) });
 * await spool.append(JSON.stringify(reading));
 */
export const openSpool = (folder: string, options?: SpoolOptions): Promise<Spool> => Spool.open(folder, options);

interface Waiting {
  readonly payload: Uint8Array;
  readonly resolve: (position: number) => void;
  readonly reject: (error: unknown) => void;
}

/** A first-in, first-out queue of records on disk. Made by `openSpool`. */
export class Spool {
  private appending: Waiting[] = [];
  /** Everything that changes files, one after the other. */
  private work: Promise<unknown> = Promise.resolve();
  private isClosed = false;
  private readonly limits: SpoolLimits;
  private readonly arrived = new Set<() => void>();

  private constructor(
    private readonly files: SpoolFiles,
    private readonly aside: AsideFile,
    private readonly options: SpoolOptions,
    private readonly release: () => Promise<void>,
  ) {
    this.limits = new SpoolLimits(files, options);
  }

  /** @internal */
  static async open(folder: string, options: SpoolOptions = {}): Promise<Spool> {
    await mkdir(folder, { recursive: true });
    const release = await lockFolder(folder);
    try {
      const aside = await AsideFile.open(folder);
      return new Spool(await SpoolFiles.open(folder), aside, options, release);
    } catch (error) {
      await release();
      throw error;
    }
  }

  /** What it holds now. */
  get state(): SpoolState {
    const { segments, newest, progress, bytes } = this.files;
    const damaged = segments.reduce((sum, each) => sum + each.damaged, 0);
    const { from, dropped } = progress;
    return { waiting: Math.max(0, newest.next - from), bytes, dropped, damaged, setAside: this.aside.count };
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
      await this.limits.dropOld();
      const taken = await this.files.read(limit);
      // The rest is damaged: nothing waits for it.
      if (taken.length === 0 && limit > 0) await this.files.retireTo(this.files.newest.next);
      return taken;
    });
  }

  /** Forgets all records up to a position. Call it when the service has stored them, never before. */
  retire(position: number): Promise<void> {
    return this.inTurn(() => this.files.retireTo(Math.min(position + 1, this.files.newest.next)));
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
      await this.files.close();
      await this.release();
    });
  }

  private inTurn<T>(task: () => Promise<T>): Promise<T> {
    const done = this.work.then(task);
    this.work = done.catch(() => {});
    return done;
  }

  /** Writes all that waits, with one sync. */
  private async flush(): Promise<void> {
    const waiting = this.appending;
    this.appending = [];
    try {
      await this.limits.makeRoom(waiting.reduce((sum, { payload }) => sum + sizeOf(payload), 0));
      const batch = this.limits.fitting(waiting);
      for (const { reject } of waiting.slice(batch.length)) reject(new SpoolFull(this.limits.maxBytes));
      if (batch.length > 0) await this.write(batch);
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }

  private async write(batch: readonly Waiting[]): Promise<void> {
    const first = this.files.newest.next;
    const atMs = (this.options.now ?? Date.now)();
    await this.files.write(batch.map(({ payload }, index) => ({ position: first + index, atMs, payload })));
    for (const [index, { resolve }] of batch.entries()) resolve(first + index);
    for (const arrived of this.arrived) arrived();
    this.arrived.clear();
  }
}
