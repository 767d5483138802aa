import type { Participant } from "@curtail/client";
import { CommandFailure, EXIT_INTERRUPTED, usageFault } from "../admin-io.js";
import { grouped, type Progress, readingsText, showProgress } from "../replay-progress.js";
import { openReplayState, type ReplayState, type ReplayTarget, targetOf } from "../replay-state.js";
import { type Access, ownerOf } from "./access.js";
import { meterChoice } from "./meter-choice.js";
import type { Run } from "./participant-call.js";
import { failureOf } from "./participant-failure.js";
import { contentOf, isNdjson, meterFileReadings, ndjsonReadings, type Readings } from "./reading-file.js";
import { type RefusedReadings, refusedFile, refusedIn } from "./refused-readings.js";
import { untilInterrupted } from "./until-interrupted.js";
import type { UploadOptions } from "./upload-options.js";
import { kindOf, partsOf, uploadReadings } from "./upload-readings.js";
import { UploadReport } from "./upload-report.js";

/** Attempts of each request: about two minutes. */
const PATIENCE = 10;

/** Uploads a file, whose progress another file keeps. */
export const uploadFile = async (of: Run<UploadOptions>, file: string): Promise<void> => {
  const { io, options, print, connect, access } = of;
  // Before it is read: what replaces it meanwhile is another file to the next run.
  const target = uploadTarget(file, options, access());
  // Looking up the meters fails soon; once readings flow, an outage is waited for.
  const readings = await readingsIn(of, await connect(), file);
  const participant = await connect({ retry: { attempts: PATIENCE } });
  for (const note of readings.notes) print.note(note);
  const { state, refused } = rememberedOf(file, options, target);
  const from = state.resumed?.line ?? 0;
  if (from > 0) print.note(`resuming after ${readingsText(from)}; use --restart to start again`);
  const report = new UploadReport(print, options.setAside, Number.POSITIVE_INFINITY);
  // Before the first upload, to find out now whether both files can be written.
  report.begin();
  report.refuse(refused.all);
  report.stored = from - refused.all.length;
  state.acknowledge(from, 0);
  const progress = showProgress(io.stderr, readings.count);
  progress.add(from);
  const sending = { participant, readings, from, state, refused, progress, report, options };
  const isInterrupted = await uploaded(of, sending).finally(() => progress.stop());
  if (isInterrupted) throw stopped(report, readings);
  report.show();
  // In this order: a kill in between must not leave progress without what was refused.
  state.finish();
  refused.finish();
  report.conclude();
};

interface Sending {
  readonly participant: Participant;
  readonly readings: Readings;
  /** Readings that an earlier run has dealt with. */
  readonly from: number;
  readonly state: ReplayState;
  readonly refused: RefusedReadings;
  readonly progress: Progress;
  readonly report: UploadReport;
  readonly options: UploadOptions;
}

/** Sends all; true if it was interrupted. */
const uploaded = async ({ io, access }: Run<UploadOptions>, sending: Sending): Promise<boolean> => {
  try {
    return (await untilInterrupted(io, (signal) => sendAll(sending, signal))) === "interrupted";
  } catch (error) {
    const failure = failureOf(error, access());
    if (failure === null) throw error;
    const { report } = sending;
    report.show();
    const words = `${failure.message}\n${readingsText(report.stored)} stored; run it again to resume`;
    throw new CommandFailure(words, failure.exitCode, { cause: error });
  }
};

const sendAll = async (sending: Sending, signal: AbortSignal): Promise<void> => {
  const { participant, readings, from, state, refused, progress, report, options } = sending;
  let at = 0;
  for (const part of partsOf(readings.all(), STEP)) {
    const [first, end] = [at, at + part.length];
    at = end;
    if (end <= from) continue;
    const rest = part.slice(Math.max(0, from - first));
    const { stored, setAside, warnings } = await uploadReadings({ participant, kind: kindOf(options), signal }, rest);
    const placed = setAside.map((each) => ({ ...each, index: end - rest.length + each.index }));
    refused.add(placed);
    report.refuse(placed);
    report.stored += stored;
    report.warn(warnings);
    state.acknowledge(end, 0);
    progress.add(rest.length);
  }
};

/** Readings between two notes of the progress. */
const STEP = 10_000;

const readingsIn = async (
  { options }: Run<UploadOptions>,
  participant: Participant,
  file: string,
): Promise<Readings> => {
  const content = await contentOf(file);
  const { format, timezone, intervalSeconds, meter } = options;
  if (format === "ndjson" || (format === undefined && isNdjson(content))) return ndjsonReadings(content);
  if (options.controllableLoad === true) throw usageFault("controllable load is uploaded as NDJSON");
  const { sites } = await participant.listSites();
  return meterFileReadings(content, { format, timezone, intervalSeconds }, { sites, choice: meterChoice(meter) });
};

interface Remembered {
  readonly state: ReplayState;
  readonly refused: RefusedReadings;
}

/** Progress counts for the same file, read in the same way, and for the same account. */
const uploadTarget = (file: string, options: UploadOptions, access: Access): ReplayTarget => {
  const { meter, timezone = "", intervalSeconds = "", controllableLoad } = options;
  const kind = controllableLoad === true ? ["controllable load"] : [];
  const account = [ownerOf(access), ...meter, timezone, intervalSeconds, ...kind].join("\n");
  return targetOf(file, { url: access.url, account, shift: null });
};

/** What is kept beside the file. */
const rememberedOf = (file: string, { state: named, restart }: UploadOptions, target: ReplayTarget): Remembered => {
  const stateFile = named ?? `${file}.upload.json`;
  const state = openReplayState(stateFile, target, restart === true);
  return { state, refused: refusedIn(refusedFile(stateFile, target), state.resumed?.line ?? 0) };
};

const stopped = (report: UploadReport, { count }: Readings): CommandFailure => {
  report.show();
  const words = `stopped after ${grouped(report.stored)} of ${readingsText(count)}; run it again to resume`;
  return new CommandFailure(words, EXIT_INTERRUPTED);
};
