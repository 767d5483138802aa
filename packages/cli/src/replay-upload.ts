import { type Client, ErrorResponse, participantClient, requireStored } from "@curtail/client";
import { uploadTelemetry } from "@curtail/contract";
import { type AdminIo, CommandFailure, messageOf } from "./admin-io.js";
import { clientSettings, reached, reasonOf, refusal } from "./operator-client.js";
import type { Batch } from "./replay-batch.js";

/** The destination of readings. */
export interface UploadTarget {
  readonly url: string;
  readonly apiKeyHeader: string;
  /** Name of the file, for messages. */
  readonly file: string;
  /** One for all batches: it remembers whether the service takes compressed ones. */
  readonly client: Client;
}

/** The destination of a file's readings, with the key to use. */
export const uploadTarget = ({
  apiKey,
  ...target
}: Omit<UploadTarget, "client"> & { readonly apiKey: string }): UploadTarget => ({
  ...target,
  client: participantClient({ ...clientSettings, url: target.url, key: apiKey, keyHeader: target.apiKeyHeader }),
});

const retryDelaysSeconds = [1, 2, 4, 8, 16, 30, 30, 30] as const; // two minutes in total: a restart of the service
const MAX_RETRY_AFTER_SECONDS = 120;

/**
 * Sends one batch until it is stored; throws an CommandFailure if that is impossible. Stops waiting when `signal` is
 * aborted.
 */
export const uploadBatch = async (
  io: Pick<AdminIo, "wait">,
  target: UploadTarget,
  batch: Batch,
  signal: AbortSignal,
): Promise<void> => {
  for (let failures = 0; ; failures++) {
    const outcome = await tryUpload(target, batch);
    if (outcome === "stored") return;
    const delaySeconds = outcome.retryAfterSeconds ?? retryDelaysSeconds[failures];
    if (failures >= retryDelaysSeconds.length || delaySeconds === undefined) {
      throw new CommandFailure(
        `${place(target, batch)} could not be stored after ${failures + 1} tries: ${outcome.why}`,
      );
    }
    await io.wait(delaySeconds * 1000, signal);
    if (signal.aborted)
      throw new CommandFailure(`${place(target, batch)} could not be stored before the deadline: ${outcome.why}`);
  }
};

type Outcome = "stored" | { readonly why: string; readonly retryAfterSeconds?: number };

const tryUpload = async (target: UploadTarget, batch: Batch): Promise<Outcome> => {
  try {
    await reached(target.url, send(target, batch));
    return "stored";
  } catch (error) {
    return error instanceof ErrorResponse ? outcomeOf(error, target, batch) : { why: messageOf(error) };
  }
};

const outcomeOf = (failure: ErrorResponse, target: UploadTarget, batch: Batch): Outcome => {
  const why = reasonOf(failure) ?? `${target.url} responded with ${failure.status}`;
  if (failure.status === 429) return { why, retryAfterSeconds: retryAfterSeconds(failure) };
  if (failure.status >= 500) return { why };
  throw new CommandFailure(refusedBatch(target, batch, failure));
};

const send = async ({ client }: UploadTarget, { readings }: Batch): Promise<void> =>
  requireStored(await client.call(uploadTelemetry, { body: { telemetry: readings } }), readings.length);

const retryAfterSeconds = ({ retryAfter: seconds }: ErrorResponse): number =>
  seconds === null ? retryDelaysSeconds[0] : Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER_SECONDS);

const refusedBatch = (target: UploadTarget, batch: Batch, failure: ErrorResponse): string => {
  if (failure.status === 401) {
    return `${place(target, batch)} were refused: ${reasonOf(failure) ?? "401"} The key was sent in the header ${target.apiKeyHeader}; set CURTAIL_API_KEY_HEADER to the same value as for the service.`;
  }
  const message = refusal(target.url, failure);
  const withLines = message.replaceAll(
    /telemetry\[(\d+)\]/g,
    (named, at: string) => `${named} (line ${batch.lines[Number(at)] ?? "?"})`,
  );
  return `${place(target, batch)} were refused: ${withLines}`;
};

const place = ({ file }: UploadTarget, batch: Batch): string =>
  `${file}, lines ${batch.lines[0] ?? 0} to ${batch.lastLine},`;
