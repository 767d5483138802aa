import { createReadStream, statSync } from "node:fs";
import type { Command } from "commander";
import { usageFault } from "../admin-io.js";
import { onRun, participantCommand, type Run, withExamples } from "./participant-call.js";
import type { ParticipantIo } from "./participant-io.js";
import { uploadFile } from "./upload-file.js";
import { uploadInput } from "./upload-input.js";
import { type UploadOptions, withUploadOptions } from "./upload-options.js";
import { watchFolder } from "./watch-folder.js";

export const uploadCommand = (io: ParticipantIo): Command => {
  const command = participantCommand(
    io,
    "upload",
    "Upload readings from a file: CSV, Green Button, NEM12, or NDJSON with readings of the interface. Repeat it after an interruption: it goes on where it stopped.",
  ).argument("[file]", "The file, or - for standard input.");
  withUploadOptions(command);
  withExamples(
    command,
    "curtail upload usage.xml --meter mtr_hscbn23b4ku9p2ya",
    "curtail upload nem12.csv --meter 'NMI0000001 E1=mtr_hscbn23b4ku9p2ya' --timezone +10:00",
    "./read-meter | curtail upload -",
    "curtail telemetry get --json --profile old | curtail upload -",
    "curtail upload --drain",
    "curtail upload --watch /srv/sftp/meters --timezone Europe/Berlin",
  );
  return onRun<UploadOptions>(io, command, uploading);
};

const uploading = async (run: Run<UploadOptions>): Promise<void> => {
  const { io, args, options } = run;
  const [file] = args;
  if (options.watch !== undefined) return watchFolder(run, watchedBy(options.watch, file, options));
  if (options.settled !== undefined) throw usageFault("--settled is for --watch");
  if (options.replaceProfile === true && options.saveProfile === undefined)
    throw usageFault("--replace-profile is for --save-profile");
  if (options.drain === true) {
    if (options.saveProfile !== undefined)
      throw usageFault("--save-profile is for a file that is uploaded by its name");
    if (file !== undefined) throw usageFault("--drain reads nothing: leave out the file, or --drain");
    return uploadInput(run, null);
  }
  if (file === undefined) throw usageFault("name a file, - for standard input, or --drain");
  const isOnce = file === "-" || isPipe(file);
  if (isOnce && options.saveProfile !== undefined)
    throw usageFault("--save-profile is for a file that is uploaded by its name");
  if (isOnce && (options.state !== undefined || options.restart === true))
    throw usageFault("--state and --restart are for files: what comes from standard input is kept in a spool");
  if (!isOnce && options.spool !== undefined) throw usageFault("--spool is for standard input: a file is its own");
  if (!isOnce) return uploadFile(run, file);
  return uploadInput(run, file === "-" ? io.stdin : createReadStream(file));
};

const watchedBy = (
  folder: string,
  file: string | undefined,
  { state, restart, spool, drain, setAside, saveProfile }: UploadOptions,
): string => {
  if (file !== undefined) throw usageFault("--watch takes files from its folder: leave out the file, or --watch");
  const others = {
    "--state": state,
    "--restart": restart,
    "--spool": spool,
    "--drain": drain,
    "--set-aside": setAside,
    "--save-profile": saveProfile,
  };
  const [other] = Object.entries(others).flatMap(([name, given]) => (given === undefined ? [] : [name]));
  if (other !== undefined) throw usageFault(`${other} does not go with --watch, which keeps everything in its folder`);
  return folder;
};

/** It can be read once only, as `<(…)` of a shell. */
const isPipe = (file: string): boolean => {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat !== undefined && !stat.isFile() && !stat.isDirectory();
};
