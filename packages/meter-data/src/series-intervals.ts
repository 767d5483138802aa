import type { FaultList } from "./fault-list.js";
import { isLoadName, NEGATIVE_ALREADY, seriesSignDoubt } from "./guess-sign.js";
import { type IntervalColumns, lengthFault, MAX_INTERVAL_SECONDS, STEP } from "./interval-columns.js";
import type { Doubt, Mapping } from "./mapping.js";
import type { Intervals, LeftOut } from "./meter-data.js";
import { settled } from "./settle-series.js";
import { type Distances, distancesOf, oddRows, readShorter } from "./table-length.js";
import { differences } from "./table-register.js";
import { powerOf, type Unit } from "./units.js";

/** A series whose times are known. */
export interface ReadSeries {
  readonly name: string;
  /** Of its values in the file. */
  readonly column: number;
  readonly unit: Unit;
  readonly isRegister: boolean;
  readonly sign: 1 | -1;
  /** Its name says that it is export; if the sum of its values is negative already, they stay so. */
  readonly isExportByName: boolean;
  /** Times, lengths (0 if not stated) and values as the file has them. */
  readonly rows: IntervalColumns;
}

/** Makes intervals of power of what the lines of a series have. */
export class SeriesIntervals {
  /** What the table leaves open once it is read. */
  readonly open: Doubt[] = [];
  /** Series of totals of days, months or quarters. */
  readonly long: LeftOut[] = [];
  /** Series with one time, or times that are too far apart. */
  private readonly unknown: LeftOut[] = [];
  /** Length of the intervals of the first series that shows it. */
  private usual: number | null = null;

  constructor(
    private readonly mapping: Mapping,
    private readonly statedSeconds: number | null,
    private readonly faults: FaultList,
    private readonly note: (line: number, message: string) => void,
  ) {}

  /** null: there are none, or their length is not known. */
  of(series: ReadSeries): Generator<undefined, Intervals | null> {
    const sign = series.isExportByName ? this.signByName(series) : series.sign;
    return series.isRegister ? this.ofRegister({ ...series, sign }) : this.ofIntervals({ ...series, sign });
  }

  /** Asks for the length of those that do not show it, if others of the file do; else they are faults. */
  finish(): void {
    for (const { name, line, reason } of this.unknown)
      if (this.usual === null) this.faults.add(line, `${name}: ${reason}`);
      else
        this.ask(
          line,
          `${name}: its lines do not tell how long its intervals are; are they ${this.usual / 60} minutes long, as those of the others?`,
          this.usual,
        );
  }

  private ask(line: number, question: string, seconds: number): void {
    const choices = [{ value: seconds, meaning: "intervals are missing between them" }];
    this.open.push({ line, member: "interval_seconds", question, choices });
  }

  /** By all of its values: a device in standby at night uses a little, and registers begin anywhere. */
  private signByName({ name, column, rows }: ReadSeries): 1 | -1 {
    const [line, sum] = [rows.line[0] ?? 1, sumOf(rows)];
    if (sum < 0) {
      this.note(line, `${name} ${NEGATIVE_ALREADY}`);
      return 1;
    }
    if (sum > 0 && isLoadName(name)) this.askSign(line, { name, column });
    else this.note(line, `${name} is energy into the grid by its name, so it is negative`);
    return -1;
  }

  /** Once for a column, since the answer is about all of its series. */
  private askSign(line: number, series: Pick<ReadSeries, "name" | "column">): void {
    const doubt = seriesSignDoubt(line, series);
    if (!this.open.some(({ member, column }) => member === doubt.member && column === doubt.column))
      this.open.push(doubt);
  }

  private *ofRegister({ name, rows, unit, sign }: ReadSeries): Generator<undefined, Intervals | null> {
    const { faults, note, mapping } = this;
    const energies = yield* differences(name, rows, { faults, note, leavesOutResets: mapping.leave_out.resets });
    if (energies.count === 0) {
      faults.add(rows.line[0] ?? 1, `${name}: a register needs two readings at most an hour apart`);
      return null;
    }
    yield* toPower(energies, { unit, sign, isEnd: false });
    return yield* settled(name, energies, faults);
  }

