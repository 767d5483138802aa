import type { FaultList } from "./fault-list.js";
import { type IntervalColumns, lengthFault, STEP } from "./interval-columns.js";
import type { Mapping } from "./mapping.js";
import type { Intervals, LeftOut } from "./meter-data.js";
import { settled } from "./settle-series.js";
import { distancesOf, oddRows } from "./table-length.js";
import { differences } from "./table-register.js";
import { powerOf, type Unit } from "./units.js";

/** What a table leaves open once it is read. */
export interface OpenLength {
  readonly line: number;
  readonly question: string;
  readonly seconds: readonly number[];
}

/** A series whose times are known. */
export interface ReadSeries {
  readonly name: string;
  readonly unit: Unit;
  readonly isRegister: boolean;
  readonly sign: 1 | -1;
  /** Times, lengths (0 if not stated) and values as the file has them. */
  readonly rows: IntervalColumns;
}

/** Makes intervals of power of what the lines of a series have. */
export class SeriesIntervals {
  readonly open: OpenLength[] = [];
  /** Series of totals of days, months or quarters. */
  readonly long: LeftOut[] = [];

  constructor(
    private readonly mapping: Mapping,
    private readonly statedSeconds: number | null,
    private readonly faults: FaultList,
    private readonly note: (line: number, message: string) => void,
  ) {}

  /** null: there are none, or their length is not known. */
  of(series: ReadSeries): Generator<undefined, Intervals | null> {
    return series.isRegister ? this.ofRegister(series) : this.ofIntervals(series);
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
    const usual = isStated ? null : this.lengthOf(name, rows);
    if (!isStated && !this.isPossible(name, rows, usual)) return null;
    for (let at = 0; at < rows.count; at++) {
      if (at % STEP === 0) yield;
      rows.seconds[at] ||= usual ?? 0;
    }
    yield* toPower(rows, { unit, sign, isEnd: this.mapping.time.label === "end" });
    const intervals = yield* settled(name, rows, this.faults);
    yield* oddRows(name, intervals, this.note);
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

  private isPossible(name: string, { line }: IntervalColumns, usual: number | null): boolean {
    const reason = usual === null ? ONLY_ONE : lengthFault(usual);
    if (reason === null) return true;
    const first = line[0] ?? 1;
    if ((usual ?? 0) >= DAY_SECONDS) this.long.push({ name, line: first, reason });
    else this.faults.add(first, `${name}: ${reason}`);
    return false;
  }
}

const UNKNOWN = 0;
/** Totals of days, months or quarters, which are left out beside a load curve. */
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
