import { cellsOf, decimalOf } from "./cells.js";
import { assignTwiceShown, type TwiceShown } from "./csv-doubled-hour.js";
import { type CsvHeader, headerOf, type ValueColumn } from "./csv-header.js";
import { timeOf } from "./csv-time.js";
import { type FaultList, quoted, Unreadable } from "./fault-list.js";
import type { FormatReader, FormatResult } from "./format-reader.js";
import { type IntervalBudget, IntervalColumns, lengthFault, MAX_NAME, MAX_SERIES, STEP } from "./interval-columns.js";
import { LineSplitter } from "./line-splitter.js";
import type { Fault, Intervals, Series } from "./meter-data.js";
import { settled } from "./settle-series.js";
import { powerOf, type Unit } from "./units.js";
import { utc, type Zone } from "./zone.js";

const UNKNOWN = 0;

interface CsvSeries {
  readonly name: string;
  readonly unit: Unit;
  /** Times, lengths (0 if not stated) and values as the file has them. */
  readonly rows: IntervalColumns;
  readonly twice: TwiceShown[];
}

export interface CsvOptions {
  /** Of times without an offset; null: refused. */
  readonly zone: Zone | null;
  /** null: from the distance of times. */
  readonly intervalSeconds: number | null;
}

/** Reads CSV with a line for each interval, and a column of values, or one for each meter. */
export class CsvReader implements FormatReader {
  private readonly lines = new LineSplitter((text, line) => this.read(text, line));
  private readonly series = new Map<string, CsvSeries>();
  private header: CsvHeader | null = null;

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
    const series: Series[] = [];
    const notes: Fault[] = [];
    const report = {
      note: (line: number, message: string) => void notes.push({ line, message }),
      fault: (line: number, message: string) => this.faults.add(line, message),
    };
    for (const { name, unit, rows, twice } of this.series.values()) {
      assignTwiceShown(name, rows, twice, report);
      const intervals = yield* this.intervalsOf(name, unit, rows);
      if (intervals !== null) series.push({ name, description: null, unit: unit.name, intervals });
    }
    return { series, leftOut: [], notes };
  }

  private read(text: string, line: number): void {
    if (text.trim() === "") return;
    if (this.header === null) {
      this.header = headerOf(text, line);
      return;
    }
    const cells = cellsOf(text, this.header.separator);
    if (cells?.length === this.header.count) this.readCells(cells, this.header, line);
    else
      this.faults.add(
        line,
        `the line has ${cells?.length ?? "unmatched quotes instead of"} cells, the header ${this.header.count}`,
      );
  }

  private readCells(cells: readonly string[], header: CsvHeader, line: number): void {
    const seconds = this.secondsOf(cells, header, line);
    if (seconds === null) return;
    for (const column of header.values) {
      const series = this.seriesOf(column, cells[header.meter] ?? "", line);
      const { time } = header;
      const found = timeOf(cells[time.at] ?? "", time.isUtc ? utc : this.options.zone);
      if ("fault" in found) return this.faults.add(line, found.fault);
      const value = valueOf(cells, column, header);
      if (value === null)
        this.faults.add(
          line,
          `the value ${quoted(cells[column.at] ?? "")} of ${series.name} is no number; correct it or leave it empty`,
        );
      else {
        if (found.laterMs !== null) series.twice.push({ at: series.rows.count, laterMs: found.laterMs });
        series.rows.add({ startMs: found.atMs, seconds, value, isEstimated: false, line });
      }
    }
  }

  /** null: it is a fault. */
  private secondsOf(cells: readonly string[], { seconds: at }: CsvHeader, line: number): number | null {
    if (at < 0) return UNKNOWN;
    const seconds = decimalOf(cells[at] ?? "");
    const fault = lengthFault(seconds);
    if (fault !== null) this.faults.add(line, fault);
    return fault === null ? seconds : null;
  }

  private seriesOf({ name, unit }: ValueColumn, meter: string, line: number): CsvSeries {
    const wanted = name ?? meter;
    const known = this.series.get(wanted);
    if (known !== undefined) return known;
    if (this.series.size === MAX_SERIES)
      throw new Unreadable(line, `the file has more than ${MAX_SERIES} meters; split it into several files`);
    if (wanted.length > MAX_NAME)
      throw new Unreadable(
        line,
        `the name ${quoted(wanted)} of a meter has more than ${MAX_NAME} characters; shorten it`,
      );
    if (wanted === "") throw new Unreadable(line, "the line names no meter; give its name or id");
    const rows = new IntervalColumns(this.budget);
    const series = { name: wanted, unit, rows, twice: [] };
    this.series.set(wanted, series);
    return series;
  }

  /** null: there are none, or their length is not known. */
  private *intervalsOf(name: string, unit: Unit, rows: IntervalColumns): Generator<undefined, Intervals | null> {
    if (rows.count === 0) return null;
    const usual = this.options.intervalSeconds ?? shortestDistance(rows);
    const isStated = rows.seconds[0] !== UNKNOWN;
    const fault = isStated ? null : usual === null ? ONLY_ONE : lengthFault(usual);
    if (fault !== null) {
      this.faults.add(rows.line[0] ?? 1, `${name}: ${fault}`);
      return null;
    }
    const isEnd = this.header?.time.isEnd ?? true;
    for (let at = 0; at < rows.count; at++) {
      if (at % STEP === 0) yield;
      const seconds = rows.seconds[at] || (usual ?? 0);
      rows.seconds[at] = seconds;
      rows.startMs[at] = (rows.startMs[at] ?? 0) - (isEnd ? seconds * 1000 : 0);
      rows.powerKw[at] = powerOf(rows.powerKw[at] ?? 0, unit, seconds);
    }
    return yield* settled(name, rows, this.faults);
  }
}

const ONLY_ONE = "the length of its intervals is unknown, since it has one time only; add a column interval_seconds";

/** NaN: no data. An interval of which parts are missing is none: its energy is not known. null: no number. */
const valueOf = (cells: readonly string[], { at }: ValueColumn, { coverage, separator }: CsvHeader): number | null => {
  const cell = cells[at] ?? "";
  if (cell === "" || (coverage >= 0 && decimalOf(cells[coverage] ?? "") < 1)) return Number.NaN;
  const value = decimalOf(separator === "," ? cell : cell.replace(",", "."));
  return Number.isNaN(value) ? null : value;
};

/** In seconds; null if the file has one time only. */
const shortestDistance = ({ count, startMs }: IntervalColumns): number | null => {
  const times = startMs.slice(0, count).sort();
  let shortest = Number.POSITIVE_INFINITY;
  for (let at = 1; at < count; at++) {
    const distance = (times[at] ?? 0) - (times[at - 1] ?? 0);
    if (distance > 0 && distance < shortest) shortest = distance;
  }
  return shortest === Number.POSITIVE_INFINITY ? null : shortest / 1000;
};
