import type { FaultList } from "./fault-list.js";
import type { Mapping } from "./mapping.js";
import type { Zone } from "./zone.js";

const DAY_MS = 86_400_000;

/** A line of a matrix. */
export interface Day {
  readonly values: readonly number[];
  /** Its date, as if it were UTC. */
  readonly dateMs: number;
  readonly line: number;
  readonly zone: Zone;
}

/** A day's first interval, and the length and values of all. */
export interface DayIntervals {
  readonly startMs: number;
  readonly seconds: number;
  readonly values: readonly number[];
}

/** A day on which clocks change. */
interface Change extends Day {
  /** Intervals that it has. */
  readonly count: number;
  readonly seconds: number;
}

/** Tells which columns of a line are intervals of its day: some have 23 hours, some 25. */
export class MatrixDays {
  constructor(
    private readonly matrix: NonNullable<Mapping["matrix"]>,
    /** Intervals of a day of 24 hours. */
    private readonly usual: number,
    private readonly leavesOutDoubled: boolean,
    private readonly faults: FaultList,
    private readonly note: (line: number, message: string) => void,
  ) {}

  /** null: the columns do not show it, which is a fault. */
  of(day: Day): DayIntervals | null {
    const [startMs = 0, endMs = 0] = [day.dateMs, day.dateMs + DAY_MS].map((ms) => midnightOf(ms, day.zone));
    const seconds = DAY_MS / 1000 / this.usual;
    const count = (endMs - startMs) / 1000 / seconds;
    const values = this.valuesOf({ ...day, count, seconds });
    return values === null ? null : { startMs, seconds, values };
  }

  private valuesOf(day: Change): readonly number[] | null {
    if (!Number.isInteger(day.count))
      return this.refuse(
        day.line,
        "the clocks change within an interval on this day; give times with an offset from UTC",
      );
    if (day.count === this.usual) return this.withoutExtra(day);
    return day.count < this.usual ? this.ofShortDay(day) : this.ofLongDay(day);
  }

  private refuse(line: number, message: string): null {
    this.faults.add(line, message);
    return null;
  }

  private withoutExtra({ values, line }: Day): readonly number[] | null {
    const { extra_from: from } = this.matrix;
    if (from === null) return values;
    const extra = values.slice(from - 1, from - 1 + values.length - this.usual);
    if (extra.every(isBlank)) return values.toSpliced(from - 1, extra.length);
    return this.refuse(
      line,
      `the day has values in the columns of a 25th hour, and its clocks are not set back; check the time zone`,
    );
  }

  /** The columns of the hour that clocks skip are blank, or the last ones. */
  private ofShortDay(day: Change): readonly number[] | null {
    const values = this.withoutExtra(day);
    if (values === null) return null;
    const { count, line } = day;
    const missing = this.usual - count;
    const at = placeOf(day, 0) ?? this.usual - missing;
    const [inside, last] = [values.slice(at, at + missing), values.slice(count)];
    const isPossible = { local: inside.every(isBlank), elapsed: last.every(isBlank) };
    const clock = this.matrix.clock ?? told(isPossible, inside, last);
    if (clock === null || !isPossible[clock]) return this.refuse(line, shortDayFault(isPossible));
    this.note(
      line,
      `clocks skip an hour on this day; the ${clock === "local" ? "columns of that hour" : "last columns"} are blank and left out`,
    );
    return clock === "local" ? values.toSpliced(at, missing) : values.slice(0, count);
  }

  private ofLongDay(day: Change): readonly number[] | null {
    const { values, count, line } = day;
    if (values.length === count)
      return this.isHourOpen(values)
        ? this.refuse(
            line,
            "clocks are set back on this day, and the columns of its 25th hour are empty; fill them, or leave the day out",
          )
        : values;
    if (this.matrix.extra_from === null && this.leavesOutDoubled) {
      this.note(line, "clocks show an hour of this day twice, and the line has it once; it is left out");
      return withoutDoubled(day);
    }
    return this.refuse(
      line,
      `the day has ${count} intervals, since clocks show an hour twice, and the line has ${values.length}; leave the hour out with mapping {"leave_out":{"doubled_hour":true}}`,
    );
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

const midnightOf = (ms: number, zone: Zone): number => zone.instantsOf(ms)[0] ?? zone.changeOver(ms).atMs;

const withoutDoubled = (day: Change): readonly number[] => {
  const more = day.count - day.values.length;
  const blank = Array.from({ length: 2 * more }, () => Number.NaN);
  return day.values.toSpliced(placeOf(day, 2) ?? 0, more, ...blank);
};

const isBlank = (value: number): boolean => Number.isNaN(value) || value === 0;

interface Possible {
  readonly local: boolean;
  readonly elapsed: boolean;
}

/** Empty cells show more than zeros, since a night has zeros, too. */
const told = (isPossible: Possible, inside: readonly number[], last: readonly number[]): "local" | "elapsed" | null => {
  if (isPossible.local !== isPossible.elapsed) return isPossible.local ? "local" : "elapsed";
  const [isInside, isLast] = [inside.every(Number.isNaN), last.every(Number.isNaN)];
  if (!isPossible.local || isInside === isLast) return null;
  return isInside ? "local" : "elapsed";
};

const shortDayFault = ({ local, elapsed }: Possible): string => {
  const why =
    local && elapsed
      ? "the day's columns do not tell which hour is skipped"
      : "the day has values for an hour that clocks skip";
  return `${why}; state mapping {"matrix":{"clock":"local"}} or "elapsed", or check the time zone`;
};

/** The first interval whose clock time is there so often, from 0: never, or twice. */
const placeOf = ({ dateMs, zone, seconds }: Change, times: 0 | 2): number | null => {
  const steps = DAY_MS / 1000 / seconds;
  for (let at = 0; at < steps; at++) if (zone.instantsOf(dateMs + at * seconds * 1000).length === times) return at;
  return null;
};
