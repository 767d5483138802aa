import { cellsOf } from "./cells.js";
import { type FaultList, quoted, Unreadable } from "./fault-list.js";
import type { FormatReader, FormatResult } from "./format-reader.js";
import { type Guess, guessMapping } from "./guess.js";
import { headerOf } from "./guess-curtail.js";
import type { IntervalBudget } from "./interval-columns.js";
import { LineSplitter } from "./line-splitter.js";
import type { Doubt, Mapping, StatedMapping } from "./mapping.js";
import { MatrixReader } from "./table-matrix.js";
import { isTotal, RowsReader } from "./table-rows.js";
import { type OpenLength, TableSeriesSet } from "./table-series.js";
import { type Zone, zoneOf } from "./zone.js";

/** Lines before a first guess; if it leaves something open, more are waited for. */
const HEAD_LINES = 500;
const MAX_TAIL = 20;
const MAX_FIRST_LINES = 20;
const MAX_NAMED = 20;

export interface CsvOptions {
  /** Of times without an offset; null: refused. */
  readonly zone: Zone | null;
  /** null: from the distance of times. */
  readonly intervalSeconds: number | null;
  /** What is known of the columns; the rest is guessed. */
  readonly mapping?: StatedMapping;
}

/** Reads a table by a mapping that is stated or guessed. */
export class CsvReader implements FormatReader {
  private readonly lines = new LineSplitter((text, line) => this.take(text, line));
  /** Lines before the mapping is known. */
  private head: string[] = [];
  private waitFor = HEAD_LINES;
  private body: TableBody | null = null;
  private readonly first: string[] = [];

  constructor(
    private readonly budget: IntervalBudget,
    private readonly faults: FaultList,
    private readonly options: CsvOptions,
  ) {}

  get line(): number {
    return this.lines.line;
  }

  add(text: string): void {
    this.lines.add(text);
  }

  *finish(): Generator<undefined, FormatResult> {
    this.lines.end();
    this.body ??= this.begin(true);
    return this.body === null ? { series: [], leftOut: [], notes: [] } : yield* this.body.finish(this.first);
  }

  private take(text: string, line: number): void {
    if (this.first.length < MAX_FIRST_LINES) this.first.push(text);
    if (this.body !== null) return this.body.read(text, line);
    this.head.push(text);
    if (this.head.length >= this.waitFor) this.body = this.begin(false);
  }

  /** null: more lines are needed, or there are none. */
  private begin(isWhole: boolean): TableBody | null {
    const guess = guessMapping(this.head, this.options.mapping ?? {}, isWhole);
    if (guess === null) return this.refuse(isWhole);
    if (guess.isOpen) {
      this.waitFor = this.head.length * 4;
      return null;
    }
    const body = new TableBody(guess, this.budget, this.faults, this.options);
    const { head } = this;
    this.head = [];
    for (const [at, text] of head.entries()) body.read(text, at + 1);
    return body;
  }

  /** Without any table, the header is that of Curtail's files, and says what is wrong with it. */
  private refuse(isWhole: boolean): null {
    const at = this.head.findIndex((text) => text.trim() !== "");
    if (at >= 0) {
      headerOf(this.head[at] ?? "", at + 1);
      throw new Unreadable(at + 1, "the file has no lines with a time and a value; state the columns in mapping");
    }
    if (!isWhole) this.head = this.head.slice(0, 0);
    return null;
  }
}

/** A table whose mapping is known. */
class TableBody {
  private readonly series: TableSeriesSet;
  private readonly reader: RowsReader | MatrixReader;
  private readonly tail: Array<{ readonly line: number; readonly text: string; readonly fault: string }> = [];
  private readonly mapping: Mapping;
  private hasRead = false;
  private header = "";
  private leftOut = 0;

