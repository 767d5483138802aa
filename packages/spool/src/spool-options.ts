/** Records that were dropped to keep a limit. */
export interface Dropped {
  /** Which limit: `maxBytes`, or `maxAgeMs`. */
  readonly because: "bytes" | "age";
  /** How many records that were not retired. */
  readonly records: number;
  /** Position of the first of them. */
  readonly from: number;
}

/** Limits of a spool. */
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
  /** @internal */
  constructor(maxBytes: number) {
    super(`the spool holds its limit of ${maxBytes} bytes; nothing was appended`);
    this.name = "SpoolFull";
  }
}
