import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";

type Mapping = operator.MeterDataMapping;

/** What a column of a table may be, in the order of the menu. */
export const columnRoles = [
  "time",
  "date",
  "clock",
  "range",
  "clock_range",
  "end",
  "end_date",
  "end_clock",
  "value",
  "meter",
  "meter_name",
  "unit",
  "seconds",
  "coverage",
  "quality",
  "none",
] as const;
export type ColumnRole = (typeof columnRoles)[number];

export const roleWords: Readonly<Record<ColumnRole, string>> = {
  time: say("Time"),
  date: say("Date"),
  clock: say("Clock time"),
  range: say("Start and end"),
  clock_range: say("Clock times of start and end"),
  end: say("End of the interval"),
  end_date: say("Date of the end"),
  end_clock: say("Clock time of the end"),
  value: say("Values"),
  meter: say("Meter"),
  meter_name: say("Name of the meter"),
  unit: say("Unit of the line"),
  seconds: say("Length in seconds"),
  coverage: say("Coverage"),
  quality: say("Measured or estimated"),
  none: say("Not used"),
};

/** A role in the menu of a column: whether times have a column of clock times decides what the one of times is. */
export const menuWords = (role: ColumnRole, { time }: Mapping): string => {
  if (role !== "time") return roleWords[role];
  return time.columns.length > 1 ? say("Date and time in one") : say("Time or date");
};

export const formatWords: Readonly<Record<Mapping["time"]["format"], string>> = {
  year_first: say("year first"),
  day_first: say("day first"),
  month_first: say("month first"),
  month_name: say("month by name"),
  compact: say("digits only"),
  unix_seconds: say("Unix seconds"),
  unix_milliseconds: say("Unix milliseconds"),
};

export const kindWords: Readonly<Record<Mapping["values"][number]["kind"], string>> = {
  power: say("mean power"),
  energy: say("energy of the interval"),
  cumulative: say("register", {}, "of a meter"),
};

/** The columns of a day in a matrix, from 1; null: the table is none. */
export const dayColumns = ({ matrix, values }: Mapping): { readonly first: number; readonly count: number } | null =>
  matrix === null || values[0] === undefined ? null : { first: values[0].column, count: matrix.columns };

/** The role of a column in a mapping. */
export const roleOf = (mapping: Mapping, column: number): ColumnRole => {
  const day = dayColumns(mapping);
  if (day !== null && column >= day.first && column < day.first + day.count) return "value";
  return timeRoleOf(mapping.time, column) ?? otherRoleOf(mapping, column);
};

const timeRoleOf = ({ columns, end_columns: ends, range }: Mapping["time"], column: number): ColumnRole | null => {
  const [first, clock] = columns;
  if (column === clock) return range ? "clock_range" : "clock";
  if (column === first) {
    if (clock !== undefined) return "date";
    return range ? "range" : "time";
  }
  const [end, endClock] = ends;
  if (column === endClock) return "end_clock";
  if (column !== end) return null;
  return endClock === undefined && clock === undefined ? "end" : "end_date";
};

const otherRoleOf = (mapping: Mapping, column: number): ColumnRole => {
  if (mapping.values.some((value) => value.column === column)) return "value";
  if (mapping.meter_columns.includes(column)) return "meter";
  const single = singles.find(([, member]) => mapping[member] === column);
  return single?.[0] ?? "none";
};

/** Roles of one column at most, and their members of the mapping. */
export const singles = [
  ["meter_name", "meter_name_column"],
  ["unit", "unit_column"],
  ["seconds", "seconds_column"],
  ["coverage", "coverage_column"],
  ["quality", "quality_column"],
] as const;

/** In place of what a question is about. */
const openWords = {
  "time.format": say("day or month first?"),
  "time.label": say("start or end?"),
  "values[].unit": say("which unit?"),
  "values[].kind": say("register or energy?"),
  "values[].sign": say("consumption or production?"),
} as const;

/** What the role of a column leaves to say, for its head: `day first, start`. */
export const roleDetail = (mapping: Mapping, column: number, isOpen: (member: string) => boolean): string => {
  const { time } = mapping;
  const role = roleOf(mapping, column);
  const said = (member: keyof typeof openWords, words: string): string => (isOpen(member) ? openWords[member] : words);
  if (role === "value") {
    const value = mapping.values.find((each) => each.column === column) ?? mapping.values[0];
    if (value === undefined) return "";
    const unit =
      mapping.unit_column === null
        ? said("values[].unit", value.unit)
        : say("unit in column {column}", { column: mapping.unit_column });
    const sign = said("values[].sign", value.sign === "export" ? say("export", {}, "production of energy") : "");
    return [unit, said("values[].kind", kindWords[value.kind]), sign].filter((words) => words !== "").join(", ");
  }
  const hasFormat = role === "time" || role === "date" || role === "range";
  const isLabelled = (role === "time" || role === "clock") && time.end_columns.length === 0 && mapping.matrix === null;
  return [
    ...(hasFormat ? [said("time.format", formatWords[time.format])] : []),
    ...(isLabelled
      ? [said("time.label", time.label === "start" ? say("start of the interval") : say("end of the interval"))]
      : []),
  ].join(", ");
};

/** Reasons of the guess that are about a column, by its number or its quoted name. */
export const reasonsOf = (reasons: readonly string[], column: number, name: string): readonly string[] =>
  reasons.filter(
    (reason) => columnsIn(reason).has(column) || (name !== "" && reason.includes(`"${name.slice(0, 60)}"`)),
  );

interface Explained {
  readonly mapping: Mapping;
  readonly reasons: readonly string[];
}

/** Why a column is what it is. What is stated is given no reasons, so those of the guess count as long as it agrees. */
export const whyOf = (now: Explained, guess: Explained | null, column: number, name: string): readonly string[] => {
  const found = reasonsOf(now.reasons, column, name);
  if (guess === null) return found;
  if (roleOf(guess.mapping, column) === roleOf(now.mapping, column))
    return [...new Set([...reasonsOf(guess.reasons, column, name), ...found])];
  return found.length === 0 ? [say("you said so")] : found;
};

/** A reason under the head of its column, which need not be named again. */
export const shortReason = (reason: string): string => reason.replace(/^columns? .*?(?:"\)|\d| out|name\)): /, "");

/** The columns that begin a reason: `column 1 and 2: …`, `column 3 ("Use") and column 4: …`, `columns 3 to 98: …`. */
const columnsIn = (reason: string): ReadonlySet<number> => {
  const found = new Set<number>();
  const [, from, to] = /^columns (\d+) to (\d+)/.exec(reason) ?? [];
  for (let column = Number(from); column <= Number(to); column++) found.add(column);
  for (const [, all = ""] of reason.matchAll(/\bcolumn (\d+(?: and \d+)*)/g))
    for (const each of all.split(" and ")) found.add(Number(each));
  return found;
};
