import { writeFileSync } from "node:fs";
import {
  type ControllableLoadReading,
  type Participant,
  type TelemetryReading,
  upload,
  uploadControllableLoad,
} from "@curtail/client";
import { type Command, InvalidArgumentError, Option } from "commander";
import { CommandFailure, EXIT_INTERRUPTED, messageOf, usageFault } from "../admin-io.js";
import { harmless } from "../human-form.js";
import { grouped, type Progress, showProgress } from "../replay-progress.js";
import { openReplayState, type ReplayState, targetOf } from "../replay-state.js";
import { meterChoice } from "./meter-choice.js";
import { onRun, participantCommand, type Run, unsuccessful, withExamples } from "./participant-call.js";
import { failureOf } from "./participant-failure.js";
import type { ParticipantIo } from "./participant-io.js";
import { contentOf, isNdjson, meterFileReadings, ndjsonReadings, type Readings } from "./reading-file.js";
import { type RefusedReadings, refusedFile, refusedIn, refusedInMemory } from "./refused-readings.js";
import { untilInterrupted } from "./until-interrupted.js";

interface UploadOptions {
  readonly meter: readonly string[];
  readonly timezone?: string;
  readonly intervalSeconds?: number;
  readonly format?: "ndjson" | "csv" | "nem12" | "green_button";
  readonly controllableLoad?: true;
  readonly setAside?: string;
  readonly state?: string;
  readonly restart?: true;
}

export const uploadCommand = (io: ParticipantIo): Command => {
  const command = participantCommand(
    io,
    "upload",
    "Upload readings from a file: CSV, Green Button, NEM12, or NDJSON with readings of the interface.",
  )
    .argument("<file>", "The file, or - for standard input.")
    .option("--meter <[series=]meter-id>", "Meter of the file, or of one of its series. Repeatable.", collected, [])
    .option("--timezone <zone>", "Zone of times without an offset: an IANA name, or +10:00.")
    .option("--interval-seconds <seconds>", "Length of the intervals of a CSV file that does not state it.", seconds)
    .addOption(
      new Option("--format <format>", "Default: what the file begins like.").choices([
        "ndjson",
        "csv",
        "nem12",
        "green_button",
      ]),
    )
    .option("--controllable-load", "The lines of NDJSON are readings of controllable load.")
    .option("--set-aside <file>", "Write refused readings to this file, as NDJSON with reasons.")
    .option("--state <file>", "File that keeps the progress. Default: FILE.upload.json.")
    .option("--restart", "Start again from the beginning.");
  withExamples(
    command,
    "curtail upload usage.xml --meter mtr_hscbn23b4ku9p2ya",
    "curtail upload nem12.csv --meter 'NMI0000001 E1=mtr_hscbn23b4ku9p2ya' --timezone +10:00",
    "curtail telemetry get --json --profile old | curtail upload -",
  );
  return onRun<UploadOptions>(io, command, run);
};

const collected = (text: string, before: readonly string[]): readonly string[] => [...before, text];

const seconds = (text: string): number => {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError("It must be a whole number of seconds.");
  return Number(text);
};

/** Attempts of each request: about two minutes. */
const PATIENCE = 10;
/** Readings between two notes of the progress. */
const STEP = 10_000;

const run = async (of: Run<UploadOptions>): Promise<void> => {
  const { io, args, options, print, connect, access } = of;
  const file = args[0] ?? "-";
  // Looking up the meters fails soon; once readings flow, an outage is waited for.
  const readings = await readingsIn(of, await connect(), file);
  const participant = await connect({ retry: { attempts: PATIENCE } });
  for (const note of readings.notes) print.note(note);
  const { state, refused } = rememberedOf(file, options, access().url);
  const from = state?.resumed?.line ?? 0;
  if (from > 0) print.note(`resuming after ${grouped(from)} readings; use --restart to start again`);
  // Before the first upload, to find out now whether both can be written.
  keep(options.setAside, refused);
  state?.acknowledge(from, 0);
  const progress = showProgress(io.stderr, readings.count);
  progress.add(from);
  const sending: Sending = { participant, readings, from, state, refused, progress, options };
  const sent: Sent = { stored: from - refused.all.length };
  const isInterrupted = await uploaded(of, sending, sent).finally(() => {
    progress.stop();
    keep(options.setAside, refused);
  });
  if (isInterrupted) throw stopped(sent, readings, file);
  try {
    answer(of, sent.stored, refused);
  } finally {
    // In this order: a kill in between must not leave progress without what was refused.
    state?.finish();
    refused.finish();
  }
};

interface Sending {
  readonly participant: Participant;
  readonly readings: Readings;
  /** Readings that an earlier run has dealt with. */
  readonly from: number;
  readonly state: ReplayState | null;
  readonly refused: RefusedReadings;
  readonly progress: Progress;
  readonly options: UploadOptions;
}

