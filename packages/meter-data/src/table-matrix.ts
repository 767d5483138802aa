import { type FaultList, quoted } from "./fault-list.js";
import { meterIn, noNumber } from "./line-cells.js";
import type { Mapping } from "./mapping.js";
import { type Day, MatrixDays } from "./matrix-day.js";
import { numberReader } from "./number-form.js";
import { RowTimeReader, textOf } from "./row-time.js";
import { type TableSeries, type TableSeriesSet, unitIn } from "./table-series.js";
import type { Zone } from "./zone.js";

/** Reads lines with a day each. */
export class MatrixReader {
  private readonly times: RowTimeReader;
  private readonly number: (cell: string) => number | null;
  private readonly matrix: NonNullable<Mapping["matrix"]>;
  /** Intervals of a day of 24 hours. */
  private readonly usual: number;
  private readonly days: MatrixDays;

  constructor(
    private readonly mapping: Mapping,
    private readonly zone: Zone | null,
    private readonly series: TableSeriesSet,
    private readonly faults: FaultList,
  ) {
    this.times = new RowTimeReader(mapping.time, zone);
    this.number = numberReader(mapping);
    this.matrix = mapping.matrix ?? { columns: 24, extra_from: null, clock: null };
    this.usual = this.matrix.columns - (this.matrix.extra_from === null ? 0 : this.matrix.columns / 25);
    const note = (line: number, message: string) => series.note(line, message);
    this.days = new MatrixDays(this.matrix, this.usual, mapping.leave_out.doubled_hour, faults, note);
  }

  get columns(): number {
    return (this.mapping.values[0]?.column ?? 1) + this.usual - 1;
  }

  hasTime(cells: readonly string[]): boolean {
    return !Number.isNaN(this.times.dateOf(cells));
  }

  isReading(cells: readonly string[]): boolean {
    const at = (this.mapping.values[0]?.column ?? 1) - 1;
    return cells.slice(at, at + this.usual).some((cell) => cell !== "" && this.number(cell) !== null);
  }

  /** Reads a line, whatever it has. Returns whether it has a date, unless only lines with one are to be read. */
  read(cells: readonly string[], line: number, needsTime: boolean): boolean {
    const dateMs = this.times.dateOf(cells);
    if (needsTime && Number.isNaN(dateMs)) return false;
    this.readDay(cells, dateMs, line);
    return true;
  }

  private readDay(cells: readonly string[], dateMs: number, line: number): void {
    const [value] = this.mapping.values;
    if (value === undefined) return;
    const text = textOf(cells, this.mapping.time.columns);
    if (Number.isNaN(dateMs))
      return this.faults.add(line, `the date is ${quoted(text)}; its format is ${this.mapping.time.format}`);
    if (this.zone === null)
      return this.faults.add(
        line,
        `the time ${quoted(text)} has no offset from UTC; add it, or state the file's time zone`,
      );
    const { unit_column: unitColumn } = this.mapping;
    const unitCell = unitColumn === null ? null : (cells[unitColumn - 1] ?? "");
    const unit = unitIn(value, unitCell);
    if (unit === null)
      return this.series.note(
        line,
        `the line is left out: its unit is ${quoted(unitCell ?? "")}, which is no active energy or power`,
      );
    const series = this.series.of(value, meterIn(cells, this.mapping), unit, line);
    if (series === null) return;
    const values = this.valuesOf(cells, value.column - 1, series, line);
    if (values !== null) this.addDay(series, { values, dateMs, line, zone: this.zone });
  }

  private valuesOf(cells: readonly string[], at: number, series: TableSeries, line: number): number[] | null {
    const values: number[] = [];
    for (let index = 0; index < this.matrix.columns; index++) {
      const cell = cells[at + index] ?? "";
      const found = this.number(cell);
      if (found === null) {
        this.faults.add(line, noNumber(cell, `${series.name}, interval ${index + 1} of the day,`));
        return null;
      }
      values.push(found);
    }
    return values;
  }

  private addDay(series: TableSeries, day: Day): void {
    const found = this.days.of(day);
    if (found === null) return;
    const { startMs, seconds, values } = found;
    for (const [at, value] of values.entries())
      series.rows.add({ startMs: startMs + at * seconds * 1000, seconds, value, isEstimated: false, line: day.line });
  }
}
