import { ErrorResponse, NoResponse } from "./failure.js";
import type { Participant } from "./participant.js";
import type { ControllableLoadReading, Received, TelemetryReading } from "./participant-types.js";
import { type BatchLimits, batchesOf, halvesOf, type Item, itemOf } from "./upload-batch.js";
import { reasonOf, refusalOf, refusedReadings } from "./upload-refusal.js";

/** How readings are uploaded. */
export interface UploadOptions {
  /** Readings of one request. Default: 10,000; services accept 50,000 unless they are configured otherwise. */
  readonly maxReadings?: number;
  /** Bytes of one request. Default: 4 MiB; services accept 10 MiB unless they are configured otherwise. */
  readonly maxBytes?: number;
  /** Aborting it ends the upload, which then throws the signal's reason; readings that were sent are stored. */
  readonly signal?: AbortSignal;
}

/** A reading that the service refuses. */
export interface SetAside<Reading> {
  /** Its index in what was given to `upload`. */
  readonly index: number;
  /** As it was given. */
  readonly reading: Reading;
  /** The service's message about it: `kW is 10000001 kW; …`. */
  readonly reason: string;
}

/** What became of readings. */
export interface Uploaded<Reading> {
  /** Readings that the service stored permanently. */
  readonly stored: number;
  /** Readings that it refused, by index. */
  readonly setAside: ReadonlyArray<SetAside<Reading>>;
  /**
   * What production would refuse although the sandbox accepted it, each once: `meter_id is "meter-7", which is no meter of
   * the sandbox …`. Up to 20 of each request; empty in production.
   */
  readonly warnings: readonly string[];
}

/**
 * Uploads readings in requests of a suitable size, in their order. When a request is refused, the readings that the
 * refusal names are set aside and the rest is sent again; if it names none, the request is halved until the faulty
 * readings are found. Every reading is either stored or set aside when it returns.
 *
 * Too many requests, faults of the service and of the network are waited for, as the participant is set up. After that
 * the failure is thrown; then upload all of it again: storing a reading twice does no harm. A response that does not
 * confirm the readings, as from a proxy, is thrown as `NoResponse`.
 *
 * @throws ErrorResponse, NoResponse
 * @example
 * const { setAside } = await upload(participant, readings);
 * for (const { reading, reason } of setAside) report(reading, reason);
 */
export const upload = <Reading extends TelemetryReading>(
  participant: Pick<Participant, "uploadTelemetry">,
  readings: readonly Reading[],
  { signal, ...limits }: UploadOptions = {},
): Promise<Uploaded<Reading>> =>
  uploadAll(readings, {
    list: "telemetry",
    limits,
    send: (telemetry) => participant.uploadTelemetry({ telemetry }, signal === undefined ? {} : { signal }),
  });

/** Uploads controllable load like {@link upload}. */
export const uploadControllableLoad = <Reading extends ControllableLoadReading>(
  participant: Pick<Participant, "uploadControllableLoad">,
  readings: readonly Reading[],
  { signal, ...limits }: UploadOptions = {},
): Promise<Uploaded<Reading>> =>
  uploadAll(readings, {
    list: "controllable_load",
    limits,
    send: (load) =>
      participant.uploadControllableLoad({ controllable_load: load }, signal === undefined ? {} : { signal }),
  });

const DEFAULT_LIMITS: BatchLimits = { maxReadings: 10_000, maxBytes: 4 * 1024 * 1024 };

interface Sending<Reading> {
  readonly list: "telemetry" | "controllable_load";
  readonly send: (readings: readonly Reading[]) => Promise<unknown>;
}

const uploadAll = async <Reading extends object>(
  readings: readonly Reading[],
  { limits, ...sending }: Sending<Reading> & { readonly limits: Partial<BatchLimits> },
): Promise<Uploaded<Reading>> => {
  const setAside: Array<SetAside<Reading>> = [];
  const warned = new Set<string>();
  const waiting = [...batchesOf(readings.map(itemOf), { ...DEFAULT_LIMITS, ...limits })].toReversed();
  for (let batch = waiting.pop(); batch !== undefined; batch = waiting.pop()) {
    const { refused, again, warnings } = await sendBatch(batch, sending);
    for (const each of warnings ?? []) warned.add(reasonOf(each));
    setAside.push(...refused);
    waiting.push(...again.filter(({ length }) => length > 0).toReversed());
  }
  return {
    stored: readings.length - setAside.length,
    setAside: setAside.sort((a, b) => a.index - b.index),
    warnings: [...warned],
  };
};

/**
 * Throws `NoResponse` unless a reply says that all readings are stored: a proxy, too, may answer 200.
 *
 * @internal
 */
export const requireStored = (reply: unknown, sent: number): void => {
  if ((reply as Partial<Received> | null | undefined)?.received === sent) return;
  const cause = new Error("the response does not confirm the readings");
  throw new NoResponse(cause.message, { cause });
};

type Batch<Reading> = ReadonlyArray<Item<Reading>>;

/** What is left of a batch after one request. */
interface Rest<Reading> {
  readonly refused: ReadonlyArray<SetAside<Reading>>;
  /** Batches to send next, in order. */
  readonly again: ReadonlyArray<Batch<Reading>>;
  readonly warnings?: readonly string[] | undefined;
}

const sendBatch = async <Reading extends object>(
  batch: Batch<Reading>,
  { list, send }: Sending<Reading>,
): Promise<Rest<Reading>> => {
  try {
    const reply = await send(batch.map(({ reading }) => reading));
    requireStored(reply, batch.length);
    return { refused: [], again: [], warnings: (reply as Received).warnings };
  } catch (error) {
    if (!(error instanceof ErrorResponse && error.status === 400)) throw error;
    return restOf(batch, error.reason ?? error.message, list);
  }
};

const restOf = <Reading extends object>(
  batch: Batch<Reading>,
  message: string,
  list: Sending<Reading>["list"],
): Rest<Reading> => {
  const [only] = batch;
  if (batch.length === 1 && only !== undefined) return { refused: [aside(only, reasonOf(message))], again: [] };
  const refusal = refusalOf(message, list);
  const reasons = refusedReadings(
    batch.map(({ reading }) => reading),
    refusal,
  );
  if (reasons.size === 0) return { refused: [], again: halvesOf(batch) };
  const rest = batch.filter((_, index) => !reasons.has(index));
  const refused = batch.flatMap((item, index) => {
    const reason = reasons.get(index);
    return reason === undefined ? [] : [aside(item, reason)];
  });
  // More faults than a message names: halves lead to them with less to send.
  return { refused, again: refusal.hasMore ? halvesOf(rest) : [rest] };
};

const aside = <Reading>({ index, reading }: Item<Reading>, reason: string): SetAside<Reading> => ({
  index,
  reading,
  reason,
});
