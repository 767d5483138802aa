import { open } from "node:fs/promises";
import type { CsvSource } from "../config/other-config.js";
import { messageOf } from "./device.js";
import { numberIn } from "./number-text.js";

/** A value of a line; `atMs` is null if the file has no time. */
export interface CsvValue {
  readonly value: number;
  readonly atMs: number | null;
}

export interface CsvNews {
  readonly values: readonly CsvValue[];
  /** What is wrong with the newest line or the file; null: nothing. */
  readonly fault: string | null;
}

/** Of a file that is longer, the end is read at the start. */
const TAIL_BYTES = 65_536;
const LARGEST_HEADER = 4_096;
const NEWLINE = 10;

/** Reads the lines that are added to a file. The first line has the names of the columns. */
export class CsvTail {
  private offset: number | null = null;
  private inode: number | null = null;

  constructor(private readonly source: CsvSource) {}

  async read(): Promise<CsvNews> {
    try {
      const { header, lines } = await this.newLines();
      return this.valuesOf(header, lines);
    } catch (error) {
      return { values: [], fault: messageOf(error) };
    }
  }

  private async newLines(): Promise<{ readonly header: string; readonly lines: readonly string[] }> {
    const file = await open(this.source.file);
    try {
      const { size, ino } = await file.stat();
      const head = (await file.read(Buffer.alloc(LARGEST_HEADER), 0, LARGEST_HEADER, 0)).buffer.toString("utf8");
      const header = head.split(/\r?\n/, 1)[0] ?? "";
      const from = this.startOf(size, ino, Buffer.byteLength(header) + 1);
      const length = Math.max(0, Math.min(size - from, TAIL_BYTES * 16));
      const bytes = Buffer.alloc(length);
      await file.read(bytes, 0, length, from);
      // A line that is still being written is read the next time.
      const end = bytes.lastIndexOf(NEWLINE) + 1;
      const isCut = this.offset === null && from > Buffer.byteLength(header) + 2;
      this.offset = from + end;
      this.inode = ino;
      const lines = bytes
        .subarray(0, end)
        .toString("utf8")
        .split(/\r?\n/)
        .slice(isCut ? 1 : 0);
      return { header, lines: lines.filter((line) => line.trim() !== "") };
    } finally {
      await file.close();
    }
  }

  /** A file that was replaced or cut is read from its beginning. */
  private startOf(size: number, inode: number, first: number): number {
    const isOther = this.inode !== null && (inode !== this.inode || size < (this.offset ?? 0));
    if (isOther) this.offset = first;
    return this.offset ?? Math.max(first, size - TAIL_BYTES);
  }

  private valuesOf(header: string, lines: readonly string[]): CsvNews {
    const { column, time, delimiter } = this.source;
    const names = cellsOf(header, delimiter);
    const [valueAt, timeAt] = [names.indexOf(column), time === null ? -1 : names.indexOf(time)];
    if (valueAt === -1 || (time !== null && timeAt === -1))
      return { values: [], fault: `${this.source.file} has no column ${valueAt === -1 ? column : time}` };
    const values: CsvValue[] = [];
    let fault: string | null = null;
    for (const line of lines) {
      const read = valueOf(cellsOf(line, delimiter), valueAt, timeAt);
      if ("fault" in read) fault = read.fault;
      else {
        fault = null;
        values.push(read);
      }
    }
    // Without times only the newest line can be placed.
    return { values: time === null ? values.slice(-1) : values, fault };
  }
}

const cellsOf = (line: string, delimiter: string): readonly string[] =>
  line.split(delimiter).map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));

const WITH_OFFSET = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d)$/;

const valueOf = (cells: readonly string[], valueAt: number, timeAt: number): CsvValue | { readonly fault: string } => {
  const number = numberIn(cells[valueAt] ?? "", null);
  if ("fault" in number || timeAt === -1) return "fault" in number ? number : { value: number.value, atMs: null };
  const text = cells[timeAt] ?? "";
  const atMs = WITH_OFFSET.test(text) ? Date.parse(text.replace(" ", "T")) : Number.NaN;
  return Number.isNaN(atMs)
    ? { fault: `"${text}" is not a time with an offset, such as 2026-07-01T18:00:00Z` }
    : { value: number.value, atMs };
};
