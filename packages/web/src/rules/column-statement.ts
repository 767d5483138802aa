import type { operator } from "@curtail/contract";
import { type ColumnRole, columnRoles, dayColumns, roleOf, singles } from "./column-role.js";

type Mapping = operator.MeterDataMapping;
export type Stated = operator.StatedMeterDataMapping;
type Doubts = NonNullable<operator.MeterDataResult["doubts"]>;
export type Doubt = Doubts[number];
type Value = Mapping["values"][number];

/** How a table was read, and what it leaves open. */
export interface Reading {
  readonly mapping: Mapping;
  readonly doubts: readonly Doubt[];
  /** Whether it is by a profile, whose list of values is replaced as a whole by one that is stated. */
  readonly isByProfile?: boolean;
}

export const isOpen = ({ doubts }: Pick<Reading, "doubts">, member: string, column?: number): boolean =>
  doubts.some((doubt) => doubt.member === member && (column === undefined || (doubt.column ?? column) === column));

/** Where the columns of a table are. */
interface Places {
  /** Of times, or of dates with `clock` beside it. */
  readonly first: number | null;
  readonly clock: number | null;
  readonly end: number | null;
  readonly endClock: number | null;
  readonly range: boolean;
  readonly values: readonly number[];
  readonly meters: readonly number[];
  readonly single: Readonly<Record<(typeof singles)[number][1], number | null>>;
}

const MAX_METER_COLUMNS = 5;

const placesOf = (reading: Reading): Places => {
  const { mapping } = reading;
  const { columns, end_columns: ends, range } = mapping.time;
  return {
    first: columns[0] ?? null,
    clock: columns[1] ?? null,
    end: ends[0] ?? null,
    endClock: ends[1] ?? null,
    range,
    // Of several that may be it, the mapping has only an example.
    values: isOpen(reading, "values[].column") ? [] : mapping.values.map(({ column }) => column),
    meters: mapping.meter_columns,
    single: {
      meter_name_column: mapping.meter_name_column,
      unit_column: mapping.unit_column,
      seconds_column: mapping.seconds_column,
      coverage_column: mapping.coverage_column,
      quality_column: mapping.quality_column,
    },
  };
};

/** Roles that a column may get. The first column of times and the only one of values need a successor first. */
export const rolesFor = (reading: Reading, column: number): readonly ColumnRole[] => {
  const { mapping } = reading;
  const role = roleOf(mapping, column);
  const day = dayColumns(mapping);
  if (day !== null && role === "value") return [];
  const places = placesOf(reading);
  const isOnlyValue = places.values.length === 1 && places.values[0] === column;
  // A clock time has its date beside it, and a time of one column has none.
  const hasClock = places.clock !== null && places.clock !== column;
  return columnRoles.filter((each) => {
    if (each === role) return true;
    if (places.first === column) return each === "time" || each === "range";
    if (isOnlyValue) return false;
    if (each === "date" || each === "end_date" || each === "end_clock") return hasClock;
    if (each === "end") return !hasClock && day === null;
    return day === null || !(each === "value" || each === "clock" || each === "clock_range");
  });
};

/** What is stated once a column is said to be something else. */
export const sayColumn = (reading: Reading, stated: Stated, column: number, role: ColumnRole): Stated => {
  const before = placesOf(reading);
  const after = placed(without(before, column), column, role);
  return withPlaces(reading, stated, before, after);
};

const without = (places: Places, column: number): Places => {
  const unless = (at: number | null): number | null => (at === column ? null : at);
  const single = Object.fromEntries(Object.entries(places.single).map(([member, at]) => [member, unless(at)]));
  return {
    first: unless(places.first),
    clock: unless(places.clock),
    end: places.endClock === column ? null : unless(places.end),
    endClock: places.end === column ? null : unless(places.endClock),
    range: places.range && (places.clock ?? places.first) !== column,
    values: places.values.filter((at) => at !== column),
    meters: places.meters.filter((at) => at !== column),
    single: single as Places["single"],
  };
};

const NO_END = { end: null, endClock: null } as const;

const placed = (places: Places, column: number, role: ColumnRole): Places => {
  switch (role) {
    case "time":
      return { ...places, first: column, clock: null, range: false, ...(places.endClock === null ? {} : NO_END) };
    case "date":
      return {
        ...places,
        first: column,
        range: places.range && places.clock !== null,
        // The date of starts is that of ends.
        end: places.endClock !== null && places.end === places.first ? column : places.end,
      };
    case "clock":
      return { ...places, clock: column, range: false };
    case "range":
      return { ...places, first: column, clock: null, range: true, ...NO_END };
    case "clock_range":
      return { ...places, clock: column, range: true, ...NO_END };
    case "end":
      return { ...places, end: column, endClock: null };
    case "end_date":
      return { ...places, end: column };
    case "end_clock":
      return { ...places, end: places.end ?? places.first, endClock: column };
    case "value":
      return { ...places, values: [...places.values, column].toSorted((a, b) => a - b) };
    case "meter":
      return { ...places, meters: [...places.meters, column].slice(-MAX_METER_COLUMNS) };
    case "none":
      return places;
    default: {
      const [, member] = singles.find(([name]) => name === role) ?? [];
      return member === undefined ? places : { ...places, single: { ...places.single, [member]: column } };
    }
  }
};

