import { mapping, type Profile } from "./profile.js";

/** Layouts that utilities and devices write, named by their difference. Each has a sample of the same name in `examples/meter-data/layouts`. */
export const profiles: readonly Profile[] = [
  {
    name: "titles-us-dates-ends-included",
    description:
      "Titles, month first, starts and ends of clock times in columns of their own; an end is the last minute of its interval",
    mapping: mapping({
      skip_lines: 5,
      meter_columns: [1],
      unit_column: 6,
      interval_seconds: 900,
      time: { columns: [2, 3], format: "month_first" },
      values: [{ column: 5, sign: "by_name" }],
    }),
  },
  {
    name: "date-and-clock-until-24",
    description: "Titles, day and clock time in two columns, ends of intervals until 24:00",
    mapping: mapping({
      skip_lines: 2,
      delimiter: ";",
      decimal: ",",
      time: { columns: [1, 2], format: "day_first", label: "end" },
      values: [{ column: 3, name: "Verbrauch" }],
    }),
  },
  {
    name: "range-in-one-cell",
    description: "Start and end of an interval in one cell",
    mapping: mapping({
      delimiter: ";",
      decimal: ",",
      time: { range: true, format: "day_first" },
      values: [{ column: 2, name: "Consumo" }],
    }),
  },
  {
    name: "date-and-clock-range",
    description: "A column of days, and one of clock times from one to another",
    mapping: mapping({
      delimiter: "\t",
      time: { columns: [1, 2], range: true },
      values: [{ column: 3, name: "Consumption", unit: "Wh" }],
    }),
  },
  {
    name: "matrix-of-quarters",
    description: "A day a line with 96 quarters of an hour and their total",
    mapping: mapping({
      layout: "matrix",
      skip_lines: 1,
      delimiter: ";",
      decimal: ",",
      matrix: { columns: 96, extra_from: null, clock: null },
      meter_columns: [2],
      time: { format: "day_first" },
      values: [{ column: 3, sign: "by_name" }],
    }),
  },
  {
    name: "matrix-of-25-hours",
    description: "A day a line with 24 hours, and one for days of 25 hours",
    mapping: mapping({
      layout: "matrix",
      matrix: { columns: 25, extra_from: 25, clock: null },
      meter_columns: [2],
      time: { format: "month_first" },
      values: [{ column: 3, sign: "by_name" }],
    }),
  },
  {
    name: "four-columns-registers",
    description:
      "Day and clock time of start and end in four columns, registers for both directions, units and qualities in columns",
    mapping: mapping({
      delimiter: ";",
      decimal: ",",
      meter_columns: [5, 7, 8],
      unit_column: 10,
      quality_column: 11,
      interval_seconds: 900,
      time: { columns: [1, 2], end_columns: [3, 4], format: "day_first" },
      values: [{ column: 9, sign: "by_name" }],
    }),
  },
  {
    name: "cumulative-registers",
    description: "Readings of several registers, whose differences are energies",
    mapping: mapping({
      time: { label: "end" },
      values: [
        { column: 2, name: "Import T1", kind: "cumulative" },
        { column: 3, name: "Import T2", kind: "cumulative" },
        { column: 4, name: "Export T1", kind: "cumulative", sign: "export" },
      ],
    }),
  },
  {
    name: "unix-seconds-in-watts",
    description: "Starts in Unix seconds, mean power in watts",
    mapping: mapping({
      time: { format: "unix_seconds" },
      values: [{ column: 2, name: "avg_power", unit: "W", kind: "power" }],
    }),
  },
  {
    name: "comments-and-offsets-production",
    description: "Comments, ends with their offset, production in watt-hours, a total at the end",
    mapping: mapping({
      skip_lines: 2,
      time: { label: "end" },
      values: [{ column: 2, name: "Energy Produced", unit: "Wh", sign: "export" }],
    }),
  },
  {
    name: "hours-1-to-24",
    description: "Days, and hours from 1 to 24",
    mapping: mapping({
      delimiter: ";",
      decimal: ",",
      meter_columns: [1],
      time: { columns: [2, 3], format: "day_first", label: "end" },
      values: [{ column: 4, sign: "by_name" }],
    }),
  },
  {
    name: "month-names-in-megawatts",
    description: "Names of months, clock times of 12 hours, mean power in megawatts",
    mapping: mapping({
      time: { format: "month_name" },
      values: [{ column: 2, name: "Site load", unit: "MW", kind: "power" }],
    }),
  },
  {
    name: "thousands-and-decimal-comma",
    description: "Starts and ends, points between thousands and a decimal comma",
    mapping: mapping({
      delimiter: ";",
      decimal: ",",
      thousands: ".",
      interval_seconds: 1800,
      time: { end_columns: [2], format: "day_first" },
      values: [{ column: 3, name: "Wert" }],
    }),
  },
  {
    name: "skipped-half-hours-listed",
    description: "Half hours, also those that clocks skip",
    mapping: mapping({ time: { format: "day_first" }, values: [{ column: 2, name: "Import" }] }),
  },
  {
    name: "meters-in-a-column",
    description: "Several meters, named in a column",
    mapping: mapping({
      delimiter: "|",
      meter_columns: [1],
      unit_column: 5,
      quality_column: 6,
      time: { columns: [2, 3] },
      values: [{ column: 4, sign: "by_name" }],
    }),
  },
  {
    name: "compact-times",
    description: "Ends as digits without separators",
    mapping: mapping({
      delimiter: ";",
      time: { format: "compact", label: "end" },
      values: [{ column: 2, name: "Bezug" }],
    }),
  },
];
