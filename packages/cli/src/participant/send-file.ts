import type { Participant } from "@curtail/client";
import { usageFault } from "../admin-io.js";
import type { ReplayState } from "../replay-state.js";
import type { FileAccount } from "./kept-mappings.js";
import { meterChoice } from "./meter-choice.js";
import { isNdjson, meterFileReadings, ndjsonReadings, type Readings } from "./reading-file.js";
import type { RefusedReadings } from "./refused-readings.js";
import type { UploadOptions } from "./upload-options.js";
import { kindOf, partsOf, type UploadedReadings, uploadReadings } from "./upload-readings.js";

/** @param accountOf asked for meter data only, which names its meters and may be read by a mapping that is kept */
export const readingsOf = async (
  content: Uint8Array,
  { format, meter, controllableLoad, ...options }: UploadOptions,
  accountOf: () => Promise<FileAccount>,
): Promise<Readings> => {
  if (format === "ndjson" || (format === undefined && isNdjson(content))) return ndjsonReadings(content);
  if (controllableLoad === true) throw usageFault("controllable load is uploaded as NDJSON");
  const choice = meterChoice(meter);
  return meterFileReadings(content, { format, ...options }, { ...(await accountOf()), choice });
};

/** A file's readings on their way. */
export interface Sending {
  readonly participant: Participant;
  readonly readings: Readings;
  /** Readings that an earlier run has dealt with. */
  readonly from: number;
  readonly state: Pick<ReplayState, "acknowledge">;
  readonly refused: Pick<RefusedReadings, "add">;
  readonly options: Pick<UploadOptions, "controllableLoad">;
  /** Called when a part is stored or refused, and noted. */
  readonly onPart: (part: SentPart) => void;
}

export interface SentPart extends Omit<UploadedReadings, "setAside"> {
  readonly sent: number;
  /** By their index in the file. */
  readonly refused: UploadedReadings["setAside"];
}

/** Sends what no earlier run has dealt with. */
export const sendAll = async (sending: Sending, signal: AbortSignal): Promise<void> => {
  const { participant, readings, from, state, refused, options, onPart } = sending;
  let at = 0;
  for (const part of partsOf(readings.all(), STEP)) {
    const [first, end] = [at, at + part.length];
    at = end;
    if (end <= from) continue;
    const rest = part.slice(Math.max(0, from - first));
    const { setAside, ...uploaded } = await uploadReadings({ participant, kind: kindOf(options), signal }, rest);
    const placed = setAside.map((each) => ({ ...each, index: end - rest.length + each.index }));
    refused.add(placed);
    state.acknowledge(end, 0);
    onPart({ ...uploaded, refused: placed, sent: rest.length });
  }
};

/** Readings between two notes of the progress. */
const STEP = 10_000;
