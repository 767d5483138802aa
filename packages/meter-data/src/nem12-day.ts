import { decimalOf } from "./cells.js";
import { quoted } from "./fault-list.js";
import type { Channel } from "./nem12-channel.js";
import { powerOf } from "./units.js";

const DAY_SECONDS = 86_400;
const QUALITY = /^[AEFNSV](\d{2})?$/;

type Report = (line: number, message: string) => void;
type Quality = "A" | "E" | "F" | "N" | "S";

/** A day of a channel: its 300 record, and the 400 records after it. */
export class Nem12Day {
  private readonly qualities: Array<Quality | null>;

  private constructor(
    private readonly channel: Channel,
    private readonly startMs: number,
    private readonly line: number,
    private readonly cells: readonly string[],
    private readonly quality: Quality | "V",
  ) {
    this.qualities = Array.from({ length: cells.length }, () => (quality === "V" ? null : quality));
  }

  /** null if the record has a fault. */
  static of(
    channel: Channel,
    { cells, line }: { readonly cells: readonly string[]; readonly line: number },
    offsetMs: number,
    report: Report,
  ): Nem12Day | null {
    const date = cells[1] ?? "";
    const midnightMs = dateMs(date);
    if (Number.isNaN(midnightMs)) {
      report(line, `the 300 record has the date ${quoted(date)}; give it as YYYYMMDD`);
      return null;
    }
    const expected = DAY_SECONDS / channel.seconds;
    const at = cells.findIndex((cell, index) => index >= 2 && QUALITY.test(cell));
    const values = at < 0 ? withoutEmptyEnd(cells).length - 2 : at - 2;
    if (values !== expected) {
      const minutes = channel.seconds / 60;
      report(line, `the day has ${values} values; a day of ${minutes}-minute intervals has ${expected}`);
      return null;
    }
    if (at < 0) {
      report(line, "the 300 record has no quality after its values; give A, S, F, E, N or V");
      return null;
    }
    const quality = (cells[at] ?? "").slice(0, 1) as Quality | "V";
    return new Nem12Day(channel, midnightMs - offsetMs, line, cells.slice(2, at), quality);
  }

  /** Applies a 400 record: the quality of the intervals from one number to another. */
  addQuality(cells: readonly string[], line: number, report: Report): void {
    const [, from = "", to = "", quality = ""] = cells;
    const [first, last] = [Number(from), Number(to)];
    const isRange = /^\d{1,4}$/.test(from) && /^\d{1,4}$/.test(to) && first >= 1 && first <= last;
    if (this.quality !== "V") report(line, "a 400 record follows a day whose quality is not V; remove it");
    else if (!isRange || last > this.cells.length)
      report(line, `the 400 record has intervals ${quoted(`${from} to ${to}`)}; the day has 1 to ${this.cells.length}`);
    else if (!QUALITY.test(quality) || quality.startsWith("V"))
      report(line, `the 400 record has the quality ${quoted(quality)}; give A, S, F, E or N`);
    else if (this.qualities.slice(first - 1, last).some((known) => known !== null))
      report(line, "the 400 record has intervals that an earlier one has, too; remove one of them");
    else this.qualities.fill(quality.slice(0, 1) as Quality, first - 1, last);
  }

  /** Adds the intervals to those of the channel. */
  close(report: Report): void {
    const missing = this.qualities.indexOf(null);
    if (missing >= 0) {
      report(this.line, `no 400 record has interval ${missing + 1} of this day, whose quality is V; add it`);
      return;
    }
    for (const [index, cell] of this.cells.entries()) this.add(index, cell, report);
  }

  private add(index: number, cell: string, report: Report): void {
    const { unit, sign, seconds, columns } = this.channel;
    const quality = this.qualities[index];
    const value = quality === "N" ? Number.NaN : decimalOf(cell);
    if (quality !== "N" && !(value >= 0)) {
      report(this.line, `value ${index + 1} of the day is ${quoted(cell)}; give a number of at least 0`);
      return;
    }
    const power = powerOf(value, unit, seconds);
    columns.add({
      startMs: this.startMs + index * seconds * 1000,
      seconds,
      value: power === 0 ? 0 : sign * power,
      isEstimated: quality !== "A" && quality !== "N",
      line: this.line,
    });
  }
}

const withoutEmptyEnd = (cells: readonly string[]): readonly string[] =>
  cells.slice(0, cells.findLastIndex((cell) => cell !== "") + 1);

const dateMs = (date: string): number => {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(date) ?? [];
  const text = `${year}-${month}-${day}`;
  const found = year === undefined ? Number.NaN : Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(found) || new Date(found).toISOString().slice(0, 10) !== text ? Number.NaN : found;
};
