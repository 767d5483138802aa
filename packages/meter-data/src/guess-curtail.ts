import { cellsOf } from "./cells.js";
import { quoted, Unreadable } from "./fault-list.js";
import type { Columns } from "./guess-columns.js";
import { MAX_NAME } from "./interval-columns.js";
import type { Delimiter, StatedMapping } from "./mapping.js";
import { type Sample, splitOf } from "./table-sample.js";
import { type Unit, unitOf } from "./units.js";

/** A column of values. */
interface ValueColumn {
  readonly at: number;
  readonly unit: Unit;
  /** Name of the series; null: the line's meter. */
  readonly name: string | null;
}

/** What the columns of a file mean. */
interface CsvHeader {
  readonly separator: Delimiter;
  readonly cells: readonly string[];
  readonly count: number;
  readonly time: { readonly at: number; readonly isEnd: boolean; readonly isUtc: boolean };
  readonly values: readonly ValueColumn[];
  /** -1: the file has no such column. */
  readonly meter: number;
  /** Beside the column that names the series. */
  readonly meterName: number;
  readonly seconds: number;
  readonly coverage: number;
}

const MAX_COLUMNS = 500;
/** A meter's name and its unit. */
const MAX_CELL = MAX_NAME + 20;
const endNames = ["timestamp", "interval_end", "interval_end_utc", "end_time", "end_time_utc"];
const startNames = ["interval_start", "interval_start_utc", "start_time", "start_time_utc"];
/** Of several, the first names the meter. */
const meterNames = ["meter_id", "meter", "meter_name"];
/** Of both, power is read. */
const valueNames = ["kw", "power_kw", "kwh", "energy_kwh"];
const otherNames = ["asset_type", "interval_seconds", "coverage"];
/** States of charge in a file of energy: they are no load. */
const CHARGE = "charge_kwh";

const SAMPLE_ROWS = 100;

