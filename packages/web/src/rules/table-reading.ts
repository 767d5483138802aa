import type { operator } from "@curtail/contract";

/** What is said of a table before it is read. */
export type Stated = operator.StatedMeterDataMapping;
export type Doubt = NonNullable<operator.MeterDataResult["doubts"]>[number];

/** How a table was read, and what it leaves open. */
export interface Reading {
  readonly mapping: operator.MeterDataMapping;
  readonly doubts: readonly Doubt[];
  /** Whether it is by a profile, whose list of values is replaced as a whole by one that is stated. */
  readonly isByProfile?: boolean;
}

export const isOpen = ({ doubts }: Pick<Reading, "doubts">, member: string, column?: number): boolean =>
  doubts.some((doubt) => doubt.member === member && (column === undefined || (doubt.column ?? column) === column));
