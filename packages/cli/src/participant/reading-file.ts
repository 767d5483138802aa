import { readFile } from "node:fs/promises";
import type { TelemetryReading } from "@curtail/client";
import type { Intervals, MeterData, Series, Table } from "@curtail/meter-data";
import { CommandFailure, messageOf } from "../admin-io.js";
import { harmless } from "../human-form.js";
import { partSecondsOf } from "../part-seconds.js";
import { looksLikeLines, objectOf } from "./input.js";
import { type FileAccount, profileNotes, profileOptions, readAs } from "./kept-mappings.js";
import { type MetersOfSeries, metersOf } from "./meter-choice.js";
import type { MeterFileOptions } from "./upload-options.js";

/** Readings of a file, in its order, made when they are needed. */
export interface Readings {
  readonly count: number;
  readonly all: () => Iterable<object>;
  /** What the file has besides, for people. */
  readonly notes: readonly string[];
  /** How it was read, if by a mapping that is kept; otherwise "". */
  readonly readAs: string;
  /** How a CSV file was read; null for others. */
  readonly table: Table | null;
}

export const contentOf = async (file: string): Promise<Uint8Array> => {
  try {
    return await readFile(file);
  } catch (error) {
    throw new CommandFailure(`${file} cannot be read: ${messageOf(error)}`, undefined, { cause: error });
  }
};

export const isNdjson = (content: Uint8Array): boolean =>
  looksLikeLines(new TextDecoder().decode(content.subarray(0, BEGINNING_BYTES)), true) === true;

const BEGINNING_BYTES = 64 * 1024;

/** One reading a line, in the form of the interface. Throws a `CommandFailure` that names the lines that are no JSON. */
export const ndjsonReadings = (content: Uint8Array): Readings => {
  const lines = new TextDecoder().decode(content).split("\n");
  const faults: number[] = [];
  const readings = lines.flatMap((line, at) => {
    if (line.trim() === "") return [];
    const reading = objectOf(line);
    if (reading === null) faults.push(at + 1);
    return reading ?? [];
  });
  if (faults.length > 0)
    throw new CommandFailure(`line ${faults.slice(0, 20).join(", ")}: not a JSON object; nothing was sent`);
  return { count: readings.length, all: () => readings, notes: [], readAs: "", table: null };
};

/** Green Button, NEM12 or CSV. Throws a `CommandFailure` with the faults of the file. */
export const meterFileReadings = async (
  content: Uint8Array,
  { format, timezone, intervalSeconds, mappingProfile }: Omit<MeterFileOptions, "meter">,
  { sites, kept, choice }: FileAccount & { readonly choice: MetersOfSeries },
): Promise<Readings> => {
  const { MeterDataReader, summed } = await import("@curtail/meter-data");
  const profiles = await profileOptions(mappingProfile, kept);
  const reader = new MeterDataReader({ format, timezone, intervalSeconds, ...profiles });
  reader.add(content);
  const data = ended(reader.finish());
  refuseFaults(data);
  const ids = metersOf(data.series, sites, choice);
  const meters = [...new Set(ids)].map((id) => {
    const series = data.series.filter((_, at) => ids[at] === id);
    return { id, intervals: intervalsOf(series, summed) };
  });
  const notes = [
    ...profileNotes(data.table),
    ...data.leftOut.map(({ name, line, reason }) => `line ${line}: ${harmless(name)} is left out: ${reason}`),
    ...data.notes.map(({ line, message }) => `line ${line}: ${harmless(message)}`),
  ];
  return {
    count: meters.reduce((sum, { intervals }) => sum + readingCount(intervals), 0),
    *all() {
      for (const { id, intervals } of meters) yield* readingsOf(id, intervals);
    },
    notes,
    readAs: readAs(data.table),
    table: data.table,
  };
};

const refuseFaults = ({ faults, faultCount, table }: MeterData): void => {
  if (faultCount === 0) return;
  const lines = faults.map(({ line, message }) => `line ${line}: ${harmless(message)}`);
  const more = faultCount > faults.length ? [`and ${faultCount - faults.length} more faults`] : [];
  const by = profileNotes(table).map((note) => `${note}; --mapping-profile none has its columns guessed`);
  throw new CommandFailure([...lines, ...more, ...by, "nothing was sent"].join("\n"));
};

const intervalsOf = (
  series: readonly Series[],
  sum: (all: readonly Intervals[]) => Generator<undefined, { readonly intervals: Intervals }>,
): Intervals => ended(sum(series.map(({ intervals }) => intervals))).intervals;

const ended = <T>(work: Generator<undefined, T>): T => {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
};

const readingCount = ({ count, seconds, powerKw }: Intervals): number => {
  let readings = 0;
  for (let at = 0; at < count; at++)
    if (!Number.isNaN(powerKw[at])) readings += (seconds[at] ?? 0) / partSecondsOf(seconds[at] ?? 1);
  return readings;
};

/** Mean power is the same in each part. Intervals without data are left out. */
function* readingsOf(meter_id: string, { count, startMs, seconds, powerKw }: Intervals): Generator<TelemetryReading> {
  for (let at = 0; at < count; at++) {
    const [kW = Number.NaN, length = 0, fromMs = 0] = [powerKw[at], seconds[at], startMs[at]];
    if (Number.isNaN(kW)) continue;
    const interval_seconds = partSecondsOf(length);
    for (let end = interval_seconds; end <= length; end += interval_seconds)
      yield { meter_id, interval_seconds, timestamp: new Date(fromMs + end * 1000).toISOString(), kW };
  }
}