  constructor(
    private readonly guess: Guess,
    budget: IntervalBudget,
    private readonly faults: FaultList,
    { zone, intervalSeconds }: CsvOptions,
  ) {
    const { mapping } = guess;
    this.mapping = mapping;
    this.series = new TableSeriesSet(budget, faults, mapping, intervalSeconds);
    const known = mapping.time.zone === null ? zone : zoneOf(mapping.time.zone);
    if (known === null && mapping.time.zone !== null)
      throw new Unreadable(
        1,
        `the time zone ${quoted(mapping.time.zone)} is unknown; give an IANA name or an offset such as +08:00`,
      );
    const Reader = mapping.layout === "matrix" ? MatrixReader : RowsReader;
    this.reader = new Reader(mapping, known, this.series, faults);
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
    if (cells === null || !this.fits(cells)) {
      const count = cells?.length ?? "unmatched quotes instead of";
      this.suspect(cells, { line, text, fault: `the line has ${count} cells, the header ${this.guess.width}` });
      return;
    }
    if (this.reader.read(cells, line, true)) this.afterReading();
    else if (leaveOut.totals && isTotal(cells)) this.leaveOut(line, "a total");
    else if (text === this.header && text !== "") this.beginPart(line);
    else if (this.isHeader(cells)) this.beginPart(line, cells);
    else if (this.reader.isReading(cells) || !this.hasRead) {
      this.reader.read(cells, line, false);
      this.afterReading();
    } else this.suspect(cells, { line, text, fault: "" });
  }

  *finish(first: readonly string[]): Generator<undefined, FormatResult> {
    if (this.tail.length > 0) {
      const line = this.tail[0]?.line ?? 1;
      this.series.note(
        line,
        `${this.tail.length === 1 ? "this line" : `${this.tail.length} lines`} after the last reading ${this.tail.length === 1 ? "is" : "are"} left out`,
      );
    }
    if (this.leftOut > MAX_NAMED)
      this.series.note(1, `${this.leftOut} totals, comments and repeated headers are left out`);
    if (this.reader instanceof RowsReader) this.reader.finish();
    const { series, notes, open } = yield* this.series.finish();
    const { mapping, reasons, header } = this.guess;
    const doubts = [...this.guess.doubts, ...open.slice(0, MAX_NAMED).map(lengthDoubt)];
    for (const doubt of doubts) if (doubt.member !== "time.zone") this.faults.addLast(doubt.line, doubtFault(doubt));
    const firstLines = first.map((text) =>
      (cellsOf(text, mapping.delimiter) ?? [text]).slice(0, 500).map((cell) => cell.slice(0, 100)),
    );
    return {
      series,
      leftOut: [...this.series.leftOut.values()],
      notes,
      table: { mapping, reasons, doubts, header, firstLines },
    };
  }

  private afterReading(): void {
    this.hasRead = true;
    if (this.tail.length > 0) this.flushTail();
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
    for (const title of this.tail.splice(0)) this.leaveOut(title.line, "a title");
    this.leaveOut(line, cells === null ? "the header again" : "the header of another part");
    if (this.reader instanceof RowsReader) this.reader.beginPart(cells);
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
  private suspect(
    cells: readonly string[] | null,
    at: { readonly line: number; readonly text: string; readonly fault: string },
  ): void {
    const isFooter = this.hasRead && (cells === null || (!this.reader.hasTime(cells) && !this.reader.isReading(cells)));
    if (isFooter && this.tail.length < MAX_TAIL) {
      this.tail.push(at);
      return;
    }
    this.flushTail();
    this.faults.add(at.line, at.fault || `the line ${quoted(at.text)} has no time and no value; remove it`);
  }

  private flushTail(): void {
    for (const { line, text, fault } of this.tail.splice(0))
      this.faults.add(line, fault || `the line ${quoted(text)} has no time and no value; remove it`);
  }
}

const lengthDoubt = ({ line, question, seconds }: OpenLength): Doubt => ({
  line,
  member: "interval_seconds",
  question,
  choices: seconds.map((value) => ({ value, meaning: "intervals are missing between them" })),
});

/** How a mapping answers a doubt: `time.format` is `{"time":{"format":…}}`. */
const answer = (member: string, value: unknown): string => {
  const [first = "", second] = member.split(/\[\]\.|\./);
  const inner = second === undefined ? value : { [second]: value };
  return JSON.stringify({ [first]: member.includes("[]") ? [inner] : member === "meter_columns" ? [inner] : inner });
};

const doubtFault = ({ member, question, choices }: Doubt): string => {
  const answers = choices.slice(0, 6).map(({ value, meaning }) => `${answer(member, value)} (${meaning})`);
  return answers.length === 0 ? question : `${question} State it with mapping ${answers.join(" or ")}`;
};
