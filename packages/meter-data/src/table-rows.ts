import { decimalOf } from "./cells.js";
import { type FaultList, quoted } from "./fault-list.js";
import { isExportName, seriesName } from "./guess-values.js";
import { lengthFault, MAX_INTERVAL_SECONDS, MAX_NAME } from "./interval-columns.js";
import type { Mapping, ValueMapping } from "./mapping.js";
import { numberReader } from "./number-form.js";
import { type Span, spanOf } from "./row-span.js";
import { RowTimeReader, type RowTimes, skippedFault, textOf } from "./row-time.js";
import { type LineMeter, type TableSeriesSet, unitIn } from "./table-series.js";
import type { Unit } from "./units.js";
import { plain, tokensOf, words } from "./words.js";
import type { Zone } from "./zone.js";

const UNKNOWN = 0;

/** Reads lines with an interval each. */
export class RowsReader {
  private readonly times: RowTimeReader;
  private readonly number: (cell: string) => number | null;
  private readonly lastColumn: number;
  private values: readonly ValueMapping[];
  private units: ReadonlyMap<ValueMapping, Unit | null>;
  private skipped = 0;
  /** Lines that end before they begin, when clocks are set back. */
  private setBack = 0;
  /** Intervals that were read, and lines with longer ones than may be. */
  private intervals = 0;
  private long: { readonly line: number; readonly fault: string; count: number } | null = null;
  private readonly otherUnits = new Map<string, { line: number; count: number }>();

  constructor(
    private readonly mapping: Mapping,
    zone: Zone | null,
    private readonly series: TableSeriesSet,
    private readonly faults: FaultList,
  ) {
    this.times = new RowTimeReader(mapping.time, zone);
    this.number = numberReader(mapping);
    this.lastColumn = lastColumnOf(mapping);
    this.values = mapping.values;
    this.units = new Map(mapping.values.map((value) => [value, unitIn(value, null)]));
  }

  get columns(): number {
    return this.lastColumn;
  }

  /** Another header follows: its names are those of the series below. null: it is the first again. */
  beginPart(header: readonly string[] | null): void {
    this.values = this.mapping.values.map((value): ValueMapping => {
      const name =
        header === null ? value.name : seriesName({ name: header[value.column - 1] ?? "", column: value.column });
      return {
        ...value,
        name,
        sign: name !== null && name !== value.name && isExportName(name) ? "export" : value.sign,
      };
    });
    this.units = new Map(this.values.map((value) => [value, unitIn(value, null)]));
  }

  hasTime(cells: readonly string[]): boolean {
    return this.times.localOf(cells) !== null;
  }

  /** Whether a line has a value where lines have it. */
  isReading(cells: readonly string[]): boolean {
    const hasValue = this.mapping.values.some(({ column }) => {
      const cell = cells[column - 1] ?? "";
      return cell !== "" && this.number(cell) !== null;
    });
    return hasValue;
  }

  /** Reads a line, whatever it has. Returns whether it has a time, unless only lines with one are to be read. */
  read(cells: readonly string[], line: number, needsTime: boolean): boolean {
    const found = this.times.read(cells);
    if (needsTime && "fault" in found && found.isNone) return false;
    this.readValues(cells, line, found);
    return true;
  }

  private readValues(cells: readonly string[], line: number, found: RowTimes | { readonly fault: string }): void {
    const stated = this.statedSeconds(cells, line);
    if (stated === null) return;
    const meter = meterIn(cells, this.mapping);
    const unitCell = this.unitCell(cells, line);
    if (unitCell === undefined) return;
    const span = "fault" in found || stated !== UNKNOWN ? null : this.spanOf(found, line);
    if (span !== null && span.seconds > MAX_INTERVAL_SECONDS) return this.addLong(span.seconds, cells, line);
    for (const value of this.values) {
      const unit = unitCell === null ? (this.units.get(value) ?? null) : unitIn(value, unitCell);
      if (unit === null) return this.leaveOutUnit(unitCell ?? "", line);
      const series = this.series.of(value, meter, unit, line);
      if (series === null) continue;
      if ("fault" in found) return this.faults.add(line, found.fault);
      const number = this.valueOf(cells, value);
      if (number === null) {
        this.faults.add(line, noNumber(cells[value.column - 1] ?? "", series.name));
        continue;
      }
      if (this.isSkipped(found, number, cells, line)) continue;
      const { time, seconds } = span ?? { time: found.time, seconds: stated };
      if (found.end !== null && this.isFaulty(seconds, cells, line)) return;
      this.intervals += 1;
      const isStart = time.skipped === "first" && this.mapping.time.label === "start";
      const skippedText = isStart ? textOf(cells, this.mapping.time.columns) : null;
      const isEstimated = this.isEstimated(cells);
      this.series.add(series, time, { startMs: time.atMs, seconds, value: number, isEstimated, line }, skippedText);
    }
  }

  finish(): void {
    for (const [unit, { line, count }] of this.otherUnits)
      this.series.note(line, `${count} lines in ${quoted(unit)} are left out, which is no active energy or power`);
    if (this.skipped > MAX_NAMED)
      this.series.note(1, `${this.skipped} lines with times that clocks skip are left out, since they have no value`);
    if (this.setBack > MAX_NAMED)
      this.series.note(1, `${this.setBack} intervals end before they begin, when clocks are set back`);
    if (this.long === null) return;
    const { line, fault, count } = this.long;
    if (count >= this.intervals) this.faults.add(line, fault);
    else this.series.note(line, `${count} lines with intervals longer than an hour, beside shorter ones, are left out`);
  }

