import { type FaultList, quoted } from "./fault-list.js";

/** Kinds of lines that are named one by one; of more, their number is. */
const MAX_NAMED = 10;
const MAX_UNITS = 20;

type Note = (line: number, message: string) => void;

/** Words about lines that are left out, or read in another way than they are written. */
export class RowNotes {
  private skipped = 0;
  /** Lines that end before they begin, when clocks are set back. */
  private setBack = 0;
  private long: { readonly line: number; readonly fault: string; count: number } | null = null;
  private readonly otherUnits = new Map<string, { line: number; count: number }>();

  constructor(
    private readonly note: Note,
    private readonly faults: FaultList,
  ) {}

  addSkipped(line: number, text: string): void {
    if (this.skipped++ < MAX_NAMED)
      this.note(line, `clocks skip the time ${quoted(text)}; the line has no value and is left out`);
  }

  addSetBack(line: number): void {
    if (this.setBack++ < MAX_NAMED)
      this.note(
        line,
        "the interval ends before it begins, when clocks are set back; it begins as they show its hour again",
      );
  }

  /** Its interval is longer than a load curve has. */
  addLong(line: number, fault: string): void {
    this.long ??= { line, fault, count: 0 };
    this.long.count += 1;
  }

  addOtherUnit(line: number, unit: string): void {
    const known = this.otherUnits.get(unit);
    if (known !== undefined) known.count += 1;
    else if (this.otherUnits.size < MAX_UNITS) this.otherUnits.set(unit, { line, count: 1 });
    else this.faults.add(line, `the unit is ${quoted(unit)}; give Wh, kWh, MWh, W, kW or MW`);
  }

  /** @param intervals how many were read */
  finish(intervals: number): void {
    for (const [unit, { line, count }] of this.otherUnits)
      this.note(line, `${count} lines in ${quoted(unit)} are left out, which is no active energy or power`);
    if (this.skipped > MAX_NAMED)
      this.note(1, `${this.skipped} lines with times that clocks skip are left out, since they have no value`);
    if (this.setBack > MAX_NAMED)
      this.note(1, `${this.setBack} intervals end before they begin, when clocks are set back`);
    if (this.long === null) return;
    const { line, fault, count } = this.long;
    if (count >= intervals) this.faults.add(line, fault);
    else this.note(line, `${count} lines with intervals longer than an hour, next to shorter ones, are left out`);
  }
}
