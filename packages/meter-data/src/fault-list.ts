import type { Fault } from "./meter-data.js";

const MAX_KEPT = 1000;
/** A file with more is of another kind, or must be exported again: the rest is not read. */
const MAX_FAULTS = 10_000;
const MAX_QUOTED = 60;

/** Ends the reading of a file: what follows cannot be understood. */
export class Unreadable extends Error {
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message);
    this.name = "Unreadable";
  }
}

/** Collects faults; the first thousand are kept. */
export class FaultList {
  count = 0;
  private readonly kept: Fault[] = [];

  /** Throws `Unreadable` after too many. */
  add(line: number, message: string): void {
    if (this.count === MAX_FAULTS)
      throw new Unreadable(line, `the file has more than ${MAX_FAULTS} faults; what follows was not read`);
    this.addLast(line, message);
  }

  addLast(line: number, message: string): void {
    this.count += 1;
    if (this.kept.length < MAX_KEPT) this.kept.push({ line, message });
  }

  byLine(): Fault[] {
    return this.kept.toSorted((a, b) => a.line - b.line);
  }
}

/** Shortens what a message repeats of the file. */
export const quoted = (text: string): string => {
  const printable = text.slice(0, MAX_QUOTED).replaceAll(/[\p{Cc}\p{Cs}]/gu, "\ufffd");
  return `"${printable}${text.length > MAX_QUOTED ? "…" : ""}"`;
};