const given = (...all: readonly (number | null)[]): number[] => all.flatMap((each) => each ?? []);

const timesOf = ({ first, clock, end, endClock, range }: Places) => ({
  columns: given(first, clock),
  end_columns: given(end, endClock),
  range,
});

/** Once a column is stated, all are: a column that was let go would be guessed again, and take others with it. */
const withPlaces = (reading: Reading, stated: Stated, before: Places, after: Places): Stated => {
  // Another column may be written in another way.
  const { format: _format, ...others } = stated.time ?? {};
  const time = before.first === after.first ? stated.time : others;
  const isRows = reading.mapping.matrix === null;
  return stating({
    ...stated,
    ...(isRows ? { values: valuesOf(reading, stated, after.values) } : {}),
    time: { ...labelOf(reading), ...time, ...timesOf(after) },
    meter_columns: [...after.meters],
    ...after.single,
  });
};

const valuesOf = (reading: Reading, stated: Stated, columns: readonly number[]): Partial<Value>[] =>
  columns.map((column) => ({ ...keptOf(reading, column), ...saidOf(stated, column), column }));

/** What a profile has of a column of values, without what is still asked. */
const keptOf = (reading: Reading, column: number): Partial<Value> => {
  const found = reading.isByProfile === true && reading.mapping.values.find((value) => value.column === column);
  if (!found) return {};
  const { unit, kind, ...rest } = found;
  return {
    ...rest,
    ...(isOpen(reading, "values[].unit", column) ? {} : { unit }),
    ...(isOpen(reading, "values[].kind", column) ? {} : { kind }),
  };
};

/** Stating the columns of Curtail's own files hides what their header says of times. */
const labelOf = (reading: Reading): NonNullable<Stated["time"]> =>
  isOpen(reading, "time.label") ? {} : { label: reading.mapping.time.label };

/** What is stated of a column of values: for it alone, else for every one. */
const saidOf = ({ values = [] }: Stated, column: number): Partial<Value> => {
  const found = values.find((each) => each.column === column) ?? values.find((each) => each.column === undefined);
  return found ?? {};
};

/** Without what is empty, which would state nothing. */
const stating = ({ values, time, ...rest }: Stated): Stated => ({
  ...rest,
  ...(values === undefined || values.length === 0 ? {} : { values }),
  ...(time === undefined || Object.keys(time).length === 0 ? {} : { time }),
});

/** What is stated once a column of values, or each of them (null), is said to be of a unit, kind, sign or name. */
export const sayValue = (reading: Reading, stated: Stated, column: number | null, change: Partial<Value>): Stated => {
  const isUnplaced = isOpen(reading, "values[].column") || reading.mapping.matrix !== null;
  if (isUnplaced)
    return { ...stated, values: [fitting({ ...saidOf(stated, reading.mapping.values[0]?.column ?? 1), ...change })] };
  const columns = reading.mapping.values.map((value) => value.column);
  const values = valuesOf(reading, stated, columns).map((said) =>
    column === null || said.column === column ? fitting({ ...said, ...change }) : said,
  );
  return stating({ ...stated, time: { ...labelOf(reading), ...stated.time }, values });
};

/** Units of energy have no power, and those of power nothing else. */
const fitting = ({ kind, ...value }: Partial<Value>): Partial<Value> => {
  const isEnergy = value.unit?.endsWith("h");
  const fits = kind !== undefined && (isEnergy === undefined || isEnergy === (kind !== "power"));
  return fits ? { ...value, kind } : value;
};

/** What is stated once a question has its answer. */
export const sayAnswer = (reading: Reading, stated: Stated, doubt: Doubt, answer: string | number): Stated => {
  const [first = "", second] = doubt.member.split(/\[\]\.|\./);
  if (doubt.member === "values[].column")
    return { ...stated, values: [{ ...saidOf(stated, Number(answer)), column: Number(answer) }] };
  if (first === "values" && second !== undefined)
    return sayValue(reading, stated, doubt.column ?? null, { [second]: answer });
  if (doubt.member === "meter_columns") return { ...stated, meter_columns: [Number(answer)] };
  const members = stated as Readonly<Record<string, object | undefined>>;
  return { ...stated, [first]: second === undefined ? answer : { ...members[first], [second]: answer } };
};

export const isStating = (stated: Stated): boolean => Object.keys(stated).length > 0;
