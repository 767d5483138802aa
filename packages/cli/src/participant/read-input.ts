import { join } from "node:path";
import type { Participant } from "@curtail/client";
import type { Spool } from "@curtail/spool";
import { CommandFailure, usageFault } from "../admin-io.js";
import type { Printer } from "../printer.js";
import { begin, linesOf, wholeOf } from "./input.js";
import { forgetInput, inputsIn, type KeptInput, keepInput, keptInputs, moveAway, readInput } from "./kept-input.js";
import { meterChoice } from "./meter-choice.js";
import type { Outage } from "./outage.js";
import { isNdjson, meterFileReadings } from "./reading-file.js";
import { appendAll } from "./reading-spool.js";
import { LOOK_MS, sitesOf } from "./sites-of.js";
import type { ContentOptions } from "./upload-options.js";
import { type Kind, partsOf } from "./upload-readings.js";

export interface Reading {
  readonly participant: Participant;
  readonly spool: Spool;
  readonly kind: Kind;
  readonly folder: string;
  readonly options: ContentOptions;
  readonly now: Date;
  readonly print: Printer;
  readonly outage: Outage;
  readonly signal: AbortSignal;
  readonly wait: (ms: number) => Promise<void>;
  /** Called with the position of the first record of this run. */
  readonly onFirst: (position: number) => void;
  /** Called when records are in the spool. */
  readonly onKept: (records: number) => void;
  /** Called for meter data that cannot be read, or was not read to its end. */
  readonly onFault: (message: string) => void;
}

/**
 * Puts an input into the spool. NDJSON goes there line by line. Meter data has to be read whole, and needs the service
 * to find its meters: until then it is kept as it came. What earlier runs kept comes first.
 *
 * @param source null: only what was kept
 */
export const readInto = async (reading: Reading, source: AsyncIterable<Uint8Array> | null): Promise<void> => {
  const { folder, options, now, kind } = reading;
  const inputs = inputsIn(folder);
  const input = source === null ? null : await begin(source);
  const format = options.format ?? (input !== null && isNdjson(input.head) ? "ndjson" : undefined);
  const isLines = input !== null && format === "ndjson";
  let own: string | null = null;
  if (input !== null && format !== "ndjson" && input.head.length > 0) {
    if (kind === "controllable-load") throw usageFault("controllable load is uploaded as NDJSON");
    const content = await wholeInput(reading, input.all);
    own = await keepInput(inputs, { content, options: { ...options, format }, now });
  }
  const ofEarlierRun = { ...reading, onFirst: () => {} };
  if (kind === "telemetry")
    for (const each of await keptInputs(inputs))
      await convert(each === own ? reading : ofEarlierRun, await readInput(each));
  if (isLines) for await (const lines of linesOf(input.all)) await append(reading, lines);
};

const wholeInput = async ({ signal, onFault }: Reading, input: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  try {
    return await wholeOf(input);
  } catch (error) {
    if (signal.aborted) onFault("the input was not read to its end, and nothing of it is kept");
    throw error;
  }
};

const convert = async (reading: Reading, input: KeptInput): Promise<void> => {
  const { folder, print, onFault } = reading;
  const { meter, ...options } = input.options;
  const meanwhile = () => `the input is kept in ${folder}`;
  const choice = { sites: await sitesOf(reading, meanwhile), choice: meterChoice(meter) };
  try {
    const { notes, all } = await meterFileReadings(input.content, options, choice);
    for (const note of notes) print.note(note);
    for (const part of partsOf(all(), SYNCED))
      await append(
        reading,
        part.map((each) => JSON.stringify(each)),
      );
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    onFault(`${error.message}\nthe input is kept in ${await moveAway(input, join(folder, "refused"))}`);
    return;
  }
  await forgetInput(input);
};

/** Readings between two syncs of the spool. */
const SYNCED = 5000;

const append = async (reading: Reading, records: readonly string[]): Promise<void> => {
  const { spool, signal, wait, onFirst, onKept } = reading;
  signal.throwIfAborted();
  await appendAll(spool, records, { onFirst, waitForRoom: () => wait(LOOK_MS) });
  onKept(records.length);
};