  private isEstimated(cells: readonly string[]): boolean {
    const { quality_column: column } = this.mapping;
    return column !== null && tokensOf(cells[column - 1] ?? "").some((word) => words.estimated.has(word));
  }

  /** undefined: the line is left out. null: there is no such column. */
  private unitCell(cells: readonly string[], line: number): string | null | undefined {
    const { unit_column: column } = this.mapping;
    if (column === null) return null;
    const cell = cells[column - 1] ?? "";
    if (cell !== "") return cell;
    this.faults.add(line, `the line has no unit in column ${column}; give it`);
    return undefined;
  }

  private leaveOutUnit(unit: string, line: number): void {
    const known = this.otherUnits.get(unit);
    if (known !== undefined) known.count += 1;
    else if (this.otherUnits.size < MAX_UNITS) this.otherUnits.set(unit, { line, count: 1 });
    else this.faults.add(line, `the unit is ${quoted(unit)}; give Wh, kWh, MWh, W, kW or MW`);
  }

  /** A time that clocks skip: without a value it is left out by name; with one it is a fault, or may be the time after. */
  private isSkipped({ time, end }: RowTimes, value: number, cells: readonly string[], line: number): boolean {
    const isNamedEnd = time.skipped === "first" && this.mapping.time.label === "end";
    if (time.skipped === null || isNamedEnd) return false;
    const text = textOf(cells, this.mapping.time.columns);
    if (Number.isNaN(value) || value === 0) {
      if (this.skipped++ < MAX_NAMED)
        this.series.note(line, `clocks skip the time ${quoted(text)}; the line has no value and is left out`);
    } else if (time.skipped === "first" && end === null) return false;
    else this.faults.add(line, skippedFault(text));
    return true;
  }

  /** Of the line by its column; 0: not stated. null: it is a fault. */
  private statedSeconds(cells: readonly string[], line: number): number | null {
    const { seconds_column: column } = this.mapping;
    if (column === null) return UNKNOWN;
    const seconds = decimalOf(cells[column - 1] ?? "");
    const fault = lengthFault(seconds);
    if (fault !== null) this.faults.add(line, fault);
    return fault === null ? seconds : null;
  }

  /** From start to end, whatever its length is. */
  private spanOf(found: RowTimes, line: number): Span {
    const span = spanOf(found, this.mapping.interval_seconds);
    if (span.time !== found.time && this.setBack++ < MAX_NAMED)
      this.series.note(
        line,
        "the interval ends before it begins, when clocks are set back; it begins as they show its hour again",
      );
    return span;
  }

  private addLong(seconds: number, cells: readonly string[], line: number): void {
    const fault = `${textOf(cells, this.mapping.time.columns)}: ${lengthFault(seconds)}`;
    this.long ??= { line, fault, count: 0 };
    this.long.count += 1;
  }

  private isFaulty(seconds: number, cells: readonly string[], line: number): boolean {
    const fault = lengthFault(seconds);
    if (fault !== null) this.faults.add(line, `${textOf(cells, this.mapping.time.columns)}: ${fault}`);
    return fault !== null;
  }

  /** NaN: no data. An interval of which parts are missing is none: its energy is not known. null: no number. */
  private valueOf(cells: readonly string[], { column }: ValueMapping): number | null {
    const { coverage_column: coverage } = this.mapping;
    if (coverage !== null && decimalOf(cells[coverage - 1] ?? "") < 1) return Number.NaN;
    return this.number(cells[column - 1] ?? "");
  }
}

const MAX_NAMED = 10;
const MAX_UNITS = 20;

export const noNumber = (cell: string, name: string): string =>
  `the value ${quoted(cell)} of ${name} is no number; correct it or leave it empty`;

export const meterIn = (cells: readonly string[], mapping: Mapping): LineMeter => ({
  name: nameIn(cells, mapping),
  fullName: mapping.meter_name_column === null ? "" : (cells[mapping.meter_name_column - 1] ?? "").slice(0, MAX_CELL),
});

/** Longer than the name of any meter. */
const MAX_CELL = 2 * MAX_NAME;

const nameIn = (cells: readonly string[], { meter_columns: columns }: Mapping): string => {
  const [first, ...more] = columns;
  if (first === undefined) return "";
  if (more.length === 0) return cells[first - 1] ?? "";
  return columns
    .map((column) => cells[column - 1] ?? "")
    .filter((cell) => cell !== "")
    .join(":");
};

const lastColumnOf = ({
  time,
  values,
  meter_columns: meters,
  unit_column: unit,
  seconds_column: seconds,
  matrix,
}: Mapping): number =>
  Math.max(
    ...time.columns,
    ...time.end_columns,
    ...values.map(({ column }) => column + (matrix === null ? 0 : matrix.columns - 1)),
    ...meters,
    unit ?? 0,
    seconds ?? 0,
  );

/** Whether a line begins with a word for a total. */
export const isTotal = (cells: readonly string[]): boolean => {
  const first = cells.find((cell) => cell !== "") ?? "";
  const [word = ""] = tokensOf(plain(first));
  return words.total.has(word);
};
