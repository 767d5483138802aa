import { type ClockEnd, clockEndOf, readClockEnds } from "./clock-ends.js";
import { assignTwiceShown, type TwiceShown } from "./csv-doubled-hour.js";
import { type FaultList, quoted, Unreadable } from "./fault-list.js";
import { isExportName, isOtherEnergy } from "./guess-values.js";
import {
  type Interval,
  type IntervalBudget,
  IntervalColumns,
  lengthFault,
  MAX_NAME,
  MAX_SERIES,
  STEP,
} from "./interval-columns.js";
import type { Mapping, ValueMapping } from "./mapping.js";
import type { Fault, Intervals, LeftOut, Series } from "./meter-data.js";
import type { ReadTime } from "./row-time.js";
import { settled } from "./settle-series.js";
import { type FirstSkipped, settleSkipped } from "./skipped-time.js";
import { distancesOf, oddRows } from "./table-length.js";
import { differences } from "./table-register.js";
import { powerOf, type Unit, unitOf } from "./units.js";

const UNKNOWN = 0;
/** Totals of days, months or quarters, which are left out beside a load curve. */
const DAY_SECONDS = 86_400;

/** The meter of a line. */
export interface LineMeter {
  /** Of the series; "": the line names none. */
  readonly name: string;
  /** Its name, if the series is named by an id; "": none. */
  readonly fullName: string;
}

export interface TableSeries {
  readonly name: string;
  /** The name of its meter; "": the file has no other. */
  fullName: string;
  readonly unit: Unit;
  readonly isRegister: boolean;
  readonly sign: 1 | -1;
  /** Times, lengths (0 if not stated) and values as the file has them. */
  readonly rows: IntervalColumns;
  readonly twice: TwiceShown[];
  readonly clockEnds: ClockEnd[];
  readonly firstSkipped: FirstSkipped[];
}

/** What a table leaves open once it is read. */
export interface OpenLength {
  readonly line: number;
  readonly question: string;
  readonly seconds: readonly number[];
}

export interface Finished {
  readonly series: readonly Series[];
  readonly notes: readonly Fault[];
  readonly open: readonly OpenLength[];
}

/** The series of a table, while it is read. */
export class TableSeriesSet {
  readonly notes: Fault[] = [];
  readonly leftOut = new Map<string, LeftOut>();
  private readonly series = new Map<string, TableSeries>();
  private readonly open: OpenLength[] = [];
  private readonly long: LeftOut[] = [];

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
    if (this.series.size + this.leftOut.size === MAX_SERIES)
      throw new Unreadable(line, `the file has more than ${MAX_SERIES} meters; split it into several files`);
    if (name.length > MAX_NAME)
      throw new Unreadable(
        line,
        `the name ${quoted(name)} of a meter has more than ${MAX_NAME} characters; shorten it`,
      );
    if (name === "") throw new Unreadable(line, "the line names no meter; give its name or id");
    if (value.sign === "by_name" && isOtherEnergy(name)) {
      this.leftOut.set(name, { name, line, reason: "its name says that it is no electricity" });
      return null;
    }
    const isExport = value.sign === "export" || (value.sign === "by_name" && isExportName(name));
    const series: TableSeries = {
      name,
      fullName,
      unit,
      isRegister: value.kind === "cumulative",
      sign: isExport ? -1 : 1,
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
    const report = {
      note: (line: number, message: string) => this.note(line, message),
      fault: (line: number, message: string) => this.faults.add(line, message),
      leavesOutUnclear: this.mapping.leave_out.doubled_hour,
    };
    for (const series of this.series.values()) {
      assignTwiceShown(series.name, series.rows, this.twiceShown(series), report);
      settleSkipped(series.name, series.rows, series.firstSkipped, report);
      const intervals = series.isRegister ? yield* this.ofRegister(series) : yield* this.ofIntervals(series);
      const { name, fullName, unit } = series;
      if (intervals !== null) found.push({ name, description: fullName || null, unit: unit.name, intervals });
    }
    for (const each of this.long) {
      if (found.length > 0) this.leftOut.set(each.name, each);
      else this.faults.add(each.line, `${each.name}: ${each.reason}`);
    }
    return { series: found, notes: this.notes.toSorted((a, b) => a.line - b.line), open: this.open };
  }