/** What is done, by this run and those that it resumes. */
interface Sent {
  stored: number;
}

/** Sends all; true if it was interrupted. Adds to `sent` what is done in either case. */
const uploaded = async ({ io, access }: Run<UploadOptions>, sending: Sending, sent: Sent): Promise<boolean> => {
  try {
    return (await untilInterrupted(io, (signal) => sendAll(sending, sent, signal))) === "interrupted";
  } catch (error) {
    const failure = failureOf(error, access());
    if (failure === null) throw error;
    const resume = sending.state === null ? "upload it again" : "run it again to resume";
    const words = `${failure.message}\n${grouped(sent.stored)} readings are stored; ${resume}`;
    throw new CommandFailure(words, failure.exitCode, { cause: error });
  }
};

const sendAll = async (sending: Sending, sent: Sent, signal: AbortSignal): Promise<void> => {
  const { participant, readings, from, state, refused, progress, options } = sending;
  let at = 0;
  for (const part of partsOf(readings.all())) {
    const [first, end] = [at, at + part.length];
    at = end;
    if (end <= from) continue;
    const rest = part.slice(Math.max(0, from - first));
    const { stored, setAside } =
      options.controllableLoad === true
        ? await uploadControllableLoad(participant, rest as ControllableLoadReading[], { signal })
        : await upload(participant, rest as TelemetryReading[], { signal });
    refused.add(setAside.map((each) => ({ ...each, index: end - rest.length + each.index })));
    sent.stored += stored;
    state?.acknowledge(end, 0);
    progress.add(rest.length);
  }
};

function* partsOf(readings: Iterable<object>): Generator<readonly object[]> {
  let part: object[] = [];
  for (const reading of readings) {
    part.push(reading);
    if (part.length < STEP) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}

const readingsIn = async (
  { io, options }: Run<UploadOptions>,
  participant: Participant,
  file: string,
): Promise<Readings> => {
  const content = await contentOf(file, io.stdin);
  const { format, timezone, intervalSeconds, meter } = options;
  if (format === "ndjson" || (format === undefined && isNdjson(content))) return ndjsonReadings(content);
  if (options.controllableLoad === true) throw usageFault("controllable load is uploaded as NDJSON");
  const { sites } = await participant.listSites();
  return meterFileReadings(content, { format, timezone, intervalSeconds }, { sites, choice: meterChoice(meter) });
};

interface Remembered {
  readonly state: ReplayState | null;
  readonly refused: RefusedReadings;
}

/** What is kept beside the file. Standard input cannot be resumed. */
const rememberedOf = (file: string, options: UploadOptions, url: string): Remembered => {
  if (file === "-") return { state: null, refused: refusedInMemory() };
  const choice = [...options.meter, options.timezone ?? "", options.intervalSeconds ?? ""].join("\n");
  const target = targetOf(file, { url, account: choice, shift: null });
  const stateFile = options.state ?? `${file}.upload.json`;
  const state = openReplayState(stateFile, target, options.restart === true);
  return { state, refused: refusedIn(refusedFile(stateFile, target), state.resumed?.line ?? 0) };
};

/** Writes all of them anew, so that none stands there twice. */
const keep = (file: string | undefined, { all }: RefusedReadings): void => {
  if (file === undefined) return;
  const lines = all.map(({ reading, reason }) => `${JSON.stringify({ ...reading, reason })}\n`);
  writing(file, () => writeFileSync(file, lines.join("")));
};

const writing = (file: string, write: () => void): void => {
  try {
    write();
  } catch (error) {
    throw new CommandFailure(`${file} cannot be written: ${messageOf(error)}`, undefined, { cause: error });
  }
};

const SHOWN = 20;

const answer = ({ print, options }: Run<UploadOptions>, stored: number, { all: refused }: RefusedReadings): void => {
  if (print.isJson) print.line(JSON.stringify({ stored, set_aside: refused }));
  else print.line(`${grouped(stored)} readings stored, ${grouped(refused.length)} set aside.`);
  if (refused.length === 0) return;
  for (const { index, reason } of refused.slice(0, SHOWN)) print.note(`reading ${index + 1}: ${harmless(reason)}`);
  const where = options.setAside === undefined ? "list them with --json or --set-aside FILE" : options.setAside;
  if (refused.length > SHOWN) print.note(`and ${grouped(refused.length - SHOWN)} more: ${where}`);
  throw unsuccessful("not all readings are stored: correct those that were set aside, and upload them again");
};

const stopped = ({ stored }: Sent, { count }: Readings, file: string): CommandFailure =>
  new CommandFailure(
    `stopped after ${grouped(stored)} of ${grouped(count)} readings; ${file === "-" ? "upload it again" : "run it again to resume"}`,
    EXIT_INTERRUPTED,
  );
