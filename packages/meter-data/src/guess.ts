import { cellsOf } from "./cells.js";
import { digestOfText } from "./digest.js";
import type { Columns } from "./guess-columns.js";
import { curtailColumns } from "./guess-curtail.js";
import { matrixOf } from "./guess-matrix.js";
import { meterColumnsOf } from "./guess-meter.js";
import {
  type Findings,
  isUtc,
  markedBy,
  markOf,
  type Survey,
  type SurveyRow,
  type TimeColumns,
  timeColumnsOf,
  timeFormatOf,
} from "./guess-time.js";
import { kindOf, numberFormOf, signOf, type ValueColumn, valueColumnsOf } from "./guess-values.js";
import type { Doubt, Mapping, StatedMapping, TableReading, TimeMapping, ValueMapping } from "./mapping.js";
import { momentOf } from "./moment.js";
import { RowTimeReader } from "./row-time.js";
import { distancesOf } from "./table-length.js";
import { isTotal } from "./table-rows.js";
import { type Sample, sampleOf } from "./table-sample.js";
import { type UnitName, unitNames, unitOf } from "./units.js";

export interface Guess extends TableReading {
  /** Columns of the header, or of the first rows without one. */
  readonly width: number;
  /** More lines may tell what is open, or change it. */
  readonly isOpen: boolean;
}

/** What the rest of a file may settle. */
const MAY_BE_SETTLED: readonly string[] = ["time.format", "time.label", "decimal", "values[].kind"];

/**
 * Guesses how to read a table from its lines, with the reasons, and asks what they leave open.
 *
 * @param isWhole whether these are all lines of the file; otherwise a doubt may be settled by the rest
 * @returns null if there is no table of times and values
 */
export const guessMapping = (lines: readonly string[], stated: StatedMapping, isWhole: boolean): Guess | null => {
  const findings: Findings = { reasons: [], doubts: [], isOpen: false };
  const own = curtailColumns(lines, stated);
  const sample = own?.sample ?? sampleOf(lines, stated);
  if (sample === null) return null;
  const columns = own?.columns ?? columnsOf(sample, stated, findings);
  if (columns === null) return null;
  findings.reasons.unshift(
    ...placeReasons(sample),
    ...(own === null ? [] : ["the header is that of Curtail's own files"]),
  );
  const survey = surveyOf(lines, sample, isWhole);
  const mapping = mappingOf(sample, columns, survey, stated, findings);
  const doubts = findings.doubts.filter(({ member }) => !isStated(stated, member));
  return {
    mapping,
    reasons: findings.reasons,
    doubts,
    isOpen: !survey.isWhole && (findings.isOpen || doubts.some(({ member }) => MAY_BE_SETTLED.includes(member))),
    header: digestOf(sample),
    width: sample.names.length,
  };
};

const signs: Readonly<Record<string, string>> = { ",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars" };

const placeReasons = ({ delimiter, skipLines, headerLines }: Sample): string[] => [
  `cells are separated by ${signs[delimiter]}`,
  headerLines === 0 ? "there is no header" : `line ${skipLines + 1} is the header`,
];

const columnsOf = (sample: Sample, stated: StatedMapping, findings: Findings): Columns | null => {
  const time = stated.time?.columns === undefined ? timeColumnsOf(sample, findings) : statedTime(stated.time);
  if (time === null) return null;
  const nameColumn = stated.meter_name_column ?? null;
  const taken = [...time.columns, ...time.endColumns, ...time.others, ...(nameColumn === null ? [] : [nameColumn])];
  const meters = meterColumnsOf(sample, taken, stated, findings);
  const rest = [...taken, ...meters.meterColumns, ...(meters.qualityColumn === null ? [] : [meters.qualityColumn])];
  const matrix = stated.layout === "rows" ? null : matrixOf(sample, time, rest, stated, findings);
  const { values, unitColumn } =
    matrix === null
      ? valueColumnsOf(sample, rest, stated, findings)
      : { values: [matrix.value], unitColumn: matrix.unitColumn };
  if (values.length === 0) return null;
  const unknown = { meterNameColumn: null, secondsColumn: null, coverageColumn: null, documented: null };
  return { time, values, unitColumn, ...meters, ...unknown, matrix };
};

const statedTime = ({
  columns = [],
  end_columns: endColumns = [],
  range = false,
}: Partial<TimeMapping>): TimeColumns => ({
  columns,
  endColumns,
  range,
  others: [],
});

