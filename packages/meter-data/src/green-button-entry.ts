import { Unreadable } from "./fault-list.js";
import { type IntervalColumns, MAX_NAME } from "./interval-columns.js";
import type { Fault } from "./meter-data.js";

/** Members of a ReadingType that decide what its values are. */
export const typeMembers = [
  "accumulationBehaviour",
  "dataQualifier",
  "flowDirection",
  "intervalLength",
  "powerOfTenMultiplier",
  "uom",
] as const;
export type TypeMember = (typeof typeMembers)[number];
export type ReadingType = { [N in TypeMember]?: string };

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
  type: ReadingType | null;
  /** Values of its blocks without their multiplier; lengths are 0 if not stated. null: it has none. */
  rows: IntervalColumns | null;
  /** The first faults of its readings, which count unless its series is left out. */
  readonly faults: Fault[];
  faultCount: number;
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
  rows: null,
  faults: [],
  faultCount: 0,
});

const MAX_ADDRESS = 2000;
/** Those of ESPI have 14. Each is looked up on the way to an entry's owner. */
const MAX_LEVELS = 32;
/** Those of a usage point: its meter readings, summaries, local time and a few more. */
const MAX_LINKS = 100;

/** `a/b/` and `a/b` are the same address. Throws `Unreadable` for what nobody writes. */
export const address = (href: string, line: number): string => {
  if (href.length > MAX_ADDRESS)
    throw new Unreadable(line, `a link has more than ${MAX_ADDRESS} characters; get the file again`);
  const parts = href.trim().split("/");
  const end = parts.findLastIndex((part) => part !== "") + 1;
  if (end > MAX_LEVELS)
    throw new Unreadable(line, `a link has more than ${MAX_LEVELS} levels; those of Green Button have 14`);
  return parts.slice(0, end).join("/");
};

export const addRelated = (entry: Entry, href: string, line: number): void => {
  if (entry.related.length === MAX_LINKS)
    throw new Unreadable(line, `an entry has more than ${MAX_LINKS} related links; those of Green Button have a few`);
  entry.related.push(href);
};

/** Entries of one kind, by the addresses in their links. */
export class Linked {
  private readonly bySelf = new Map<string, Entry>();
  private readonly byRelated = new Map<string, Entry>();
  /** A file with one of them often has no useful links. */
  private readonly only: Entry | null;

  constructor(all: readonly Entry[]) {
    const [first = null] = all;
    this.only = all.length === 1 ? first : null;
    for (const entry of all) {
      if (entry.self !== "") this.bySelf.set(entry.self, entry);
      for (const href of entry.related) this.byRelated.set(href, entry);
    }
  }

  /** The one that contains an entry: it links to the entry's collection, or its address begins the entry's. */
  ownerOf({ up, self }: Entry): Entry | null {
    const linked = up === "" ? undefined : this.byRelated.get(up);
    return linked ?? this.above(self) ?? this.only;
  }

  /** The one that an entry links to. */
  relatedTo({ related }: Entry): Entry | null {
    const href = related.find((each) => this.bySelf.has(each)) ?? "";
    return this.bySelf.get(href) ?? this.only;
  }

  private above(self: string): Entry | undefined {
    for (let at = self.lastIndexOf("/"); at > 0; at = self.lastIndexOf("/", at - 1)) {
      const found = this.bySelf.get(self.slice(0, at));
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

const lastPart = ({ self, id }: Entry): string => (self === "" ? id : (self.split("/").at(-1) ?? ""));

/** `5446AF3F/01`: the ids of usage point and meter reading. */
export const nameOf = (reading: Entry, point: Entry | null): string => {
  const name = point === null ? lastPart(reading) : `${lastPart(point)}/${lastPart(reading)}`;
  return name.slice(0, MAX_NAME);
};

export const descriptionOf = (reading: Entry, point: Entry | null): string | null => {
  const titles = [point?.title ?? "", reading.title].filter((title) => title !== "");
  return titles.join(", ").slice(0, MAX_NAME) || null;
};
