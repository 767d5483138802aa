import type { MeterData } from "@curtail/meter-data";
import { Slots } from "../../platform/slots.js";
import type { FileToRead } from "./import-ports.js";

/** What the reading of a file may use. */
export interface ReadingBudget {
  /** Processor time: the largest file of the usual kind takes three seconds. */
  readonly cpuMs: number;
  readonly heapMb: number;
}

/** Reads a file in a thread of its own, which ends with its budget. */
export type ReadInThread = (
  file: FileToRead,
  budget: ReadingBudget,
) => Promise<{ readonly value: MeterData } | { readonly exceeded: keyof ReadingBudget }>;

export const READING_BUDGET: ReadingBudget = { cpuMs: 20_000, heapMb: 256 };
/** Each takes a processor and memory. An account has at most one, so that it leaves room for others. */
const THREADS = 2;

/** Reads files of meter data in a thread of their own; they take turns. */
export const meterDataReading = (read: ReadInThread, budget = READING_BUDGET) => {
  const slots = new Slots(THREADS);
  return async (file: FileToRead): Promise<MeterData> => {
    const result = await slots.run(() => read(file, budget));
    return "value" in result ? result.value : tooCostly(result.exceeded, file, budget);
  };
};

const tooCostly = (exceeded: keyof ReadingBudget, { options }: FileToRead, budget: ReadingBudget): MeterData => {
  const limit = exceeded === "cpuMs" ? `${budget.cpuMs / 1000} s of processor time` : `${budget.heapMb} MB of memory`;
  const message = `reading the file takes more than ${limit}; check that it is of this format, or split it into several files`;
  return {
    format: options.format ?? "csv",
    series: [],
    leftOut: [],
    notes: [],
    faults: [{ line: 1, message }],
    faultCount: 1,
    table: null,
  };
};