const mappingOf = (
  sample: Sample,
  columns: Columns,
  survey: Survey,
  stated: StatedMapping,
  findings: Findings,
): Mapping => {
  const { time, length } = timeOf(sample, columns, survey, stated, findings);
  const form = formOf(sample, columns, survey, stated, findings);
  const values = valuesOf(sample, columns, survey, { form, stated }, findings);
  const isCumulative = values.every(({ kind }) => kind === "cumulative");
  const known = stated.time?.label ?? time.label ?? (isCumulative ? "end" : null);
  const usualMs = stated.interval_seconds ? stated.interval_seconds * 1000 : length.usualMs;
  const marked =
    known === null
      ? markedBy({ ...time, label: "start" }, survey, { line: sample.firstLine, lengthMs: usualMs }, findings)
      : { label: known, midnight: time.midnight };
  const { matrix } = columns;
  return {
    layout: stated.layout ?? (matrix === null ? "rows" : "matrix"),
    skip_lines: stated.skip_lines ?? sample.skipLines,
    header_lines: stated.header_lines ?? sample.headerLines,
    delimiter: sample.delimiter,
    ...form,
    time: { ...time, ...marked },
    values,
    matrix:
      matrix === null ? null : { columns: matrix.columns, extra_from: matrix.extraFrom, clock: null, ...stated.matrix },
    meter_columns: stated.meter_columns ?? columns.meterColumns,
    meter_name_column: stated.meter_name_column === undefined ? columns.meterNameColumn : stated.meter_name_column,
    unit_column: stated.unit_column === undefined ? columns.unitColumn : stated.unit_column,
    seconds_column: stated.seconds_column === undefined ? columns.secondsColumn : stated.seconds_column,
    coverage_column: stated.coverage_column === undefined ? columns.coverageColumn : stated.coverage_column,
    quality_column: stated.quality_column === undefined ? columns.qualityColumn : stated.quality_column,
    interval_seconds: stated.interval_seconds ?? length.seconds,
    leave_out: { totals: true, comments: "#", doubled_hour: false, resets: false, ...stated.leave_out },
  };
};

type UnlabelledTime = Omit<TimeMapping, "label"> & { readonly label: "start" | "end" | null };

interface Length {
  /** Of all intervals, if the ends tell. */
  readonly seconds: number | null;
  readonly usualMs: number | null;
}

const timeOf = (
  sample: Sample,
  columns: Columns,
  survey: Survey,
  stated: StatedMapping,
  findings: Findings,
): { readonly time: UnlabelledTime; readonly length: Length } => {
  const { documented } = columns;
  const found = columns.time;
  const name = sample.names[(found.columns.at(-1) ?? 1) - 1] ?? "";
  const format =
    stated.time?.format ??
    timeFormatOf(
      sample,
      { ...found, needsClock: found.columns.length === 1 && columns.matrix === null },
      survey,
      findings,
    );
  const midnight = stated.time?.midnight ?? "begins_day";
  const base = { columns: found.columns, end_columns: found.endColumns, range: found.range, format, midnight };
  const zone = zoneOf(sample, columns, format, stated, findings);
  const hasEnds = found.range || found.endColumns.length > 0;
  const length = lengthOf(sample, { ...base, zone, label: "start" }, findings);
  const clockMark =
    hasEnds || columns.matrix !== null
      ? "start"
      : (markOf(name) ?? markOf(sample.names[(found.columns[0] ?? 1) - 1] ?? ""));
  const label = documented?.label ?? clockMark ?? hoursMark(sample, found);
  if (documented === null && clockMark !== null && !hasEnds && columns.matrix === null)
    findings.reasons.push(`the name "${name.slice(0, 60)}" says that times mark the ${clockMark} of intervals`);
  const isShort = length.isInclusive && stated.time?.end_columns === undefined;
  return {
    time: { ...base, ...stated.time, zone, end_columns: isShort ? [] : base.end_columns, range: base.range, label },
    length,
  };
};

/** Hours from 1 to 24 are those that end then. */
const hoursMark = ({ rows }: Sample, { columns }: TimeColumns): "end" | null => {
  const [, clock] = columns;
  if (clock === undefined) return null;
  const cells = rows.map((cells) => cells[clock - 1] ?? "");
  return cells.some((cell) => /^24(?::00){0,2}$|^2400$/.test(cell)) ? "end" : null;
};