  private twiceShown({ name, rows, twice, clockEnds }: TableSeries): readonly TwiceShown[] {
    const why =
      "the end of the hour that clocks show twice is there twice, and its beginning once: times are what clocks show at the end of intervals";
    return readClockEnds(rows, twice, clockEnds, (line) => this.note(line, `${name}: ${why}`));
  }

  private *ofRegister({ name, rows, unit, sign }: TableSeries): Generator<undefined, Intervals | null> {
    const { leave_out: leaveOut } = this.mapping;
    const note = (line: number, message: string) => this.note(line, message);
    const energies = yield* differences(name, rows, { faults: this.faults, note, leavesOutResets: leaveOut.resets });
    if (energies.count === 0) {
      this.faults.add(rows.line[0] ?? 1, `${name}: a register needs two readings at most an hour apart`);
      return null;
    }
    yield* toPower(energies, { unit, sign, shiftMs: () => 0 });
    return yield* settled(name, energies, this.faults);
  }

  /** null: there are none, or their length is not known. */
  private *ofIntervals({ name, rows, unit, sign }: TableSeries): Generator<undefined, Intervals | null> {
    if (rows.count === 0) return null;
    const isStated = rows.seconds[0] !== UNKNOWN;
    const usual = isStated ? null : this.lengthOf(name, rows);
    const fault = isStated ? null : usual === null ? ONLY_ONE : lengthFault(usual);
    if (fault !== null) {
      const line = rows.line[0] ?? 1;
      if ((usual ?? 0) >= DAY_SECONDS) this.long.push({ name, line, reason: fault });
      else this.faults.add(line, `${name}: ${fault}`);
      return null;
    }
    for (let at = 0; at < rows.count; at++) {
      if (at % STEP === 0) yield;
      rows.seconds[at] ||= usual ?? 0;
    }
    const isEnd = this.mapping.time.label === "end";
    yield* toPower(rows, { unit, sign, shiftMs: (seconds) => (isEnd ? seconds * 1000 : 0) });
    const intervals = yield* settled(name, rows, this.faults);
    yield* oddRows(name, intervals, (line, message) => this.note(line, message));
    return intervals;
  }

  /** In seconds; null: the series has one time only. */
  private lengthOf(name: string, rows: IntervalColumns): number | null {
    const stated = this.statedSeconds ?? this.mapping.interval_seconds;
    if (stated !== null) return stated;
    const { usual, run } = distancesOf(rows);
    if (usual !== null && run !== null && lengthFault(usual) === null && lengthFault(run.seconds) === null)
      this.open.push({
        line: run.line,
        question: `${name}: from here, lines are ${run.seconds / 60} minutes apart, and most others ${usual / 60}: are intervals missing between them, or are these longer?`,
        seconds: [usual],
      });
    return usual;
  }
}

const ONLY_ONE = "the length of its intervals is unknown, since it has one time only; add a column interval_seconds";

interface Conversion {
  readonly unit: Unit;
  readonly sign: 1 | -1;
  readonly shiftMs: (seconds: number) => number;
}

function* toPower(rows: IntervalColumns, { unit, sign, shiftMs }: Conversion): Generator<undefined, void> {
  for (let at = 0; at < rows.count; at++) {
    if (at % STEP === 0) yield;
    const seconds = rows.seconds[at] ?? 0;
    rows.startMs[at] = (rows.startMs[at] ?? 0) - shiftMs(seconds);
    const power = powerOf(rows.powerKw[at] ?? 0, unit, seconds);
    rows.powerKw[at] = power === 0 ? 0 : sign * power;
  }
}

/** The unit of a column of values, or of a line; null: no load. */
export const unitIn = (value: ValueMapping, cell: string | null): Unit | null => unitOf(cell ?? value.unit);
