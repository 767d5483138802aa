// Reads files, one after the other, in a thread which `platform/runtime/thread.ts` of the server starts and bounds.
import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import type { MeterData, ReadOptions } from "./meter-data.js";
import { MeterDataReader } from "./meter-data-reader.js";

const isLinux = process.platform === "linux";
/** Leaves the processor to the service. On Linux, and there only, priorities belong to threads. */
const NICENESS = 10;
/** Shorter files are read at once. */
const SHORT_BYTES = 1_000_000;

/** The options of a file, its pieces, and null at its end. */
type Message = { readonly data: ReadOptions } | Uint8Array | null;

const ended = (reader: MeterDataReader): MeterData => {
  const work = reader.finish();
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
};

/** Columns are handed over, not copied. */
const columnsOf = ({ series }: MeterData): ArrayBuffer[] =>
  series.flatMap(({ intervals: { startMs, seconds, powerKw, isEstimated, line } }) =>
    [startMs, seconds, powerKw, isEstimated, line].map(({ buffer }) => buffer as ArrayBuffer),
  );

// Its processor time is counted by this number.
if (isLinux) parentPort?.postMessage({ thread: Number(readlinkSync("/proc/thread-self").split("/").at(-1)) }, []);

let reader = new MeterDataReader({});
let bytes = 0;
parentPort?.on("message", (message: Message) => {
  if (message === null) {
    const value = ended(reader);
    parentPort?.postMessage({ value }, columnsOf(value));
  } else if (message instanceof Uint8Array) {
    if (isLinux && bytes <= SHORT_BYTES && bytes + message.length > SHORT_BYTES) setPriority(NICENESS);
    bytes += message.length;
    reader.add(message);
  } else {
    reader = new MeterDataReader(message.data);
    bytes = 0;
  }
});
