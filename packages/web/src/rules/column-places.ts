import { type ColumnRole, columnRoles, dayColumns, roleOf, singles } from "./column-role.js";
import { type ColumnReading, isOpen } from "./table-reading.js";

/** Where the columns of a table are. */
export interface Places {
  /** Of times, or of dates with `clock` in another column. */
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

export const placesOf = (reading: ColumnReading): Places => {
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
export const rolesFor = (reading: ColumnReading, column: number): readonly ColumnRole[] => {
  const { mapping } = reading;
  const role = roleOf(mapping, column);
  const day = dayColumns(mapping);
  if (day !== null && role === "value") return [];
  const places = placesOf(reading);
  const isOnlyValue = places.values.length === 1 && places.values[0] === column;
  // A clock time has its date in another column, and a time of one column has none.
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

/** Where the columns are once one of them is something else. */
export const moved = (places: Places, column: number, role: ColumnRole): Places =>
  placed(without(places, column), column, role);

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

/** As members of a mapping. */
export const timesOf = ({ first, clock, end, endClock, range }: Places) => ({
  columns: given(first, clock),
  end_columns: given(end, endClock),
  range,
});
