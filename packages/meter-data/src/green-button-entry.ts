import type { IntervalColumns } from "./interval-columns.js";

/** Members of a ReadingType that decide what its values are. */
export type ReadingType = Readonly<Record<string, string>>;

/** An Atom entry, as far as intervals need it. */
export interface Entry {
  readonly line: number;
  id: string;
  title: string;
  self: string;
  up: string;
  readonly related: string[];
  kind: "UsagePoint" | "MeterReading" | "ReadingType" | "IntervalBlock" | null;
  /** Kind of the service of a usage point; "0" is electricity. */
  service: string | null;
  type: Record<string, string> | null;
  readonly blocks: Block[];
}

export interface Block {
  readonly line: number;
  /** Values without their multiplier; lengths are 0 if not stated. */
  readonly rows: IntervalColumns;
}

export const emptyEntry = (line: number): Entry => ({
  line,
  id: "",
  title: "",
  self: "",
  up: "",
  related: [],
  kind: null,
  service: null,
  type: null,
  blocks: [],
});

/** `a/b/` and `a/b` are the same address. */
export const address = (href: string): string => href.trim().replace(/\/+$/, "");

/** The entry that contains another: one of its links names the other's collection, or its address begins the other's. */
export const ownerOf = (entry: Entry, all: readonly Entry[]): Entry | null => {
  const linked = all.find((each) => entry.up !== "" && each.related.includes(entry.up));
  const above = all.find((each) => each.self !== "" && entry.self.startsWith(`${each.self}/`));
  // A file with one of them often has no useful links.
  return linked ?? above ?? (all.length === 1 ? (all[0] ?? null) : null);
};

export const typeOf = (reading: Entry, all: readonly Entry[]): Entry | null =>
  all.find((each) => each.self !== "" && reading.related.includes(each.self)) ??
  (all.length === 1 ? (all[0] ?? null) : null);

const lastPart = ({ self, id }: Entry): string => (self === "" ? id : (self.split("/").at(-1) ?? ""));

/** `5446AF3F/01`: the ids of usage point and meter reading. */
export const nameOf = (reading: Entry, point: Entry | null): string =>
  point === null ? lastPart(reading) : `${lastPart(point)}/${lastPart(reading)}`;
