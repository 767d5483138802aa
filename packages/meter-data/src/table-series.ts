import { type ClockEnd, clockEndOf, readClockEnds } from "./clock-ends.js";
import { assignTwiceShown, type TwiceShown } from "./csv-doubled-hour.js";
import { type FaultList, quoted, Unreadable } from "./fault-list.js";
import { isExportName, isOtherEnergy } from "./guess-sign.js";
import { type Interval, type IntervalBudget, IntervalColumns, MAX_NAME, MAX_SERIES } from "./interval-columns.js";
import type { LineMeter } from "./line-cells.js";
import type { Doubt, Mapping, ValueMapping } from "./mapping.js";
import type { Fault, LeftOut, Series } from "./meter-data.js";
import type { ReadTime } from "./row-time.js";
import { type ReadSeries, SeriesIntervals } from "./series-intervals.js";
import { readShiftedHour } from "./shifted-hour.js";
import { type FirstSkipped, settleSkipped } from "./skipped-time.js";
import { type Unit, unitOf } from "./units.js";

export interface TableSeries extends ReadSeries {
  /** The name of its meter; "": the file has no other. */
  fullName: string;
  readonly twice: TwiceShown[];
  readonly clockEnds: ClockEnd[];
  readonly firstSkipped: FirstSkipped[];
}

export interface Finished {
  readonly series: readonly Series[];
  readonly notes: readonly Fault[];
  readonly open: readonly Doubt[];
}

/** The series of a table, while it is read. */
export class TableSeriesSet {
  readonly notes: Fault[] = [];
  readonly leftOut = new Map<string, LeftOut>();
  private readonly series = new Map<string, TableSeries>();

  constructor(
    private readonly budget: IntervalBudget,
    private readonly faults: FaultList,
    private readonly mapping: Mapping,
    private readonly statedSeconds: number | null,
  ) {}

  note(line: number, message: string): void {
    this.notes.push({ line, message });
  }

  /** null: what it counts is no electricity, by its name. */
  of(value: ValueMapping, { name: meter, fullName }: LineMeter, unit: Unit, line: number): TableSeries | null {
    const name = value.name === null ? meter : meter === "" ? value.name : `${meter}:${value.name}`;
    const known = this.series.get(name);
    if (known !== undefined) {
      known.fullName ||= fullName;
      return known;
    }
    if (this.leftOut.has(name)) return null;
    this.requireRoom(name, line);
    if (value.sign === "by_name" && isOtherEnergy(name)) {
      this.leftOut.set(name, { name, line, reason: "its name says that it is no electricity" });
      return null;
    }
    const isExport = value.sign === "export" || (value.sign === "by_name" && isExportName(name));
    const series: TableSeries = {
      name,
      fullName,
      column: value.column,
      unit,
      isRegister: value.kind === "cumulative",
      sign: isExport ? -1 : 1,
      isExportByName: isExport && value.sign === "by_name",
      rows: new IntervalColumns(this.budget),
      twice: [],
      clockEnds: [],
      firstSkipped: [],
    };
    this.series.set(name, series);
    return series;
  }

  /** Adds a row, whose start is that of its time until its length is known; a length of 0 is not stated. */
  add(series: TableSeries, time: ReadTime, interval: Interval, skippedText: string | null): void {
    const { laterMs, skipped } = time;
    const at = series.rows.count;
    if (laterMs !== null) series.twice.push({ at, laterMs });
    if (this.mapping.time.label === "end") series.clockEnds.push(...clockEndOf(at, time));
    if (skipped === "first") series.firstSkipped.push({ at, text: skippedText });
    series.rows.add(interval);
  }

  *finish(): Generator<undefined, Finished> {
    const found: Series[] = [];
    const note = (line: number, message: string) => this.note(line, message);
    const made = new SeriesIntervals(this.mapping, this.statedSeconds, this.faults, note);
    for (const series of this.series.values()) {
      this.settleTimes(series);
      const intervals = yield* made.of(series);
      const { name, fullName, unit } = series;
      if (intervals !== null) found.push({ name, description: fullName || null, unit: unit.name, intervals });
    }
    made.finish();
    for (const each of made.long) {
      if (found.length > 0) this.leftOut.set(each.name, each);
      else this.faults.add(each.line, `${each.name}: ${each.reason}`);
    }
    return { series: found, notes: this.notes.toSorted((a, b) => a.line - b.line), open: made.open };
  }

  private requireRoom(name: string, line: number): void {
    if (this.series.size + this.leftOut.size === MAX_SERIES)
      throw new Unreadable(line, `the file has more than ${MAX_SERIES} meters; split it into several files`);
    if (name.length > MAX_NAME)
      throw new Unreadable(
        line,
        `the name ${quoted(name)} of a meter has more than ${MAX_NAME} characters; shorten it`,
      );
    if (name === "") throw new Unreadable(line, "the line names no meter; give its name or id");
  }

  /** The instants of times that clocks show twice, or skip. */
  private settleTimes({ name, rows, twice, clockEnds, firstSkipped }: TableSeries): void {
    const report = {
      note: (line: number, message: string) => this.note(line, message),
      fault: (line: number, message: string) => this.faults.add(line, message),
      leavesOutUnclear: this.mapping.leave_out.doubled_hour,
    };
    const shownTwice = readClockEnds(rows, twice, clockEnds, (line) => this.note(line, `${name}: ${CLOCK_ENDS}`));
    const unclear = readShiftedHour(rows, shownTwice, (line) => this.note(line, `${name}: ${SHIFTED}`));
    assignTwiceShown(name, rows, unclear, report);
    settleSkipped(name, rows, firstSkipped, report);
  }
}

const CLOCK_ENDS =
  "the end of the hour that clocks show twice is there twice, and its beginning once: times are what clocks show at the end of intervals";

const SHIFTED =
  "the hour after the one that clocks show twice is there twice, and that one once: this is the hour that they show again";

/** The unit of a column of values, or of a line; null: no load. */
export const unitIn = (value: ValueMapping, cell: string | null): Unit | null => unitOf(cell ?? value.unit);