const zoneOf = (
  sample: Sample,
  { time, documented }: Columns,
  format: TimeMapping["format"],
  stated: StatedMapping,
  findings: Findings,
): string | null => {
  if (documented?.isUtc === true) return "UTC";
  if (format.startsWith("unix")) return stated.time?.zone ?? null;
  const [column = 1] = time.columns;
  if (time.columns.some((each) => isUtc(sample.names[each - 1] ?? ""))) {
    findings.reasons.push("times are in UTC by the name of their column");
    return "UTC";
  }
  const isStatedInCells = sample.rows.every((cells) => momentOf(cells[column - 1] ?? "", format)?.offsetMs !== null);
  if (isStatedInCells && time.columns.length === 1 && !time.range)
    findings.reasons.push("times have their offset from UTC");
  else if (stated.time?.zone === undefined || stated.time.zone === null)
    findings.doubts.push({
      line: sample.firstLine,
      member: "time.zone",
      question: "In which time zone are the times? They have no offset from UTC.",
      choices: [],
    });
  return stated.time?.zone ?? null;
};

const MINUTE_MS = 60_000;

/** The usual distance of times in the sample, and the length that the ends of intervals tell. */
const lengthOf = (
  { rows, names }: Sample,
  time: TimeMapping,
  { reasons }: Findings,
): Length & { readonly isInclusive: boolean } => {
  const reader = new RowTimeReader(time, null);
  const starts = rows.flatMap((cells) => reader.localOf(cells) ?? []);
  const usual = distancesOf({
    count: starts.length,
    startMs: Float64Array.from(starts),
    line: new Int32Array(starts.length),
  }).usual;
  const usualMs = usual === null ? null : usual * 1000;
  const ends = time.end_columns.length === 0 ? [] : endsOf(rows, time);
  const lengths = ends.flatMap((end, at) =>
    end === null || starts.length !== rows.length ? [] : [end - (starts[at] ?? 0)],
  );
  const length = commonest(lengths);
  if (length === null) return { seconds: null, usualMs, isInclusive: false };
  // 00:00 to 00:14, or to 00:14:59, are 15 minutes.
  const short = [MINUTE_MS, 1000].find(
    (step) => (length + step) % (5 * MINUTE_MS) === 0 && length % (5 * MINUTE_MS) !== 0,
  );
  if (short === undefined) return { seconds: length / 1000, usualMs, isInclusive: false };
  const name = names[(time.end_columns.at(-1) ?? 1) - 1] ?? "";
  reasons.push(
    `"${name.slice(0, 60)}" is ${short / 1000} s before the end of intervals, which are ${(length + short) / MINUTE_MS} minutes long`,
  );
  return { seconds: (length + short) / 1000, usualMs, isInclusive: true };
};

const endsOf = (rows: Sample["rows"], time: TimeMapping): Array<number | null> => {
  const reader = new RowTimeReader({ ...time, columns: time.end_columns, end_columns: [], range: false }, null);
  return rows.map((cells) => reader.localOf(cells));
};

const commonest = (all: readonly number[]): number | null => {
  const counts = new Map<number, number>();
  for (const each of all) counts.set(each, (counts.get(each) ?? 0) + 1);
  const [[found] = [null]] = [...counts].filter(([each]) => each > 0).toSorted(([, a], [, b]) => b - a);
  return found;
};

const formOf = (
  sample: Sample,
  columns: Columns,
  survey: Survey,
  stated: StatedMapping,
  findings: Findings,
): Pick<Mapping, "decimal" | "thousands"> => {
  const { decimal, thousands } = stated;
  if (decimal !== undefined) return { decimal, thousands: thousands ?? (decimal === "." ? "," : ".") };
  const found = numberFormOf(valuePlaces(columns), survey, sample.firstLine, findings);
  return { decimal: found.decimal, thousands: thousands ?? found.thousands };
};

const valuePlaces = ({ values, matrix }: Columns): number[] =>
  matrix === null
    ? values.map(({ column }) => column)
    : Array.from({ length: matrix.columns }, (_, at) => matrix.first + at);

