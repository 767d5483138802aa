import type { Participant } from "@curtail/client";
import { CommandFailure, EXIT_INTERRUPTED, usageFault } from "../admin-io.js";
import { harmless } from "../human-form.js";
import { grouped, readingsText, showProgress } from "../replay-progress.js";
import { openReplayState, type ReplayState, type ReplayTarget, targetOf } from "../replay-state.js";
import { type Access, ownerOf } from "./access.js";
import { fileAccountOf, keepMapping } from "./kept-mappings.js";
import type { Run } from "./participant-call.js";
import { failureOf } from "./participant-failure.js";
import { contentOf, type Readings } from "./reading-file.js";
import { type RefusedReadings, refusedFile, refusedIn } from "./refused-readings.js";
import { readingsOf, type Sending, type SentPart, sendAll } from "./send-file.js";
import { untilInterrupted } from "./until-interrupted.js";
import type { UploadOptions } from "./upload-options.js";
import { UploadReport } from "./upload-report.js";

/** Attempts of each request: about two minutes. */
const PATIENCE = 10;

/** Uploads a file, whose progress another file keeps. */
export const uploadFile = async (of: Run<UploadOptions>, file: string): Promise<void> => {
  const { io, options, print, connect, access } = of;
  // Before it is read: what replaces it meanwhile is another file to the next run.
  const target = uploadTarget(file, options, access());
  // Looking up the meters fails soon; once readings flow, an outage is waited for.
  const soon = await connect();
  const readings = await readingsOf(await contentOf(file), options, () => fileAccountOf(soon));
  const participant = await connect({ retry: { attempts: PATIENCE } });
  if (options.saveProfile !== undefined && readings.table === null)
    throw usageFault("--save-profile is for CSV files: this file has no mapping to keep");
  for (const note of readings.notes) print.note(note);
  const { state, refused } = rememberedOf(file, options, readBy(target, readings));
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
  const onPart = ({ stored, refused: placed, warnings, sent }: SentPart): void => {
    report.refuse(placed);
    report.stored += stored;
    report.warn(warnings);
    progress.add(sent);
  };
  const sending = { participant, readings, from, state, refused, report, options, onPart };
  const isInterrupted = await uploaded(of, sending).finally(() => progress.stop());
  if (isInterrupted) throw stopped(report, readings);
  report.show();
  // In this order: a kill in between must not leave progress without what was refused.
  state.finish();
  refused.finish();
  await saveProfile(participant, readings, of);
  report.conclude();
};

const saveProfile = async (
  participant: Participant,
  { table }: Readings,
  { options: { saveProfile: name, replaceProfile }, print }: Run<UploadOptions>,
): Promise<void> => {
  if (name === undefined || table === null) return;
  await keepMapping(participant, table, { name, replace: replaceProfile === true });
  print.note(`the mapping is kept as the profile "${harmless(name)}"`);
};

/** Sends all; true if it was interrupted. */
const uploaded = async (
  { io, access }: Run<UploadOptions>,
  sending: Sending & { readonly report: UploadReport },
): Promise<boolean> => {
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

/** The same file, read by another mapping, has other readings. */
export const readBy = (target: ReplayTarget, { readAs }: Readings): ReplayTarget =>
  readAs === "" ? target : { ...target, account: `${target.account}\n${readAs}` };

interface Remembered {
  readonly state: ReplayState;
  readonly refused: RefusedReadings;
}

/** Progress counts for the same file, read in the same way, and for the same account. */
export const uploadTarget = (file: string, options: UploadOptions, access: Access): ReplayTarget => {
  const { meter, timezone = "", intervalSeconds = "", controllableLoad } = options;
  const kind = controllableLoad === true ? ["controllable load"] : [];
  const account = [ownerOf(access), ...meter, timezone, intervalSeconds, ...kind].join("\n");
  return targetOf(file, { url: access.url, account, shift: null });
};

/** What is kept next to the file. */
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
