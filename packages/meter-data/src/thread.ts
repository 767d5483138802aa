// Reads one file in a thread of its own, which `platform/runtime/thread.ts` of the server starts and bounds.
import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import type { MeterData, ReadOptions } from "./meter-data.js";
import { MeterDataReader } from "./meter-data-reader.js";

const isLinux = process.platform === "linux";
/** Leaves the processor to the service. On Linux, and there only, priorities belong to threads. */
const NICENESS = 10;
/** Shorter files are read at once. */
const SHORT_BYTES = 1_000_000;

const reader = new MeterDataReader(workerData as ReadOptions);

const ended = (): MeterData => {
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

let bytes = 0;
parentPort?.on("message", (piece: Uint8Array | null) => {
  if (piece !== null) {
    if (isLinux && bytes <= SHORT_BYTES && bytes + piece.length > SHORT_BYTES) setPriority(NICENESS);
    bytes += piece.length;
    reader.add(piece);
    return;
  }
  const value = ended();
  parentPort?.postMessage({ value }, columnsOf(value));
});
