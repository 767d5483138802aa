import { rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ErrorResponse, isPassing, NoResponse, type Participant } from "@curtail/client";
import { messageOf } from "../admin-io.js";
import { harmless } from "../human-form.js";
import { openReplayState, type ReplayState, type ReplayTarget } from "../replay-state.js";
import { faultsText } from "./faults-text.js";
import type { FileAccount } from "./kept-mappings.js";
import { isOfDisk } from "./of-disk.js";
import type { Outage } from "./outage.js";
import type { Run } from "./participant-call.js";
import type { Readings } from "./reading-file.js";
import { type RefusedReadings, refusedFile, refusedIn } from "./refused-readings.js";
import { restAfter } from "./rest.js";
import { readingsOf, sendAll } from "./send-file.js";
import { accountOfFiles, LOOK_MS } from "./sites-of.js";
import { readBy, uploadTarget } from "./upload-file.js";
import type { UploadOptions } from "./upload-options.js";
import type { Places } from "./watch-places.js";
import type { FoundFile } from "./watched-files.js";

/** Larger ones would not fit into memory. */
const MOST_FILE_BYTES = 256 * 1024 * 1024;

/** What became of a file's readings. */
interface Uploaded {
  readonly stored: number;
  readonly setAside: number;
  /** Null: all are stored. */
  readonly faults: string | null;
  /** Forgets the progress, once the file is moved. */
  readonly finish: () => void;
}

export interface FoundUploads {
  readonly run: Run<UploadOptions>;
  readonly places: Places;
  readonly participant: Participant;
  readonly outage: Outage;
  readonly signal: AbortSignal;
  readonly wait: (ms: number) => Promise<void>;
  readonly say: (words: string) => void;
}

/** Uploads a file of the folder, from where a run before was killed; waits for the service while it is away. */
export const uploadFound = async (by: FoundUploads, file: FoundFile): Promise<Uploaded> => {
  const { run, places, say } = by;
  const path = join(places.folder, file.name);
  const target = uploadTarget(path, run.options, run.access());
  const readings = await readingsIn(by, path, file);
  if (typeof readings === "string")
    return { stored: 0, setAside: 0, faults: faultsText(file, readings), finish: () => {} };
  for (const note of readings.notes) say(`${harmless(file.name)}: ${note}`);
  const { account } = target;
  const named = readBy({ ...target, account: `${account}\n${file.name}` }, readings);
  await untilSent(by, readings, named);
  const { state, refused } = rememberedOf(places, named);
  const setAside = refused.all.length;
  return {
    stored: readings.count - setAside,
    setAside,
    faults: setAside === 0 ? null : faultsText(file, refused.all),
    finish() {
      state.finish();
      refused.finish();
    },
  };
};

/** What files need to know of the account; waits for the service while it is away. */
export const accountFor = ({ places, ...asking }: FoundUploads): Promise<FileAccount> =>
  accountOfFiles(asking, () => filesWait(places));

/** Words in their place if the file cannot be uploaded as it is. */
const readingsIn = async (by: FoundUploads, path: string, file: FoundFile): Promise<Readings | string> => {
  if (file.bytes > MOST_FILE_BYTES) return `it has more than ${MOST_FILE_BYTES} bytes; split it`;
  const content = await readFile(path);
  try {
    return await readingsOf(content, by.run.options, () => accountFor(by));
  } catch (error) {
    by.signal.throwIfAborted();
    if (error instanceof ErrorResponse || error instanceof NoResponse || isOfDisk(error)) throw error;
    // The next file does not wait, whatever this one does to its reader.
    return messageOf(error);
  }
};

const untilSent = async (by: FoundUploads, readings: Readings, target: ReplayTarget): Promise<void> => {
  const { run, places, participant, outage, signal, wait, say } = by;
  const onPart = ({ warnings }: { readonly warnings: readonly string[] }): void => {
    outage.ended();
    for (const warning of warnings) say(`warning: ${harmless(warning)}`);
  };
  for (;;) {
    const { state, refused, from } = rememberedOf(places, target);
    try {
      await sendAll({ participant, readings, from, state, refused, options: run.options, onPart }, signal);
      return;
    } catch (error) {
      signal.throwIfAborted();
      if (!isPassing(error)) throw error;
      outage.began(error, `${filesWait(places)}; trying again`);
      await wait(restAfter(LOOK_MS, error.retryAfter));
    }
  }
};

interface Remembered {
  readonly state: ReplayState;
  readonly refused: RefusedReadings;
  readonly from: number;
}

const rememberedOf = ({ progress }: Places, target: ReplayTarget): Remembered => {
  const state = progressOf(progress, target);
  const from = state.resumed?.line ?? 0;
  return { state, refused: refusedIn(refusedFile(progress, target), from), from };
};

/** Damaged progress is none: readings that are sent again do no harm. */
const progressOf = (progress: string, target: ReplayTarget): ReplayState => {
  try {
    return openReplayState(progress, target, false);
  } catch (error) {
    if (isOfDisk(error)) throw error;
    rmSync(progress);
    return openReplayState(progress, target, false);
  }
};

const filesWait = ({ folder }: Places): string => `files wait in ${folder}`;
