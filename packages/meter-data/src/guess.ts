import type { Findings } from "./findings.js";
import { type Columns, columnsOf } from "./guess-columns.js";
import { curtailColumns } from "./guess-curtail.js";
import { labelled, timeOf } from "./guess-time.js";
import { formOf, valuesOf } from "./guess-values.js";
import { headerDigest } from "./header-digest.js";
import { lastingOf } from "./lasting-mapping.js";
import type { Mapping, StatedMapping, TableReading } from "./mapping.js";
import { type Survey, surveyOf } from "./survey.js";
import { type Sample, sampleOf } from "./table-sample.js";

export interface Guess extends TableReading {
  /** Columns of the header, or of the first rows without one. */
  readonly width: number;
  /** More lines may settle what is open, or change it. */
  readonly isOpen: boolean;
  /** What it was guessed from, with what a profile states. */
  readonly stated: StatedMapping;
  /** Whether the header is that of Curtail's own files. */
  readonly isDocumented: boolean;
}

/** What the rest of a file may settle. */
const MAY_BE_SETTLED: readonly string[] = ["time.format", "time.label", "decimal", "values[].kind", "values[].sign"];

/**
 * Guesses how to read a table from its lines, with the reasons, and asks what they leave open.
 *
 * @param isWhole whether these are all lines of the file; otherwise a doubt may be settled by the rest
 * @returns null if there is no table of times and values
 */
export const guessMapping = (lines: readonly string[], stated: StatedMapping, isWhole: boolean): Guess | null => {
  const findings: Findings = { reasons: [], doubts: [], assumed: new Set(), passing: new Set(), isOpen: false };
  const own = curtailColumns(lines, stated);
  const isDocumented = own !== null;
  const sample = own?.sample ?? sampleOf(lines, stated);
  if (sample === null) return null;
  const columns = own?.columns ?? columnsOf(sample, stated, findings);
  if (columns === null) return null;
  findings.reasons.unshift(
    ...placeReasons(sample),
    ...(isDocumented ? ["the header is that of Curtail's own files"] : []),
  );
  const survey = surveyOf(lines, sample, isWhole);
  const mapping = mappingOf({ sample, columns, survey, stated }, findings);
  const { assumed, passing } = findings;
  // A statement about a column of values is known where its doubt would arise, and answers no doubt about another column.
  const doubts = findings.doubts.filter(({ member }) => member.startsWith("values[]") || !isStated(stated, member));
  return {
    mapping,
    stated,
    isDocumented,
    lasting: lastingOf(mapping, { stated, doubts, assumed, passing, isDocumented }),
    reasons: findings.reasons,
    doubts,
    isOpen: !survey.isWhole && (findings.isOpen || doubts.some(({ member }) => MAY_BE_SETTLED.includes(member))),
    header: headerDigest(sample),
    width: sample.names.length,
  };
};

const signs: Readonly<Record<string, string>> = { ",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars" };

const placeReasons = ({ delimiter, skipLines, headerLines }: Sample): string[] => [
  `cells are separated by ${signs[delimiter]}`,
  headerLines === 0 ? "there is no header" : `line ${skipLines + 1} is the header`,
];

interface Known {
  readonly sample: Sample;
  readonly columns: Columns;
  readonly survey: Survey;
  readonly stated: StatedMapping;
}

const mappingOf = (known: Known, findings: Findings): Mapping => {
  const { sample, columns, survey, stated } = known;
  const found = timeOf(sample, columns, survey, stated, findings);
  const form = formOf(sample, columns, survey, stated, findings);
  const values = valuesOf({ ...known, form }, findings);
  const isCumulative = values.every(({ kind }) => kind === "cumulative");
  return {
    layout: stated.layout ?? (columns.matrix === null ? "rows" : "matrix"),
    skip_lines: stated.skip_lines ?? sample.skipLines,
    header_lines: stated.header_lines ?? sample.headerLines,
    delimiter: sample.delimiter,
    ...form,
    time: labelled(found, isCumulative, known, findings),
    values,
    ...placesOf(columns, stated),
    interval_seconds: stated.interval_seconds ?? found.length.seconds,
    leave_out: { totals: true, comments: "#", doubled_hour: false, resets: false, ...stated.leave_out },
  };
};

type Places = Omit<
  Mapping,
  | "layout"
  | "skip_lines"
  | "header_lines"
  | "delimiter"
  | "decimal"
  | "thousands"
  | "time"
  | "values"
  | "interval_seconds"
  | "leave_out"
>;

/** Columns: as stated, else as found. */
const placesOf = ({ matrix, ...columns }: Columns, stated: StatedMapping): Places => ({
  matrix:
    matrix === null ? null : { columns: matrix.columns, extra_from: matrix.extraFrom, clock: null, ...stated.matrix },
  meter_columns: stated.meter_columns ?? columns.meterColumns,
  meter_name_column: orFound(stated.meter_name_column, columns.meterNameColumn),
  unit_column: orFound(stated.unit_column, columns.unitColumn),
  seconds_column: orFound(stated.seconds_column, columns.secondsColumn),
  coverage_column: orFound(stated.coverage_column, columns.coverageColumn),
  quality_column: orFound(stated.quality_column, columns.qualityColumn),
});

/** null states that there is no such column. */
const orFound = (stated: number | null | undefined, found: number | null): number | null =>
  stated === undefined ? found : stated;

const isStated = (stated: StatedMapping, member: string): boolean => {
  const [first = "", second = ""] = member.split(/\[\]\.|\./);
  const value = (stated as Record<string, unknown>)[first];
  if (value === undefined || value === null) return false;
  return second === "" || ((value as Record<string, unknown>)[second] ?? null) !== null;
};
