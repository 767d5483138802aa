import { CommandFailure, EXIT_FAILED, EXIT_INTERRUPTED, messageOf } from "../admin-io.js";
import { harmless } from "../human-form.js";
import { readingsText } from "../replay-progress.js";
import { beginNote, folderFor, folderToDrain, refuseOtherAddress } from "./earlier-readings.js";
import { inputsIn, keptInputs } from "./kept-input.js";
import { type Run, unsuccessful } from "./participant-call.js";
import { failureOf } from "./participant-failure.js";
import { type Input, keptWords, readAndSend, type Uploading } from "./read-and-send.js";
import { openReadings } from "./reading-spool.js";
import { untilInterrupted } from "./until-interrupted.js";
import type { UploadOptions } from "./upload-options.js";
import { type Kind, kindOf } from "./upload-readings.js";
import { UploadReport } from "./upload-report.js";

/**
 * Uploads what cannot be read twice. It is on disk before anything else happens to it, so that neither an outage nor a
 * crash loses what was read.
 *
 * @param source null: only what earlier runs left
 */
export const uploadInput = async (run: Run<UploadOptions>, source: Input | null): Promise<void> => {
  const { io, options, print, access } = run;
  const place = { base: options.spool ?? io.stateFolder, isNamed: options.spool !== undefined };
  refuseOtherAddress(place, access());
  // Whoever names a folder to drain means what is in it; nothing is added to it.
  const isGiven = place.isNamed && source === null;
  const folder = await (isGiven ? folderToDrain : folderFor)(place, access());
  const report = new UploadReport(print, options.setAside);
  const faults: string[] = [];
  let isNoted = isGiven;
  for (const kind of kindsOf(options, source)) {
    const spool = await openReadings(folder, kind);
    try {
      // Once: the service may say during the first pass that the key has its home elsewhere.
      if (!isNoted) beginNote(folder, access());
      isNoted = true;
      report.begin();
      await uploadKind(run, { place, folder, kind, spool, report, faults, earlier: [] }, source);
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

const stopped = async (uploading: Uploading, message: string, exitCode: number): Promise<CommandFailure> => {
  const { report, folder, faults } = uploading;
  report.show(folder);
  const words = [harmless(message), ...faults, await restWords(uploading)].join("\n");
  return new CommandFailure(words, exitCode);
};

/** What is left, and how it is uploaded. */
const restWords = async (uploading: Uploading): Promise<string> => {
  const { place, spool, folder, earlier } = uploading;
  const drain = `curtail upload --drain${place.isNamed ? ` --spool ${place.base}` : ""}`;
  if (earlier.length > 0 && spool.state.waiting === 0)
    return `readings of an earlier key are kept in ${earlier.join(", ")}; \`${drain}\` uploads them`;
  const how = `\`curtail upload --drain --spool ${folder}\` uploads`;
  if (spool.state.waiting > 0) return `${keptWords(uploading)}; ${how} them`;
  const inputs = await keptInputs(inputsIn(folder));
  return inputs.length > 0 ? `the input is kept in ${folder}; ${how} it` : "nothing is left to upload";
};

const isOfSystem = (error: unknown): boolean =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === "string";
