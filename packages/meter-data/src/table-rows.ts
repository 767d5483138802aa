import { decimalOf } from "./cells.js";
import type { FaultList } from "./fault-list.js";
import { seriesName } from "./guess-value-columns.js";
import { statedValue } from "./guess-values.js";
import { lengthFault, MAX_INTERVAL_SECONDS } from "./interval-columns.js";
import { lastColumnOf, meterIn, noNumber } from "./line-cells.js";
import type { Mapping, StatedMapping, ValueMapping } from "./mapping.js";
import { numberReader } from "./number-form.js";
import { RowNotes } from "./row-notes.js";
import { type Span, spanOf } from "./row-span.js";
import { RowTimeReader, type RowTimes, skippedFault, textOf } from "./row-time.js";
import { type TableSeriesSet, unitIn } from "./table-series.js";
import type { Unit } from "./units.js";
import { tokensOf, words } from "./words.js";
import type { Zone } from "./zone.js";

const UNKNOWN = 0;

/** Reads lines with an interval each. */
export class RowsReader {
  private readonly times: RowTimeReader;
  private readonly number: (cell: string) => number | null;
  private readonly lastColumn: number;
  private readonly notes: RowNotes;
  private values: readonly ValueMapping[];
  private units: ReadonlyMap<ValueMapping, Unit | null>;
  private intervals = 0;

  constructor(
    private readonly mapping: Mapping,
    zone: Zone | null,
    private readonly series: TableSeriesSet,
    private readonly faults: FaultList,
  ) {
    this.times = new RowTimeReader(mapping.time, zone);
    this.number = numberReader(mapping);
    this.lastColumn = lastColumnOf(mapping);
    this.notes = new RowNotes((line, message) => series.note(line, message), faults);
    this.values = mapping.values;
    this.units = unitsOf(this.values);
  }

  get columns(): number {
    return this.lastColumn;
  }

  /** Another header follows: its names are those of the series below. null: it is the first again. */
  beginPart(header: readonly string[] | null, stated: StatedMapping): void {
    const { values } = this.mapping;
    this.values = header === null ? values : values.map((value) => namedBy(header, value, stated));
    this.units = unitsOf(this.values);
  }

  hasTime(cells: readonly string[]): boolean {
    return this.times.localOf(cells) !== null;
  }

  /** Whether a line has a value where lines have it. */
  isReading(cells: readonly string[]): boolean {
    return this.mapping.values.some(({ column }) => {
      const cell = cells[column - 1] ?? "";
      return cell !== "" && this.number(cell) !== null;
    });
  }

  /** Reads a line, whatever it has. Returns whether it has a time, unless only lines with one are to be read. */
  read(cells: readonly string[], line: number, needsTime: boolean): boolean {
    const found = this.times.read(cells);
    if (needsTime && "fault" in found && found.isNone) return false;
    this.readValues(cells, line, found);
    return true;
  }

  finish(): void {
    this.notes.finish(this.intervals);
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
      if (unit === null) return this.notes.addOtherUnit(line, unitCell ?? "");
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

  /** A time that clocks skip: without a value it is left out by name; with one it is a fault, or may be the time after. */
  private isSkipped({ time, end }: RowTimes, value: number, cells: readonly string[], line: number): boolean {
    const isNamedEnd = time.skipped === "first" && this.mapping.time.label === "end";
    if (time.skipped === null || isNamedEnd) return false;
    const text = textOf(cells, this.mapping.time.columns);
    if (Number.isNaN(value) || value === 0) this.notes.addSkipped(line, text);
    else if (time.skipped === "first" && end === null) return false;
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
    if (span.time !== found.time) this.notes.addSetBack(line);
    return span;
  }

  private addLong(seconds: number, cells: readonly string[], line: number): void {
    this.notes.addLong(line, `${textOf(cells, this.mapping.time.columns)}: ${lengthFault(seconds)}`);
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

const unitsOf = (values: readonly ValueMapping[]): ReadonlyMap<ValueMapping, Unit | null> =>
  new Map(values.map((value) => [value, unitIn(value, null)]));

/** With its name in this header, and the sign by it, unless that is stated. */
const namedBy = (header: readonly string[], value: ValueMapping, stated: StatedMapping): ValueMapping => {
  const name = seriesName({ name: header[value.column - 1] ?? "", column: value.column });
  if (name === value.name) return value;
  return { ...value, name, sign: statedValue(stated, value).sign ?? "by_name" };
};