  private *ofIntervals({ name, rows, unit, sign }: ReadSeries): Generator<undefined, Intervals | null> {
    if (rows.count === 0) return null;
    const isStated = rows.seconds[0] !== UNKNOWN;
    const { usual, hasShorter } = isStated ? STATED : this.lengthOf(name, rows);
    if (!isStated && !this.isPossible(name, rows, usual)) return null;
    const isEnd = this.mapping.time.label === "end";
    if (usual !== null && hasShorter) yield* this.readShorter(name, rows, usual, isEnd);
    for (let at = 0; at < rows.count; at++) {
      if (at % STEP === 0) yield;
      rows.seconds[at] ||= usual ?? 0;
    }
    yield* toPower(rows, { unit, sign, isEnd });
    const intervals = yield* settled(name, rows, this.faults);
    yield* oddRows(name, intervals, this.note);
    return intervals;
  }

  /** Of most, in seconds; null: the series has one time only. */
  private lengthOf(name: string, rows: IntervalColumns): Pick<Distances, "usual" | "hasShorter"> {
    const stated = this.statedSeconds ?? this.mapping.interval_seconds;
    if (stated !== null) return { usual: stated, hasShorter: false };
    const { usual, run, hasShorter } = distancesOf(rows);
    if (usual !== null && run !== null && lengthFault(usual) === null && lengthFault(run.seconds) === null)
      this.ask(
        run.line,
        `${name}: from here, lines are ${run.seconds / 60} minutes apart, and most others ${usual / 60}: are intervals missing between them, or are these longer?`,
        usual,
      );
    return { usual, hasShorter };
  }

  /** Rows that follow each other closer than most, many times, have shorter intervals. */
  private *readShorter(name: string, rows: IntervalColumns, usual: number, isEnd: boolean): Generator<undefined, void> {
    for (const { line, count, seconds } of yield* readShorter(rows, usual, isEnd))
      this.note(line, `${name}: from here, ${count} lines are ${seconds} s apart, and so long are their intervals`);
  }

  private isPossible(name: string, { line }: IntervalColumns, usual: number | null): boolean {
    const reason = usual === null ? ONLY_ONE : lengthFault(usual);
    if (reason === null) {
      this.usual ??= usual;
      return true;
    }
    const first = line[0] ?? 1;
    if ((usual ?? 0) >= DAY_SECONDS) this.long.push({ name, line: first, reason });
    else if (usual === null || usual > MAX_INTERVAL_SECONDS) this.unknown.push({ name, line: first, reason });
    else this.faults.add(first, `${name}: ${reason}`);
    return false;
  }
}

/** Of values as the file has them, without gaps. */
const sumOf = ({ count, powerKw }: IntervalColumns): number =>
  powerKw.subarray(0, count).reduce((sum, value) => (Number.isNaN(value) ? sum : sum + value), 0);

const UNKNOWN = 0;
/** Each line has its own. */
const STATED = { usual: null, hasShorter: false };
/** Totals of days, months or quarters, which are left out if there is a load curve. */
const DAY_SECONDS = 86_400;
const ONLY_ONE = "the length of its intervals is unknown, since it has one time only; add a column interval_seconds";

interface Conversion {
  readonly unit: Unit;
  readonly sign: 1 | -1;
  /** Times are those of ends. */
  readonly isEnd: boolean;
}

function* toPower(rows: IntervalColumns, { unit, sign, isEnd }: Conversion): Generator<undefined, void> {
  for (let at = 0; at < rows.count; at++) {
    if (at % STEP === 0) yield;
    const seconds = rows.seconds[at] ?? 0;
    if (isEnd) rows.startMs[at] = (rows.startMs[at] ?? 0) - seconds * 1000;
    const power = powerOf(rows.powerKw[at] ?? 0, unit, seconds);
    rows.powerKw[at] = power === 0 ? 0 : sign * power;
  }
}
