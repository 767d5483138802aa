import type { Mapping, TimeMapping, ValueMapping } from "./mapping.js";

/** A layout by its name, and how to read it. */
export interface Profile {
  /** Of the layout, never of who writes it. */
  readonly name: string;
  readonly description: string;
  /** Without a time zone: that of the site is stated. */
  readonly mapping: Mapping;
}

type Differences = Omit<Partial<Mapping>, "time" | "values"> & {
  readonly time: Partial<TimeMapping>;
  readonly values: ReadonlyArray<Partial<ValueMapping> & Pick<ValueMapping, "column">>;
};

/** A mapping by what differs from rows with a start each, in kWh. */
export const mapping = ({ time, values, ...others }: Differences): Mapping => ({
  layout: "rows",
  skip_lines: 0,
  header_lines: 1,
  delimiter: ",",
  decimal: ".",
  thousands: "",
  matrix: null,
  meter_columns: [],
  meter_name_column: null,
  unit_column: null,
  seconds_column: null,
  coverage_column: null,
  quality_column: null,
  interval_seconds: null,
  leave_out: { totals: true, comments: "#", doubled_hour: false, resets: false },
  ...others,
  time: {
    columns: [1],
    end_columns: [],
    range: false,
    format: "year_first",
    zone: null,
    label: "start",
    midnight: "begins_day",
    ...time,
  },
  values: values.map((value) => ({ name: null, unit: "kWh", kind: "energy", sign: "load", ...value })),
});
