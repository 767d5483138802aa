import { createRequire } from "node:module";
import type { MeterData } from "@curtail/meter-data";
import { runInThread } from "../../platform/runtime/thread.js";
import { meterDataReading, READING_BUDGET } from "../../telemetry/operations/read-meter-data.js";

/** The compiled module: a thread has no loader for sources, and the bundle has no file for it. */
const MODULE = createRequire(import.meta.url).resolve("@curtail/meter-data/thread");

/** Reads files of meter data in threads. */
export const readMeterDataFiles = (budget = READING_BUDGET) =>
  meterDataReading(
    ({ pieces, options, signal }, budget) =>
      runInThread<MeterData>({ module: MODULE, data: options, pieces, budget, signal }),
    budget,
  );
