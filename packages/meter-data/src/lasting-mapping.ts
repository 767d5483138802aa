import { statedValue } from "./guess-values.js";
import type { Doubt, Mapping, StatedMapping, ValueMapping } from "./mapping.js";

interface Known {
  readonly stated: StatedMapping;
  readonly doubts: readonly Doubt[];
  /** As in `Findings`. */
  readonly assumed: ReadonlySet<string>;
  readonly passing: ReadonlySet<string>;
  /** Whether the header is that of Curtail's own files, which says all but how numbers are written. */
  readonly isDocumented: boolean;
}

/**
 * What of a mapping holds for further files of its layout. A default that was kept would be a statement, and the next file
 * could not show that it is otherwise.
 */
export const lastingOf = (mapping: Mapping, known: Known): StatedMapping => {
  const { stated, assumed, isDocumented } = known;
  const { decimal, thousands, time, values, matrix, interval_seconds, leave_out, meter_columns, ...others } = mapping;
  const isOpen = isDoubted(known.doubts);
  const lasts = (member: keyof StatedMapping): boolean =>
    stated[member] !== undefined || !(assumed.has(member) || isOpen(member));
  return {
    ...(isDocumented ? others : withoutNone(others, stated)),
    ...(lasts("decimal") ? { decimal } : {}),
    ...(lasts("thousands") ? { thousands } : {}),
    time: lastingTime(time, known),
    ...(isOpen("values[].column") ? {} : { values: values.map((value) => lastingValue(value, mapping, known)) }),
    ...(matrix === null ? {} : { matrix: lastingMatrix(matrix, known) }),
    ...(stated.meter_columns !== undefined || meter_columns.length > 0 || isDocumented ? { meter_columns } : {}),
    // Ends and distances show the length of the next file's intervals.
    ...(stated.interval_seconds === undefined ? {} : { interval_seconds }),
    ...(stated.leave_out === undefined ? {} : { leave_out }),
  };
};

/** A question about one column of values leaves what is known of the others. */
const isDoubted =
  (doubts: readonly Doubt[]) =>
  (member: string, column?: number): boolean =>
    doubts.some((doubt) => doubt.member === member && (doubt.column ?? column) === column);

type Others = Omit<
  Mapping,
  "decimal" | "thousands" | "time" | "values" | "matrix" | "interval_seconds" | "leave_out" | "meter_columns"
>;

/** A column that was not found may have been empty. */
const withoutNone = (others: Others, stated: StatedMapping): StatedMapping => {
  const members = Object.entries(others) as [keyof Others, Others[keyof Others]][];
  return Object.fromEntries(members.filter(([member, value]) => value !== null || stated[member] === null));
};

const lastingMatrix = (
  { columns, extra_from }: NonNullable<Mapping["matrix"]>,
  { stated, assumed }: Known,
): StatedMapping["matrix"] => ({
  columns,
  ...(assumed.has("matrix.extra_from") ? {} : { extra_from }),
  ...stated.matrix,
});

const lastingTime = (time: Mapping["time"], { stated, doubts, assumed }: Known): StatedMapping["time"] => {
  const isOpen = isDoubted(doubts);
  const { columns, end_columns, range, format, zone, label, midnight } = time;
  // The length of intervals was found from ends that are none, so columns and length are found again together.
  const areEnds = !assumed.has("time.end_columns");
  // Registers are read at ends.
  const isLabelOpen = isOpen("time.label") || (stated.time?.label === undefined && isOpen("values[].kind"));
  return {
    ...(areEnds ? { columns, end_columns, range } : {}),
    ...(assumed.has("time.format") || isOpen("time.format") ? {} : { format }),
    ...(zone === null ? {} : { zone }),
    ...(isLabelOpen ? {} : { label }),
    ...(stated.time?.midnight === undefined && midnight === "begins_day" ? {} : { midnight }),
  };
};

const lastingValue = (value: ValueMapping, mapping: Mapping, known: Known): Partial<ValueMapping> => {
  const { column, name, unit, kind, sign } = value;
  const said = statedValue(known.stated, value);
  const isOpen = isDoubted(known.doubts);
  const lasts = (member: "unit" | "kind" | "sign"): boolean =>
    said[member] !== undefined ||
    !(known.assumed.has(`values[${column}].${member}`) || isOpen(`values[].${member}`, column));
  // Power and energy differ in units, so a kind without its unit could contradict that of the next file.
  const hasUnit = lasts("unit") || mapping.unit_column !== null;
  return {
    column,
    ...(said.name !== undefined || known.isDocumented ? { name } : {}),
    ...(lasts("unit") ? { unit } : {}),
    ...(lasts("kind") && (hasUnit || said.kind !== undefined) ? { kind } : {}),
    ...(lasts("sign") && !known.passing.has(`values[${column}].sign`) ? { sign } : {}),
  };
};
