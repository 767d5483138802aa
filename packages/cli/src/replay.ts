import { type Command, InvalidArgumentError, Option } from "commander";
import { type AdminIo, CommandFailure, EXIT_INTERRUPTED } from "./admin-io.js";
import { MOMENT_FORMS, parseMoment } from "./moment.js";
import { type Connection, connectionOf, type GlobalOptions, readSecret } from "./operator-client.js";
import { printerOf } from "./printer.js";
import { type Batch, batchesOf } from "./replay-batch.js";
import { type CsvReading, readCsv } from "./replay-csv.js";
import { withNewKey } from "./replay-key.js";
import { matchMeters } from "./replay-meters.js";
import { sendAll } from "./replay-pipeline.js";
import { grouped, showProgress } from "./replay-progress.js";
import { openReplayState, type ReplayState, targetOf } from "./replay-state.js";
import { surveyCsv } from "./replay-survey.js";
import { type UploadTarget, uploadBatch, uploadTarget } from "./replay-upload.js";
import type { RunAction } from "./run-action.js";
import { parseTimestamp } from "./timestamp.js";

interface ReplayOptions extends GlobalOptions {
  readonly account: string;
  readonly site?: string;
  readonly createSite?: string;
  readonly key?: string;
  readonly keyFile?: string;
  readonly batch: number;
  readonly concurrency: number;
  readonly shift?: string;
  readonly state?: string;
  readonly restart?: true;
}

const DEFAULT_BATCH = 10_000;
// One request is prepared while another is stored; more would only wait for each other at the database.
const DEFAULT_CONCURRENCY = 2;
const MAX_CONCURRENCY = 16;

export const addReplayCommand = (admin: Command, io: AdminIo, run: RunAction): void => {
  const command = admin
    .command("replay")
    .description("Upload the readings of a CSV file as a participant, and resume an interrupted upload.")
    .argument("<file>", "CSV with the columns meter,asset_type,interval_end_utc,interval_seconds,kw")
    .requiredOption("--account <account-id>", "Account that owns the meters in the file.")
    .option("--site <site-id>", "Site of the meters, if meter names are not unique.")
    .addOption(new Option("--create-site <name>", "Create missing meters at a site with this name.").conflicts("site"))
    .option("--key <key>", "API key of the account. By default one is issued for the replay.")
    .option("--key-file <file>", "File that contains the API key.")
    .option("--batch <readings>", "Readings per request.", wholeNumber(Number.MAX_SAFE_INTEGER), DEFAULT_BATCH)
    .option("--concurrency <requests>", "Concurrent requests.", wholeNumber(MAX_CONCURRENCY), DEFAULT_CONCURRENCY)
    .option(
      "--shift <time>",
      `Shift all timestamps so that the last one is at this time: ${MOMENT_FORMS}.`,
      checkMoment,
    )
    .option("--state <file>", "File that keeps the progress. Default: FILE.replay.json.")
    .option("--restart", "Start again from the beginning.");
  command.action(run(() => replay(io, command.args[0] ?? "", command.optsWithGlobals<ReplayOptions>())));
};

const wholeNumber = (max: number) => (text: string) => {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > max)
    throw new InvalidArgumentError(`It must be a whole number from 1${max > 1e9 ? "" : ` to ${max}`}.`);
  return number;
};

const checkMoment = (text: string): string => {
  if (parseMoment(text, new Date(0)) === null) throw new InvalidArgumentError(`It must be ${MOMENT_FORMS}.`);
  return text;
};

