import { join } from "node:path";
import type { Participant } from "@curtail/client";
import type { Spool } from "@curtail/spool";
import { CommandFailure, usageFault } from "../admin-io.js";
import type { Printer } from "../printer.js";
import { type BegunInput, begin, linesOf, wholeOf } from "./input.js";
import { forgetInput, inputsIn, type KeptInput, keepInput, keptInputs, moveAway, readInput } from "./kept-input.js";
import { meterChoice } from "./meter-choice.js";
import type { Outage } from "./outage.js";
import { meterFileReadings } from "./reading-file.js";
import { appendAll } from "./reading-spool.js";
import { accountOfFiles, LOOK_MS } from "./sites-of.js";
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
  /** @param until ends the wait sooner */
  readonly wait: (ms: number, until?: AbortSignal) => Promise<void>;
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
  const { lines, whole } = source === null ? { lines: null, whole: null } : await taken(reading, source);
  let own: string | null = null;
  if (whole !== null) {
    if (kind === "controllable-load") throw usageFault("controllable load is uploaded as NDJSON");
    const { format, ...others } = options;
    const fileFormat = format === "ndjson" ? undefined : format;
    own = await keepInput(inputs, { content: whole, options: { ...others, format: fileFormat }, now });
  }
  const ofEarlierRun = { ...reading, onFirst: () => {} };
  if (kind === "telemetry")
    for (const each of await keptInputs(inputs))
      await convert(each === own ? reading : ofEarlierRun, await readInput(each));
  if (lines !== null) for await (const some of linesOf(lines)) await append(reading, some);
};

interface Taken {
  readonly lines: AsyncIterable<Uint8Array> | null;
  /** Of meter data, which makes sense as a whole only. */
  readonly whole: Uint8Array | null;
}

const taken = async (reading: Reading, source: AsyncIterable<Uint8Array>): Promise<Taken> => {
  const { format } = reading.options;
  if (format === "ndjson") return { lines: source, whole: null };
  const word = wordSoon(reading);
  try {
    const { isLines, isEmpty, all } = format === undefined ? await begin(source, () => word.begin()) : file(source);
    if (isLines || isEmpty) return { lines: all, whole: null };
    word.begin();
    return { lines: null, whole: await wholeOf(all) };
  } catch (error) {
    if (word.isBegun && reading.signal.aborted)
      reading.onFault("the input was not read to its end, and nothing of it is kept");
    throw error;
  } finally {
    word.end();
  }
};

const file = (all: AsyncIterable<Uint8Array>): BegunInput => ({ isLines: false, isEmpty: false, all });

const WORD_MS = 4000;

/** Says what a pipe that stays open waits for. */
const wordSoon = ({ print, wait }: Reading) => {
  const ended = new AbortController();
  const say = async (): Promise<void> => {
    await wait(WORD_MS, ended.signal);
    if (!ended.signal.aborted) print.note(WORD);
  };
  return {
    /** Whether something came that is no reading. */
    isBegun: false,
    begin() {
      // Stopping the command ends the wait, too, and is reported elsewhere.
      if (!this.isBegun) void say().catch(() => {});
      this.isBegun = true;
    },
    end: () => ended.abort(),
  };
};

const WORD =
  "curtail: what came so far is no reading in JSON; it is read as a file of meter data, and uploaded when the input ends. Readings in JSON are uploaded as they come with --format json";

const convert = async (reading: Reading, input: KeptInput): Promise<void> => {
  const { folder, print, onFault } = reading;
  const { meter, ...options } = input.options;
  const meanwhile = () => `the input is kept in ${folder}`;
  const account = { ...(await accountOfFiles(reading, meanwhile)), choice: meterChoice(meter) };
  try {
    const { notes, all } = await meterFileReadings(input.content, options, account);
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
