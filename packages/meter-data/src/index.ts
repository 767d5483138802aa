export { guessMapping } from "./guess.js";
export { intervalsAt } from "./interval-columns.js";
export type { Doubt, Mapping, StatedMapping, TableReading, TimeMapping, ValueMapping } from "./mapping.js";
export type { Fault, Format, Intervals, LeftOut, MeterData, ReadOptions, Series, Table } from "./meter-data.js";
export { MeterDataReader } from "./meter-data-reader.js";
export type { Profile } from "./profile.js";
export { profiles } from "./profiles.js";
export { type Summed, summed } from "./sum-series.js";
export { type Summary, summaryOf } from "./summary.js";
