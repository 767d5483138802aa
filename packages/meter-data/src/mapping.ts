import type { UnitName } from "./units.js";

export const delimiters = [",", ";", "\t", "|"] as const;
export type Delimiter = (typeof delimiters)[number];
const thousandsSigns = ["", ",", ".", " ", "'"] as const;
export const timeFormats = [
  "year_first",
  "day_first",
  "month_first",
  "month_name",
  "compact",
  "unix_seconds",
  "unix_milliseconds",
] as const;
export type TimeFormat = (typeof timeFormats)[number];

/** Columns are numbered from 1, as spreadsheets do. */
export interface TimeMapping {
  /** One column, or a column of dates and one of clock times. */
  readonly columns: readonly number[];
  /** The same for the end of the interval; none: lengths are `interval_seconds`. */
  readonly end_columns: readonly number[];
  readonly format: TimeFormat;
  /** A cell has both ends, such as `00:00 - 00:15`. */
  readonly range: boolean;
  /** Of times without an offset; null: they are faults. */
  readonly zone: string | null;
  /** What a time marks, if the file has one for an interval. */
  readonly label: "start" | "end";
  /** `ends_day`: 00:00 stands for 24:00 of its date. */
  readonly midnight: "begins_day" | "ends_day";
}

export interface ValueMapping {
  readonly column: number;
  /** Name of the series; null: that of the line's meter. */
  readonly name: string | null;
  readonly unit: UnitName;
  /** Mean power, energy of the interval, or the reading of a register. */
  readonly kind: "power" | "energy" | "cumulative";
  /** `by_name`: export if the name of the series says so, in any language that is known. */
  readonly sign: "load" | "export" | "by_name";
}

/** How to read a table: a document that is guessed, shown, stated and kept, so its members are named as on the wire. */
export interface Mapping {
  readonly layout: "rows" | "matrix";
  /** Lines before the header. */
  readonly skip_lines: number;
  /** Lines of the header, of which the first has the names. */
  readonly header_lines: number;
  readonly delimiter: Delimiter;
  readonly decimal: "." | ",";
  readonly thousands: (typeof thousandsSigns)[number];
  readonly time: TimeMapping;
  /** In a matrix, the only one is the first of its columns. */
  readonly values: readonly ValueMapping[];
  readonly matrix: {
    /** Columns of values: those of a day, or of a day of 25 hours. */
    readonly columns: number;
    /** Which of them, from 1, is the first that only a day of 25 hours has. */
    readonly extra_from: number | null;
    /** What columns count on days whose clocks change: clock times, or elapsed intervals; null: as the empty ones show. */
    readonly clock: "local" | "elapsed" | null;
  } | null;
  /** Columns whose cells together name the series of a line. */
  readonly meter_columns: readonly number[];
  /** Column with the name of a line's meter, if its series is named by an id. */
  readonly meter_name_column: number | null;
  /** Column with the unit of each line; lines of other units are left out. */
  readonly unit_column: number | null;
  readonly seconds_column: number | null;
  /** A value of less than 1 is a gap. */
  readonly coverage_column: number | null;
  /** Column that says which values are estimated. */
  readonly quality_column: number | null;
  /** null: the commonest distance of times. */
  readonly interval_seconds: number | null;
  readonly leave_out: {
    /** Lines that begin with a word for a total. */
    readonly totals: boolean;
    /** Lines that begin with this text; "": none. */
    readonly comments: string;
    /** An hour that clocks show twice, if the file does not show which is meant. */
    readonly doubled_hour: boolean;
    /** The interval in which a register falls. */
    readonly resets: boolean;
  };
}

/** What is known beforehand: the rest is guessed. A value without a column is about every column of values. */
export type StatedMapping = {
  readonly [M in Exclude<keyof Mapping, "time" | "values" | "matrix" | "leave_out">]?: Mapping[M] | undefined;
} & {
  readonly time?: Partial<TimeMapping> | undefined;
  readonly values?: readonly Partial<ValueMapping>[] | undefined;
  readonly matrix?: Partial<NonNullable<Mapping["matrix"]>> | null | undefined;
  readonly leave_out?: Partial<Mapping["leave_out"]> | undefined;
};

/** A question that the file leaves open. Until it is answered, the file has a fault. */
export interface Doubt {
  readonly line: number;
  /** Member of the mapping that answers it, such as `time.format`. */
  readonly member: string;
  /** The column of values that it is about, if not all of them. */
  readonly column?: number;
  readonly question: string;
  readonly choices: ReadonlyArray<{ readonly value: string | number; readonly meaning: string }>;
}

/** How a table was read, and why. */
export interface TableReading {
  readonly mapping: Mapping;
  /** The part that a profile keeps: what is stated, and what the file shows. The next file may differ in the rest. */
  readonly lasting: StatedMapping;
  readonly reasons: readonly string[];
  readonly doubts: readonly Doubt[];
  /** Digest of the header: files of one layout have the same. */
  readonly header: string;
}
