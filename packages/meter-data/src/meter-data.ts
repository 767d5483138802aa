import type { KeptProfile, UsedProfile } from "./kept-profile.js";
import type { StatedMapping, TableReading } from "./mapping.js";

/** Formats of files. */
export type Format = "green_button" | "nem12" | "csv";

/** What is wrong in a file, where, and what to do. */
export interface Fault {
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

/** Intervals as columns, ascending and without overlaps: a file may have a million. */
export interface Intervals {
  readonly count: number;
  /** Unix milliseconds. */
  readonly startMs: Float64Array;
  readonly seconds: Int32Array;
  /** Mean power: positive for load, negative for export. NaN where the file states that there is no data. */
  readonly powerKw: Float64Array;
  /** 1 where the value was estimated or substituted. */
  readonly isEstimated: Uint8Array;
  /** Line of the file. */
  readonly line: Int32Array;
}

/** The readings of one stream of a meter. */
export interface Series {
  /** Identifies it in the file: NMI and suffix, usage point and meter reading, or column. */
  readonly name: string;
  /** Further words of the file about it. */
  readonly description: string | null;
  /** Unit of its values in the file, for example `Wh`. */
  readonly unit: string;
  readonly intervals: Intervals;
}

/** A part of the file that is not load or export, for example reactive energy. */
export interface LeftOut {
  readonly name: string;
  readonly line: number;
  readonly reason: string;
}

/** How a table was read, and its beginning as cells. */
export interface Table extends TableReading {
  readonly firstLines: readonly (readonly string[])[];
  /** The profile that it was read by; null: none. */
  readonly profile: UsedProfile | null;
}

/** What a file has. Series are complete only without faults. */
export interface MeterData {
  readonly format: Format;
  readonly series: readonly Series[];
  readonly leftOut: readonly LeftOut[];
  /** What was assumed where the file leaves it open, by line. */
  readonly notes: readonly Fault[];
  /** The first ones, by line. */
  readonly faults: readonly Fault[];
  readonly faultCount: number;
  /** How a CSV file was read; null for other formats, or without any table. */
  readonly table: Table | null;
}

/** How to read a file. */
export interface ReadOptions {
  /** Default: what the file begins like. */
  readonly format?: Format | undefined;
  /**
   * For times without an offset: an IANA time zone, or an offset such as `+08:00`. NEM12 takes an offset only; its default
   * is the market's time, `+10:00`.
   */
  readonly timezone?: string | undefined;
  /** Length of the intervals of a CSV file that does not state it; default: the commonest distance of its times. */
  readonly intervalSeconds?: number | undefined;
  /** What is known of the columns of a CSV file; the rest is guessed. */
  readonly mapping?: StatedMapping | undefined;
  /** What else is known of them: members of `mapping` go before those of the profile. */
  readonly profile?: KeptProfile | undefined;
  /** Without a profile, the first of these that has the header of the file is used: give the newest first. */
  readonly kept?: readonly KeptProfile[] | undefined;
}
