export { intervalsAt } from "./interval-columns.js";
export type { Fault, Format, Intervals, LeftOut, MeterData, ReadOptions, Series } from "./meter-data.js";
export { MeterDataReader } from "./meter-data-reader.js";
export { type Summed, summed } from "./sum-series.js";
export { type Summary, summaryOf } from "./summary.js";