/** The columns of Curtail's own files, as documented; null if the header is another. */
export const curtailColumns = (
  lines: readonly string[],
  stated: StatedMapping,
): { readonly sample: Sample; readonly columns: Columns } | null => {
  const skipLines = lines.findIndex((line) => line.trim() !== "");
  const isOther = [
    stated.skip_lines,
    stated.header_lines,
    stated.time?.columns,
    stated.meter_columns,
    stated.delimiter,
    stated.layout,
  ];
  const isColumnStated = stated.values?.some(({ column }) => column !== undefined) === true;
  if (skipLines < 0 || isColumnStated || isOther.some((each) => each !== undefined)) return null;
  try {
    const header = headerOf(lines[skipLines] ?? "", skipLines + 1);
    return { sample: sampleBelow(lines, skipLines, header), columns: columnsIn(header) };
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
};

const sampleBelow = (lines: readonly string[], skipLines: number, { separator, cells }: CsvHeader): Sample => ({
  delimiter: separator,
  skipLines,
  headerLines: 1,
  names: cells,
  units: cells.map(() => ""),
  titles: [],
  rows: lines
    .slice(skipLines + 1, skipLines + 1 + SAMPLE_ROWS)
    .filter((line) => line.trim() !== "")
    .map((line) => splitOf(line, separator)),
  firstLine: skipLines + 2,
});

const columnOrNull = (at: number): number | null => (at < 0 ? null : at + 1);

const columnsIn = ({ cells, time, values, meter, meterName, seconds, coverage }: CsvHeader): Columns => {
  return {
    time: { columns: [time.at + 1], endColumns: [], range: false, others: [] },
    values: values.map(({ at, unit, name }) => ({
      column: at + 1,
      name: cells[at] ?? "",
      unit: unit.name,
      series: name,
    })),
    unitColumn: null,
    meterColumns: meter < 0 ? [] : [meter + 1],
    meterNameColumn: columnOrNull(meterName),
    secondsColumn: columnOrNull(seconds),
    coverageColumn: columnOrNull(coverage),
    qualityColumn: null,
    documented: { label: time.isEnd ? "end" : "start", isUtc: time.isUtc },
    matrix: null,
  };
};

/** Reads the header. Throws `Unreadable` if it is not one. */
export const headerOf = (text: string, line: number): CsvHeader => {
  const separator = (/^[^,;\t]*([,;\t])/.exec(text)?.[1] ?? ",") as Delimiter;
  const cells = cellsOf(text, separator);
  if (cells === null) throw new Unreadable(line, "the quotes of the header do not match; correct them");
  if (cells.length > MAX_COLUMNS)
    throw new Unreadable(line, `the header has more than ${MAX_COLUMNS} columns; split the file`);
  const long = cells.find((cell) => cell.length > MAX_CELL);
  if (long !== undefined)
    throw new Unreadable(line, `the column ${quoted(long)} has a name of more than ${MAX_CELL} characters; shorten it`);
  const names = cells.map((cell) => cell.toLowerCase().replaceAll(" ", "_"));
  const twice = names.findIndex((name, at) => names.indexOf(name) !== at);
  if (twice >= 0)
    throw new Unreadable(line, `the column ${quoted(cells[twice] ?? "")} is in the header twice; remove one`);
  const at = (wanted: readonly string[]): number => names.indexOf(wanted.find((name) => names.includes(name)) ?? "");
  return {
    separator,
    cells,
    count: cells.length,
    time: timeIn(names, line),
    values: valuesIn(cells, names, line),
    meter: at(meterNames),
    meterName: at(["meter_name", "meter"].filter((name) => names.indexOf(name) !== at(meterNames))),
    seconds: at(["interval_seconds"]),
    coverage: at(["coverage"]),
  };
};

const timeIn = (names: readonly string[], line: number): CsvHeader["time"] => {
  const found = names.filter((name) => endNames.includes(name) || startNames.includes(name));
  // With both, the end says it all.
  const name = found.find((each) => endNames.includes(each)) ?? found[0];
  if (name === undefined)
    throw new Unreadable(
      line,
      "the header has no column of times; name it timestamp or interval_end for the end of an interval, interval_start for its start",
    );
  return { at: names.indexOf(name), isEnd: endNames.includes(name), isUtc: name.endsWith("_utc") };
};

const valuesIn = (cells: readonly string[], names: readonly string[], line: number): ValueColumn[] => {
  const plain = valueNames.find((name) => names.includes(name));
  const isKnown = (name: string): boolean =>
    [endNames, startNames, meterNames, otherNames, valueNames].some((all) => all.includes(name));
  const isIgnored = (name: string): boolean => isKnown(name) || (plain !== undefined && name === CHARGE);
  const others = cells.flatMap((cell, at) => (isIgnored(names[at] ?? "") ? [] : [{ cell, at }]));
  if (plain !== undefined) {
    const [unknown] = others;
    if (unknown !== undefined)
      throw new Unreadable(line, `the column ${quoted(unknown.cell)} is unknown next to ${plain}; remove it`);
    return [{ at: names.indexOf(plain), unit: unitIn(plain, line), name: hasMeter(names) ? null : plain }];
  }
  if (others.length === 0 || hasMeter(names))
    throw new Unreadable(line, "the header has no column of values; name it kw or kwh, or one for each meter");
  return others.map(({ cell, at }) => meterColumn(cell, at, line));
};

const hasMeter = (names: readonly string[]): boolean => meterNames.some((name) => names.includes(name));

const unitIn = (name: string, line: number): Unit => {
  const unit = unitOf(name.replace(/^.*_/, ""));
  if (unit === null) throw new Unreadable(line, `the column ${quoted(name)} has no unit; end its name with kW or kWh`);
  return unit;
};

/** `Main meter (kWh)`, `Main meter kW`, `main_kw`. */
const meterColumn = (cell: string, at: number, line: number): ValueColumn => {
  const [, name = "", unitName = ""] = /^(.+?)(?:[\s_]+|\s*[([])([km]?wh?)[)\]]?$/i.exec(cell) ?? [];
  const unit = unitOf(unitName);
  if (unit === null || name === "")
    throw new Unreadable(
      line,
      `the column ${quoted(cell)} is unknown; a column for a meter is named after it and its unit, for example Main meter (kWh)`,
    );
  return { at, unit, name };
};
