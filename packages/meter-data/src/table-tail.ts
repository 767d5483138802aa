import { type FaultList, quoted } from "./fault-list.js";

const MAX_TAIL = 20;

/** A line that is no reading. */
export interface OddLine {
  readonly line: number;
  readonly text: string;
  /** "": it has neither a time nor a value. */
  readonly fault: string;
}

/** Lines after the last reading, which are left out; they are faults if another reading follows. */
export class TableTail {
  private readonly lines: OddLine[] = [];

  constructor(private readonly faults: FaultList) {}

  /** Keeps a line until it is known what follows. Too many are faults. */
  keep(odd: OddLine): void {
    if (this.lines.length < MAX_TAIL) this.lines.push(odd);
    else this.refuse(odd);
  }

  /** A line that cannot be one after the last reading; those before it are faults, too. */
  refuse(odd: OddLine): void {
    this.flush();
    this.addFault(odd);
  }

  /** Another reading follows. */
  flush(): void {
    if (this.lines.length > 0) for (const odd of this.take()) this.addFault(odd);
  }

  take(): readonly OddLine[] {
    return this.lines.splice(0);
  }

  /** What is left at the end of the file. */
  finish(note: (line: number, message: string) => void): void {
    const [first] = this.lines;
    if (first === undefined) return;
    const what = this.lines.length === 1 ? "this line" : `${this.lines.length} lines`;
    note(first.line, `${what} after the last reading ${this.lines.length === 1 ? "is" : "are"} left out`);
  }

  private addFault({ line, text, fault }: OddLine): void {
    this.faults.add(line, fault || `the line ${quoted(text)} has no time and no value; remove it`);
  }
}
