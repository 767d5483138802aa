import type { Spool } from "@curtail/spool";
import { CommandFailure, EXIT_FAILED, EXIT_INTERRUPTED, messageOf } from "../admin-io.js";
import { harmless } from "../human-form.js";
import { progressLines, readingsText } from "../replay-progress.js";
import { untilAborted } from "./input.js";
import { inputsIn, keptInputs } from "./kept-input.js";
import { Outage } from "./outage.js";
import { type Run, unsuccessful } from "./participant-call.js";
import { failureOf } from "./participant-failure.js";
import { readInto } from "./read-input.js";
import { openReadings, spoolFolder } from "./reading-spool.js";
import { sendSpool } from "./send-spool.js";
import { untilInterrupted } from "./until-interrupted.js";
import type { UploadOptions } from "./upload-options.js";
import { type Kind, kindOf } from "./upload-readings.js";
import { UploadReport } from "./upload-report.js";

type Input = AsyncIterable<Uint8Array>;

/**
 * Uploads what cannot be read twice. It is on disk before anything else happens to it, so that neither an outage nor a
 * crash loses what was read.
 *
 * @param source null: only what earlier runs left
 */
export const uploadInput = async (run: Run<UploadOptions>, source: Input | null): Promise<void> => {
  const { io, options, print, access } = run;
  const folder = options.spool ?? spoolFolder(io.stateFolder, access());
  const report = new UploadReport(print, options.setAside);
  const faults: string[] = [];
  for (const kind of kindsOf(options, source)) {
    const spool = await openReadings(folder, kind);
    try {
      report.begin();
      await uploadKind(run, { folder, kind, spool, report, faults }, source);
    } finally {
      await spool.close();
    }
  }
  report.show(folder);
  if (faults.length > 0) throw unsuccessful(faults.join("\n"));
  report.conclude(folder);
};

const kindsOf = (options: UploadOptions, source: Input | null): readonly Kind[] =>
  source === null ? ["telemetry", "controllable-load"] : [kindOf(options)];

interface Uploading {
  readonly folder: string;
  readonly kind: Kind;
  readonly spool: Spool;
  readonly report: UploadReport;
  /** Of inputs that cannot be read. */
  readonly faults: string[];
}

const uploadKind = async (run: Run<UploadOptions>, uploading: Uploading, source: Input | null): Promise<void> => {
  const { io, print, access } = run;
  const { waiting } = uploading.spool.state;
  if (waiting > 0) print.note(`${readingsText(waiting)} of an earlier run come first`);
  try {
    const ended = await untilInterrupted(io, (signal) => readAndSend(run, uploading, { source, signal }));
    if (ended === "interrupted") throw await stopped(uploading, "stopped", EXIT_INTERRUPTED);
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    const failure = failureOf(error, access());
    if (failure !== null) throw await stopped(uploading, failure.message, failure.exitCode);
    // The disk, or the input.
    if (!isOfSystem(error)) throw error;
    throw await stopped(uploading, messageOf(error), EXIT_FAILED);
  }
};

interface Begun {
  readonly source: Input | null;
  readonly signal: AbortSignal;
}

/** Reads and sends at the same time; both end when one fails. */
const readAndSend = async (
  run: Run<UploadOptions>,
  uploading: Uploading,
  { source, signal: interrupted }: Begun,
): Promise<void> => {
  const { io, options, print, access, connect } = run;
  const { spool, kind, folder, report, faults } = uploading;
  const [failing, over] = [new AbortController(), new AbortController()];
  const signal = AbortSignal.any([interrupted, failing.signal]);
  const failures: unknown[] = [];
  const fail = (error: unknown): void => {
    failures.push(error);
    failing.abort(error);
  };
  const wait = async (ms: number): Promise<void> => {
    await io.wait(ms, signal);
    signal.throwIfAborted();
  };
  const outage = new Outage(print, access());
  const progress = progressLines(io.stderr, spool.state.waiting);
  let firstOwn: number | null = null;
  // Sending waits for outages itself.
  const both = { participant: await connect({ retry: { attempts: 1 } }), spool, kind, signal, wait };
  const reading = readInto(
    {
      ...both,
      folder,
      options,
      now: io.now(),
      print,
      outage,
      onFirst(position) {
        firstOwn ??= position;
      },
      onKept: (records) => progress.grow(records),
      onFault: (message) => void faults.push(message),
    },
    source === null ? null : untilAborted(source, signal),
  );
  const sending = sendSpool({
    ...both,
    over: over.signal,
    onSent({ stored, setAside, warnings }) {
      outage.ended();
      report.stored += stored;
      report.warn(warnings);
      progress.add(stored + setAside.length);
    },
    onRefused(position, refused, reason) {
      const index = firstOwn === null || position < firstOwn ? null : position - firstOwn;
      report.refuse([{ index, reading: refused, reason }]);
    },
    onOutage: (error) => outage.began(error, `${keptWords(uploading)}; trying again`),
  });
  await Promise.all([reading.then(() => over.abort()).catch(fail), sending.catch(fail)]);
  if (failures.length > 0) throw failures[0];
};

const keptWords = ({ spool, folder }: Uploading): string => `${readingsText(spool.state.waiting)} kept in ${folder}`;

const stopped = async (uploading: Uploading, message: string, exitCode: number): Promise<CommandFailure> => {
  const { report, folder, faults } = uploading;
  report.show(folder);
  const words = [harmless(message), ...faults, await restWords(uploading)].join("\n");
  return new CommandFailure(words, exitCode);
};

/** What is left, and how it is uploaded. */
const restWords = async (uploading: Uploading): Promise<string> => {
  const { spool, folder } = uploading;
  const how = `\`curtail upload --drain --spool ${folder}\` uploads`;
  if (spool.state.waiting > 0) return `${keptWords(uploading)}; ${how} them`;
  const inputs = await keptInputs(inputsIn(folder));
  return inputs.length > 0 ? `the input is kept in ${folder}; ${how} it` : "nothing is left to upload";
};

const isOfSystem = (error: unknown): boolean =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === "string";
