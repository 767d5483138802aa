import { setTimeout } from "node:timers/promises";
import type { Spool } from "./spool.js";
import type { SpooledRecord } from "./spooled-record.js";

/** A reading that the service refused. */
export interface Refused {
  /** Its index in what was uploaded. */
  readonly index: number;
  /** Why, in the service's words. */
  readonly reason: string;
}

/** What an upload left. */
export interface UploadOutcome {
  /** Readings that were refused; all others are stored. */
  readonly setAside: readonly Refused[];
}

/** What an upload is given. */
export interface UploadSettings {
  /** Aborting it ends the upload. */
  readonly signal?: AbortSignal;
}

/** Uploads readings, in order; returns when every one is stored or refused. `upload` of `@curtail/client` is one. */
export type Upload<Reading> = (readings: readonly Reading[], options: UploadSettings) => Promise<UploadOutcome>;

/** How a spool is emptied. */
export interface DrainOptions {
  /** Records of one upload. Default: 5,000. */
  readonly batch?: number;
  /** Goes on waiting for records once the spool is empty, until the signal is aborted. Default: false. */
  readonly follow?: boolean;
  /** Aborting it ends the work, which then throws the signal's reason; what was not uploaded stays. */
  readonly signal?: AbortSignal;
  /** Called for each record that is set aside, before it is retired: after a crash in between once more. */
  readonly onSetAside?: (record: SpooledRecord, reason: string) => void;
  /** Called before each wait after a failure. */
  readonly onWait?: (failure: unknown, ms: number) => void;
  /** Waits; throws the signal's reason if it is aborted. Tests replace it. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** At least 0, below 1. Default: `Math.random`. */
  readonly random?: () => number;
}

/** What became of records. */
export interface Drained {
  /** Records that the service stored. */
  readonly stored: number;
  /** Records that are in `set-aside.jsonl` now. */
  readonly setAside: number;
}

const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 60_000;
/** A longer wish is a mistake, and timers of more than 2^31 ms fire at once. */
const LONGEST_WISH_MS = 3_600_000;

/**
 * Uploads what is in a spool, oldest first, and retires it when the service has stored it. The records are JSON, one
 * reading each. Refused ones, and those that are not JSON, are set aside, and the rest goes on.
 *
 * After 429, a fault of the service or of the network it waits and sends the same again: nothing overtakes. Any other
 * failure, such as a revoked key, is thrown, and the records stay. After a crash between the upload and its retirement
 * the same records are sent once more, which replaces them with themselves.
 *
 * A spool does not know what its records are: in a function that does not say what it takes, they fit any upload.
 *
 * @throws the failure of the upload if it does not pass, or the reason of the signal
 * @example
 * await drain(spool, (readings, options) => upload(participant, readings, options), { follow: true, signal });
 */
export const drain = async <Reading = never>(
  spool: Spool,
  upload: Upload<Reading>,
  options: DrainOptions = {},
): Promise<Drained> => {
  const { batch = 5000, follow = false, signal } = options;
  let drained: Drained = { stored: 0, setAside: 0 };
  for (;;) {
    signal?.throwIfAborted();
    const records = await spool.take(batch);
    const last = records.at(-1);
    if (last === undefined) {
      if (!follow) return drained;
      await spool.arrival(signal);
      continue;
    }
    const refused = await uploaded(records, upload, options);
    for (const { record, reason } of refused) {
      await spool.setAside(record, reason);
      options.onSetAside?.(record, reason);
    }
    // Only now: the service has stored the others, and the file these.
    await spool.retire(last.position);
    drained = {
      stored: drained.stored + records.length - refused.length,
      setAside: drained.setAside + refused.length,
    };
  }
};

interface Aside {
  readonly record: SpooledRecord;
  readonly reason: string;
}

/** Uploads the readings of records until the service has taken them; returns the records to set aside. */
const uploaded = async <Reading>(
  records: readonly SpooledRecord[],
  upload: Upload<Reading>,
  options: DrainOptions,
): Promise<readonly Aside[]> => {
  const readings: Reading[] = [];
  const sources: SpooledRecord[] = [];
  const aside: Aside[] = [];
  for (const record of records) {
    const reading = readingOf(record);
    if (reading === null) aside.push({ record, reason: "the record is not the JSON of an object" });
    else {
      readings.push(reading as Reading);
      sources.push(record);
    }
  }
  const { setAside } = await patiently(() => upload(readings, signalOf(options)), options);
  const refused = setAside.flatMap(({ index, reason }) => {
    const record = sources[index];
    return record === undefined ? [] : [{ record, reason }];
  });
  return [...aside, ...refused];
};

const signalOf = ({ signal }: DrainOptions): UploadSettings => (signal === undefined ? {} : { signal });

const readingOf = ({ payload }: SpooledRecord): object | null => {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf8", { fatal: true }).decode(payload));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
};

/** Repeats until it succeeds, with full jitter, for as long as failures may pass. */
const patiently = async <T>(attempt: () => Promise<T>, options: DrainOptions): Promise<T> => {
  const { signal, sleep = systemSleep, random = Math.random, onWait } = options;
  for (let failures = 0; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      const ms = delayAfter(error, failures, random());
      if (ms === null) throw error;
      onWait?.(error, ms);
      await sleep(ms, signal);
    }
  }
};

/** Milliseconds until the next attempt; null if the failure does not pass. */
const delayAfter = (error: unknown, failures: number, random: number): number | null => {
  const { status, retryAfter } = (error ?? {}) as { readonly status?: unknown; readonly retryAfter?: unknown };
  // As the errors of @curtail/client: null is no response.
  const isPassing = status === null || status === 429 || (typeof status === "number" && status >= 500);
  if (!isPassing) return null;
  const jitter = random * Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** failures);
  return typeof retryAfter === "number" ? Math.max(Math.min(retryAfter * 1000, LONGEST_WISH_MS), jitter) : jitter;
};

const systemSleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  setTimeout(ms, undefined, { signal }).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw error;
  });
