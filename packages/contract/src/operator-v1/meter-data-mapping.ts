import Type, { type Static } from "typebox";
import { boolean, integer, nullable, text } from "../values.js";

/** Longest text of a mapping in a query. */
export const MAX_MAPPING_CHARACTERS = 8192;
const MAX_COLUMNS = 500;
const MAX_LINES = 1000;

const column = (description: string, example = 1) =>
  integer(description, example, { minimum: 1, maximum: MAX_COLUMNS });
const oneOf = <const V extends string>(values: readonly V[], description: string, example: V) =>
  Type.Enum([...values], { description, examples: [example] });
const lines = (description: string, example: number) =>
  integer(description, example, { minimum: 0, maximum: MAX_LINES });
const columns = (description: string, maxItems: number, example: number[]) =>
  Type.Array(column("Column, from 1."), { description, maxItems, examples: [example] });

const time = {
  columns: columns("Column of the times, or a column of dates and one of clock times.", 2, [1]),
  end_columns: columns(
    "The same for the ends of intervals; empty: the length of intervals is `interval_seconds`.",
    2,
    [],
  ),
  format: oneOf(
    ["year_first", "day_first", "month_first", "month_name", "compact", "unix_seconds", "unix_milliseconds"],
    "Format of the times, or of the dates if clock times have a column of their own: `2026-07-31`, `31/07/2026`, `07/31/2026`, `31 Jul 2026`, `20260731`, `1785456000`, `1785456000000`. Separators and the form of the clock time (`18:00`, `6:00 PM`, `24:00`) do not matter.",
    "year_first",
  ),
  range: boolean("Whether one column has both the start and the end, such as `00:00 - 00:15`."),
  zone: nullable(
    text(64, "Time zone of times without an offset: an IANA name, or an offset; null: not stated.", "Europe/Berlin", 1),
  ),
  label: oneOf(
    ["start", "end"],
    "Whether times mark the start or the end of intervals, if there is one time a line.",
    "start",
  ),
  midnight: oneOf(
    ["begins_day", "ends_day"],
    "`ends_day`: 00:00 is the end of its date, which others write as 24:00.",
    "begins_day",
  ),
};

const value = {
  column: column("Column of the values; in a matrix, the first of them.", 2),
  name: nullable(text(200, "Name of the series; null: the meter of the line.", "Import", 1)),
  unit: oneOf(["Wh", "kWh", "MWh", "W", "kW", "MW"], "Unit of the values.", "kWh"),
  kind: oneOf(
    ["power", "energy", "cumulative"],
    "Mean power, energy of each interval, or readings of a register, whose differences are energies.",
    "energy",
  ),
  sign: oneOf(
    ["load", "export", "by_name"],
    "`export`: energy into the grid, stored as negative. `by_name`: by words in the name of the series.",
    "load",
  ),
};

const matrix = {
  columns: column("Number of columns of values: the intervals of a day, or of a day of 25 hours.", 96),
  extra_from: nullable(column("Which of them, from 1, is the first that only a day of 25 hours has; null: none.", 97)),
  clock: nullable(
    oneOf(
      ["local", "elapsed"],
      "Whether columns are clock times or elapsed intervals on a day of 23 hours; null: as empty columns show.",
      "local",
    ),
  ),
};

const leaveOut = {
  totals: boolean("Lines that begin with a word for a total, such as `Total` or `Summe`.", true),
  comments: text(10, "Lines that begin with this text; empty: none.", "#"),
  doubled_hour: boolean("An hour that clocks show twice, where the file does not say which is meant."),
  resets: boolean("The interval in which a register falls, since it was reset or exchanged."),
};

const plain = {
  layout: oneOf(["rows", "matrix"], "`rows`: an interval a line. `matrix`: a day a line.", "rows"),
  skip_lines: lines("Number of lines before the header.", 0),
  header_lines: lines("Number of lines of the header, of which the first has the names.", 1),
  delimiter: oneOf([",", ";", "\t", "|"], "What separates the fields of a line.", ","),
  decimal: oneOf([".", ","], "What comes before decimals.", "."),
  thousands: oneOf(["", ",", ".", " ", "'"], "What may be between thousands; empty: nothing.", ""),
  meter_columns: columns("Columns whose values together name the series of a line; empty: none.", 5, []),
  meter_name_column: nullable(
    column("Column with the name of the meter, if `meter_columns` have its id; null: none.", 6),
  ),
  unit_column: nullable(column("Column with the unit of each line; null: none.", 3)),
  seconds_column: nullable(column("Column with the length of each interval in seconds; null: none.", 3)),
  coverage_column: nullable(column("Column with the coverage of each interval: less than 1 is a gap; null: none.", 3)),
  quality_column: nullable(column("Column that says which values are estimated; null: none.", 3)),
  interval_seconds: nullable(
    integer("Length of all intervals in seconds; null: the commonest distance of times.", 900, {
      minimum: 30,
      maximum: 3600,
      multipleOf: 30,
    }),
  ),
};

const about = "How the columns of a CSV file are read. Columns are numbered from 1.";

export const MeterDataMapping = Type.Object(
  {
    ...plain,
    time: Type.Object(time, { description: "Times of intervals." }),
    values: Type.Array(Type.Object(value), { description: "Columns of values." }),
    matrix: nullable(Type.Object(matrix, { description: "Columns of a day; null if the layout is not a matrix." })),
    leave_out: Type.Object(leaveOut, { description: "What is left out, by name." }),
  },
  { $id: "MeterDataMapping", description: about },
);
export type MeterDataMapping = Static<typeof MeterDataMapping>;

/** What a request may state of a mapping: any members; the rest is guessed. */
export const StatedMeterDataMapping = Type.Partial(
  Type.Object({
    ...plain,
    time: Type.Partial(Type.Object(time), { description: "Times of intervals." }),
    values: Type.Array(Type.Partial(Type.Object(value)), {
      description: "Columns of values; an element without a `column` is about all of them.",
      maxItems: MAX_COLUMNS,
    }),
    matrix: nullable(
      Type.Partial(Type.Object(matrix), { description: "Columns of a day; null if the layout is not a matrix." }),
    ),
    leave_out: Type.Partial(Type.Object(leaveOut), { description: "What is left out, by name." }),
  }),
  {
    $id: "StatedMeterDataMapping",
    description: "Any members of `MeterDataMapping`. The others are guessed from each file.",
  },
);
export type StatedMeterDataMapping = Static<typeof StatedMeterDataMapping>;
