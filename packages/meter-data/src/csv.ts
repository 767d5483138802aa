import { guessStated, type Stated, statedFor, type TableStatement } from "./choose-profile.js";
import { type FaultList, Unreadable } from "./fault-list.js";
import type { FormatReader, FormatResult } from "./format-reader.js";
import { headerOf } from "./guess-curtail.js";
import type { IntervalBudget } from "./interval-columns.js";
import { LineSplitter } from "./line-splitter.js";
import { TableBody, type TableOptions } from "./table-body.js";

/** Lines before a first guess; if it leaves something open, more are waited for. */
const HEAD_LINES = 500;
const MAX_FIRST_LINES = 20;
const NOTHING: TableStatement = { timezone: null, mapping: {}, profile: null, kept: [] };

export interface CsvOptions extends TableOptions {
  /** What is known of the columns; the rest is guessed. */
  readonly statement?: TableStatement;
}

/** Reads a table by a mapping that is stated or guessed. */
export class CsvReader implements FormatReader {
  private readonly lines = new LineSplitter((text, line) => this.take(text, line));
  /** Lines before the mapping is known. */
  private head: string[] = [];
  private waitFor = HEAD_LINES;
  /** By the first lines, so that lines that follow do not change it. */
  private stated: Stated | null = null;
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
    this.stated ??= statedFor(this.head, this.options.statement ?? NOTHING);
    const guess = guessStated(this.head, this.stated, isWhole);
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
    this.stated = null;
    return null;
  }
}