const valuesOf = (
  sample: Sample,
  columns: Columns,
  survey: Survey,
  { form, stated }: { readonly form: Pick<Mapping, "decimal" | "thousands">; readonly stated: StatedMapping },
  findings: Findings,
): ValueMapping[] => {
  // A matrix of registers is not known.
  const isMatrix = columns.matrix !== null;
  const isPlain = columns.documented !== null;
  const found = columns.values.map((value): ValueMapping => {
    const said =
      stated.values?.find(({ column }) => column === value.column) ??
      stated.values?.find(({ column }) => column === undefined) ??
      {};
    const unit = said.unit ?? value.unit ?? (columns.unitColumn === null ? titleUnit(sample, findings) : null);
    if (unit === null && columns.unitColumn === null) findings.doubts.push(unitDoubt(sample, value));
    const isDocumented = isPlain && ["kwh", "energy_kwh"].includes(value.name.toLowerCase().replaceAll(" ", "_"));
    const isKnown = isDocumented || (isMatrix && unit?.endsWith("h") !== false);
    const kind =
      said.kind ?? (isKnown ? "energy" : kindOf({ ...value, unit }, columns.meterColumns, survey, form, findings));
    const isNamed = columns.meterColumns.length === 0 || columns.values.length > 1;
    return {
      column: value.column,
      name: said.name === undefined ? (isNamed ? value.series : null) : said.name,
      unit: unit ?? "kWh",
      kind,
      sign: said.sign ?? (isNamed ? signOf(value, survey, form, findings) : isPlain ? "load" : "by_name"),
    };
  });
  return withSiblings(withNames(found), findings, stated);
};

/** The only unit that the lines above the header name. */
const titleUnit = ({ titles }: Sample, { reasons }: Findings): UnitName | null => {
  const found = titles.flatMap((title) =>
    [...title.matchAll(/(?<![\p{L}\p{N}/])([km]?wh?)(?![\p{L}\p{N}/])/giu)].flatMap(
      ([, unit = ""]) => unitOf(unit)?.name ?? [],
    ),
  );
  const [unit, ...others] = new Set(found);
  if (unit === undefined || others.length > 0 || unit === "W") return null;
  reasons.push(`values are in ${unit}, as the lines above the header say`);
  return unit;
};

const unitDoubt = (sample: Sample, { column, name }: ValueColumn): Doubt => ({
  line: sample.skipLines + 1,
  member: "values[].unit",
  question: `In which unit are the values of column ${column}${name === "" ? "" : ` ("${name.slice(0, 60)}")`}? Neither the header nor the lines name it.`,
  choices: unitNames.map((unit) => ({ value: unit, meaning: unit })),
});

/** Registers of one file are all registers, also those that stand still. */
const withSiblings = (values: readonly ValueMapping[], { doubts }: Findings, stated: StatedMapping): ValueMapping[] => {
  const isRegister =
    values.some(({ kind }) => kind === "cumulative") && !doubts.some(({ member }) => member === "values[].kind");
  if (!isRegister || stated.values !== undefined) return [...values];
  return values.map((value) => (value.unit.endsWith("h") ? { ...value, kind: "cumulative" as const } : value));
};

const withNames = (values: readonly ValueMapping[]): ValueMapping[] =>
  values.map((value, at) =>
    values.findIndex(({ name }) => name === value.name) === at || value.name === null
      ? value
      : { ...value, name: `${value.name} ${value.column}` },
  );

/** Lines and cells that are looked through: what these do not tell, more are not likely to. */
const MAX_SURVEY_LINES = 200_000;
const MAX_SURVEY_CELLS = 1_000_000;
const MIN_SURVEY_LINES = 500;

/** The rows of these lines, split once. */
const surveyOf = (lines: readonly string[], { delimiter, firstLine, names }: Sample, isWhole: boolean): Survey => {
  const fitting = Math.floor(MAX_SURVEY_CELLS / names.length);
  const most = Math.min(MAX_SURVEY_LINES, Math.max(MIN_SURVEY_LINES, fitting));
  let rows: SurveyRow[] | null = null;
  return {
    isWhole: isWhole || lines.length >= most,
    rows() {
      if (rows !== null) return rows;
      rows = [];
      for (let at = firstLine - 1; at < Math.min(lines.length, most); at++) {
        const cells = cellsOf(lines[at] ?? "", delimiter);
        if (cells !== null && cells.length > 1 && !isTotal(cells)) rows.push({ cells, line: at + 1 });
      }
      return rows;
    },
  };
};

const isStated = (stated: StatedMapping, member: string): boolean => {
  const [first = "", second = ""] = member.split(/\[\]\.|\./);
  const value = (stated as Record<string, unknown>)[first];
  if (value === undefined || value === null) return false;
  if (second === "") return true;
  const all = Array.isArray(value) ? value : [value];
  return all.some((each: Record<string, unknown>) => each[second] !== undefined && each[second] !== null);
};

/** Of names and their places, so that titles and dates above do not count. */
const digestOf = ({ delimiter, names, headerLines }: Sample): string => {
  const shown =
    headerLines === 0 ? `${names.length} columns` : names.map((name) => name.toLowerCase().trim()).join("\n");
  return digestOfText(`${delimiter}\n${shown}`);
};