const replay = async (io: AdminIo, file: string, options: ReplayOptions): Promise<void> => {
  const connection = connectionOf(io, options);
  const print = printerOf(io, connection.settings, options.json === true);
  const target = targetOf(file, {
    url: connection.participantsUrl,
    account: options.account,
    shift: options.shift ?? null,
  });
  const state = openReplayState(options.state ?? `${file}.replay.json`, target, options.restart === true);
  const line = state.resumed?.line ?? 0;
  const survey = await surveyCsv(file, line);
  const shiftMs = state.resumed?.shiftMs ?? shiftOf(options.shift, survey.lastEndMs, io.now());
  const choice = { accountId: options.account, siteId: options.site, newSite: options.createSite };
  const meterIds = await matchMeters(connection, choice, survey.meters);
  // Before the first upload, to find out now whether the state can be written.
  state.acknowledge(line, shiftMs);
  if (line > 0) print.note(`resuming after line ${line}; use --restart to start again`);
  const stopping = new AbortController();
  const { batch: size, concurrency } = options;
  const plan = { file, line, shiftMs, meterIds, total: survey.readings, state, size, concurrency, stopping };
  // From before a key is issued until it is revoked.
  const stopListening = io.onInterrupt(() => stopping.abort("interrupted"));
  const { url, settings } = connection;
  const sent = await withKey(io, connection, options, (apiKey) =>
    sendReadings(io, uploadTarget({ url, apiKey, apiKeyHeader: settings.apiKeyHeader, file }), plan),
  ).finally(stopListening);
  state.finish();
  if (print.isJson) return print.line(JSON.stringify(sent));
  print.line(
    `${grouped(sent.readings)} readings in ${sent.seconds} s: ${grouped(sent.readings_per_second)} readings per second`,
  );
};

const GRID_MS = 30_000;

const shiftOf = (shift: string | undefined, lastEndMs: number, now: Date): number => {
  if (shift === undefined) return 0;
  const lastMs = parseTimestamp(parseMoment(shift, now) ?? "");
  const isRelative = Number.isNaN(parseTimestamp(shift));
  // Whole steps of the grid keep each reading's position on it.
  return isRelative ? Math.floor((lastMs - lastEndMs) / GRID_MS) * GRID_MS : lastMs - lastEndMs;
};

const withKey = <T>(
  io: AdminIo,
  connection: Connection,
  { account, key, keyFile }: ReplayOptions,
  work: (apiKey: string) => Promise<T>,
): Promise<T> => {
  const given = key ?? (keyFile === undefined ? undefined : readSecret(keyFile));
  return given === undefined ? withNewKey(connection, { io, accountId: account }, work) : work(given);
};

interface Plan {
  readonly file: string;
  /** Lines up to this one are already stored. */
  readonly line: number;
  readonly shiftMs: number;
  readonly meterIds: ReadonlyMap<string, string>;
  readonly total: number;
  readonly state: ReplayState;
  readonly size: number;
  readonly concurrency: number;
  readonly stopping: AbortController;
}

interface Sent {
  readonly readings: number;
  readonly seconds: number;
  readonly readings_per_second: number;
}

const sendReadings = async (io: AdminIo, target: UploadTarget, plan: Plan): Promise<Sent> => {
  const { stopping } = plan;
  const progress = showProgress(io.stderr, plan.total);
  const startedAtMs = performance.now();
  let readings = 0;
  try {
    await sendAll(batchesOf(remaining(plan, stopping.signal), plan), {
      concurrency: plan.concurrency,
      upload: (batch) => uploadBatch(io, target, batch, stopping.signal),
      acknowledged(batch: Batch) {
        plan.state.acknowledge(batch.lastLine, plan.shiftMs);
        readings += batch.readings.length;
        progress.add(batch.readings.length);
      },
      stopping,
    });
  } catch (error) {
    throw isInterruption(stopping.signal) ? interrupted(readings, plan) : error;
  } finally {
    progress.stop();
  }
  if (isInterruption(stopping.signal)) throw interrupted(readings, plan);
  const seconds = (performance.now() - startedAtMs) / 1000;
  return { readings, seconds: Number(seconds.toFixed(3)), readings_per_second: Math.round(readings / seconds) };
};

const isInterruption = ({ aborted, reason }: AbortSignal): boolean => aborted && reason === "interrupted";

const interrupted = (readings: number, { total }: Plan): CommandFailure =>
  new CommandFailure(
    `stopped after ${grouped(readings)} of ${grouped(total)} readings; run it again to resume`,
    EXIT_INTERRUPTED,
  );

async function* remaining({ file, line }: Plan, signal: AbortSignal): AsyncGenerator<CsvReading> {
  for await (const reading of readCsv(file)) {
    if (signal.aborted) return;
    if (reading.line > line) yield reading;
  }
}
