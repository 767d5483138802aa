import { cellsOf } from "./cells.js";
import type { ProfiledGuess } from "./choose-profile.js";
import { doubtFault } from "./doubt-fault.js";
import { type FaultList, quoted, Unreadable } from "./fault-list.js";
import type { FormatResult } from "./format-reader.js";
import type { IntervalBudget } from "./interval-columns.js";
import { isTotal } from "./line-cells.js";
import type { Mapping } from "./mapping.js";
import { MatrixReader } from "./table-matrix.js";
import { RowsReader } from "./table-rows.js";
import { TableSeriesSet } from "./table-series.js";
import { type OddLine, TableTail } from "./table-tail.js";
import { type Zone, zoneOf } from "./zone.js";

const MAX_NAMED = 20;

export interface TableOptions {
  /** Of times without an offset; null: refused. */
  readonly zone: Zone | null;
  /** null: from the distance of times. */
  readonly intervalSeconds: number | null;
}

/** A table whose mapping is known. */
export class TableBody {
  private readonly series: TableSeriesSet;
  private readonly reader: RowsReader | MatrixReader;
  private readonly tail: TableTail;
  private readonly mapping: Mapping;
  private hasRead = false;
  private header = "";
  private leftOut = 0;

  constructor(
    private readonly guess: ProfiledGuess,
    budget: IntervalBudget,
    private readonly faults: FaultList,
    { zone, intervalSeconds }: TableOptions,
  ) {
    const { mapping } = guess;
    this.mapping = mapping;
    this.tail = new TableTail(faults);
    this.series = new TableSeriesSet(budget, faults, mapping, intervalSeconds);
    const Reader = mapping.layout === "matrix" ? MatrixReader : RowsReader;
    this.reader = new Reader(mapping, zoneIn(mapping, zone), this.series, faults);
  }

  read(text: string, line: number): void {
    const { skip_lines: skip, header_lines: headers, delimiter, leave_out: leaveOut } = this.mapping;
    if (line <= skip + headers) {
      if (line === skip + 1) this.header = text;
      return;
    }
    if (text.trim() === "") return;
    if (leaveOut.comments !== "" && text.startsWith(leaveOut.comments)) return this.leaveOut(line, "a comment");
    const cells = cellsOf(text, delimiter);
    if (cells !== null && this.fits(cells)) return this.readCells(cells, text, line);
    const count = cells?.length ?? "unmatched quotes instead of";
    this.suspect(cells, { line, text, fault: `the line has ${count} cells, the header ${this.guess.width}` });
  }

  *finish(first: readonly string[]): Generator<undefined, FormatResult> {
    this.tail.finish((line, message) => this.series.note(line, message));
    if (this.leftOut > MAX_NAMED)
      this.series.note(1, `${this.leftOut} totals, comments and repeated headers are left out`);
    if (this.reader instanceof RowsReader) this.reader.finish();
    const { series, notes, open } = yield* this.series.finish();
    const { mapping, lasting, reasons, header, profile } = this.guess;
    const doubts = [...this.guess.doubts, ...open.slice(0, MAX_NAMED)];
    for (const doubt of doubts)
      if (doubt.member !== "time.zone") this.faults.addLast(doubt.line, doubtFault(doubt, this.guess));
    const firstLines = first.map((text) => shownCells(text, mapping.delimiter));
    const table = { mapping, lasting, reasons, doubts, header, firstLines, profile };
    return { series, leftOut: [...this.series.leftOut.values()], notes, table };
  }

  private readCells(cells: readonly string[], text: string, line: number): void {
    const { leave_out: leaveOut } = this.mapping;
    if (this.reader.read(cells, line, true)) this.afterReading();
    else if (leaveOut.totals && isTotal(cells)) this.leaveOut(line, "a total");
    else if (text === this.header && text !== "") this.beginPart(line);
    else if (this.isHeader(cells)) this.beginPart(line, cells);
    else if (this.reader.isReading(cells) || !this.hasRead) {
      this.reader.read(cells, line, false);
      this.afterReading();
    } else this.suspect(cells, { line, text, fault: "" });
  }

  private afterReading(): void {
    this.hasRead = true;
    this.tail.flush();
  }

  /** As many cells as the header; those beyond are empty, and missing ones have no meaning. */
  private fits(cells: readonly string[]): boolean {
    if (cells.length === this.guess.width) return true;
    return cells.length > this.guess.width
      ? cells.slice(this.guess.width).every((cell) => cell === "")
      : cells.length >= this.reader.columns;
  }

  /** The header again, or that of another part: what is above it are titles. */
  private beginPart(line: number, cells: readonly string[] | null = null): void {
    for (const title of this.tail.take()) this.leaveOut(title.line, "a title");
    this.leaveOut(line, cells === null ? "the header again" : "the header of another part");
    if (this.reader instanceof RowsReader) this.reader.beginPart(cells, this.guess.stated);
  }

  /** Names where lines have their time and values, after readings. */
  private isHeader(cells: readonly string[]): boolean {
    const { time, values, layout, meter_columns: meters, header_lines: headers } = this.mapping;
    const places = [...time.columns, ...values.map(({ column }) => column)];
    return (
      this.hasRead &&
      layout === "rows" &&
      headers > 0 &&
      meters.length === 0 &&
      places.every((column) => /\p{L}{2}/u.test(cells[column - 1] ?? ""))
    );
  }

  private leaveOut(line: number, what: string): void {
    if (this.leftOut++ < MAX_NAMED) this.series.note(line, `the line is left out: it is ${what}`);
  }

  /** A line that is no reading: a fault, unless nothing but such lines follows. */
  private suspect(cells: readonly string[] | null, odd: OddLine): void {
    const isFooter = this.hasRead && (cells === null || (!this.reader.hasTime(cells) && !this.reader.isReading(cells)));
    if (isFooter) this.tail.keep(odd);
    else this.tail.refuse(odd);
  }
}

const zoneIn = ({ time }: Mapping, zone: Zone | null): Zone | null => {
  if (time.zone === null) return zone;
  const known = zoneOf(time.zone);
  if (known === null)
    throw new Unreadable(
      1,
      `the time zone ${quoted(time.zone)} is unknown; give an IANA name or an offset such as +08:00`,
    );
  return known;
};

/** Of the first lines, as people see them. */
const shownCells = (text: string, delimiter: string): string[] =>
  (cellsOf(text, delimiter) ?? [text]).slice(0, 500).map((cell) => cell.slice(0, 100));
