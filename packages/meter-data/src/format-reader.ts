import type { Fault, LeftOut, Series, Table } from "./meter-data.js";

/** Reads one format from text that arrives in pieces. Throws `Unreadable` where nothing after can be understood. */
export interface FormatReader {
  /** Line that is read now. */
  readonly line: number;
  add(text: string): void;
  /** After the last piece; yields between steps, so that the caller can pause. */
  finish(): Generator<undefined, FormatResult>;
}

export interface FormatResult {
  readonly series: readonly Series[];
  readonly leftOut: readonly LeftOut[];
  /** What was assumed, by line. */
  readonly notes: readonly Fault[];
  /** How a table was read; absent for other formats. */
  readonly table?: Table;
}
