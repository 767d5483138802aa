import { type FaultList, quoted } from "./fault-list.js";
import type { Mapping } from "./mapping.js";
import { numberReader } from "./number-form.js";
import { RowTimeReader, textOf } from "./row-time.js";
import { meterIn, noNumber } from "./table-rows.js";
import { type TableSeries, type TableSeriesSet, unitIn } from "./table-series.js";
import type { Zone } from "./zone.js";

const DAY_MS = 86_400_000;

/** Reads lines with a day each. */
export class MatrixReader {
  private readonly times: RowTimeReader;
  private readonly number: (cell: string) => number | null;
  private readonly matrix: NonNullable<Mapping["matrix"]>;
  /** Intervals of a day of 24 hours. */
  private readonly usual: number;

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

  private addDay(series: TableSeries, { values, dateMs, line, zone }: Day): void {
    const [startMs, endMs] = [dateMs, dateMs + DAY_MS].map((ms) => zone.instantsOf(ms)[0] ?? zone.changeOver(ms).atMs);
    const seconds = DAY_MS / 1000 / this.usual;
    const count = ((endMs ?? 0) - (startMs ?? 0)) / 1000 / seconds;
    if (!Number.isInteger(count))
      return this.faults.add(
        line,
        "the clocks change within an interval on this day; give times with an offset from UTC",
      );
    const found =
      count === this.usual
        ? this.ofUsualDay(values, line)
        : count < this.usual
          ? this.ofShortDay(values, { count, dateMs, line, zone, seconds })
          : this.ofLongDay(values, { count, dateMs, line, zone, seconds });
    for (const [at, value] of (found ?? []).entries())
      series.rows.add({ startMs: (startMs ?? 0) + at * seconds * 1000, seconds, value, isEstimated: false, line });
  }

  private withoutExtra(values: readonly number[], line: number): readonly number[] | null {
    const { extra_from: from } = this.matrix;
    if (from === null) return values;
    const extra = values.slice(from - 1, from - 1 + values.length - this.usual);
    if (extra.some((value) => !isBlank(value))) {
      this.faults.add(
        line,
        `the day has values in the columns of a 25th hour, and its clocks are not set back; check the time zone`,
      );
      return null;
    }
    return values.toSpliced(from - 1, extra.length);
  }

  private ofUsualDay(values: readonly number[], line: number): readonly number[] | null {
    return this.withoutExtra(values, line);
  }

  /** The columns of the hour that clocks skip are blank, or the last ones. */
  private ofShortDay(all: readonly number[], { count, dateMs, line, zone, seconds }: Change): readonly number[] | null {
    const values = this.withoutExtra(all, line);
    if (values === null) return null;
    const missing = this.usual - count;
    const at = skippedPlace(dateMs, zone, seconds, missing);
    const [inside, last] = [values.slice(at, at + missing), values.slice(count)];
    const isPossible = { local: inside.every(isBlank), elapsed: last.every(isBlank) };
    const clock = this.matrix.clock ?? told(isPossible, inside, last);
    if (clock === null || !isPossible[clock]) {
      const why =
        isPossible.local && isPossible.elapsed
          ? "the day's columns do not tell which hour is skipped"
          : "the day has values for an hour that clocks skip";
      this.faults.add(line, `${why}; state mapping {"matrix":{"clock":"local"}} or "elapsed", or check the time zone`);
      return null;
    }
    this.series.note(
      line,
      `clocks skip an hour on this day; the ${clock === "local" ? "columns of that hour" : "last columns"} are blank and left out`,
    );
    return clock === "local" ? values.toSpliced(at, missing) : values.slice(0, count);
  }

  private ofLongDay(
    values: readonly number[],
    { count, dateMs, line, zone, seconds }: Change,
  ): readonly number[] | null {
    if (values.length === count) {
      if (this.isHourOpen(values)) {
        this.faults.add(
          line,
          "clocks are set back on this day, and the columns of its 25th hour are empty; fill them, or leave the day out",
        );
        return null;
      }
      return values;
    }
    if (this.matrix.extra_from === null && this.mapping.leave_out.doubled_hour) {
      const more = count - values.length;
      const at = doubledPlace(dateMs, zone, seconds);
      const blank = Array.from({ length: 2 * more }, () => Number.NaN);
      this.series.note(line, "clocks show an hour of this day twice, and the line has it once; it is left out");
      return values.toSpliced(at, more, ...blank);
    }
    this.faults.add(
      line,
      `the day has ${count} intervals, since clocks show an hour twice, and the line has ${values.length}; leave the hour out with mapping {"leave_out":{"doubled_hour":true}}`,
    );
    return null;
  }

  private isHourOpen(values: readonly number[]): boolean {
    const { extra_from: from } = this.matrix;
    return (
      from !== null &&
      values.slice(from - 1, from - 1 + values.length - this.usual).every(Number.isNaN) &&
      values.some((value) => !Number.isNaN(value))
    );
  }
}

interface Day {
  readonly values: readonly number[];
  readonly dateMs: number;
  readonly line: number;
  readonly zone: Zone;
}

interface Change extends Omit<Day, "values"> {
  readonly count: number;
  readonly seconds: number;
}

const isBlank = (value: number): boolean => Number.isNaN(value) || value === 0;

/** Empty cells tell more than zeros, which a night has, too. */
const told = (
  isPossible: { readonly local: boolean; readonly elapsed: boolean },
  inside: readonly number[],
  last: readonly number[],
): "local" | "elapsed" | null => {
  if (isPossible.local !== isPossible.elapsed) return isPossible.local ? "local" : "elapsed";
  const [isInside, isLast] = [inside.every(Number.isNaN), last.every(Number.isNaN)];
  if (!isPossible.local || isInside === isLast) return null;
  return isInside ? "local" : "elapsed";
};

const skippedPlace = (dateMs: number, zone: Zone, seconds: number, missing: number): number => {
  const steps = DAY_MS / 1000 / seconds;
  for (let at = 0; at < steps; at++) if (zone.instantsOf(dateMs + at * seconds * 1000).length === 0) return at;
  return steps - missing;
};

const doubledPlace = (dateMs: number, zone: Zone, seconds: number): number => {
  const steps = DAY_MS / 1000 / seconds;
  for (let at = 0; at < steps; at++) if (zone.instantsOf(dateMs + at * seconds * 1000).length === 2) return at;
  return 0;
};
