import { type Findings, MOST } from "./findings.js";
import type { StatedMapping } from "./mapping.js";
import { looksLikeNumber } from "./number-form.js";
import { type Sample, shareOf } from "./table-sample.js";
import { hasWord, tokensOf, words } from "./words.js";

export interface MeterColumns {
  readonly meterColumns: readonly number[];
  readonly qualityColumn: number | null;
}

/** Finds the columns that name the meter of a line and its stream, by their names or because times repeat without them. */
export const meterColumnsOf = (
  sample: Sample,
  taken: readonly number[],
  stated: StatedMapping,
  { reasons, doubts }: Findings,
): MeterColumns => {
  const free = sample.names
    .map((name, at) => ({ name, column: at + 1 }))
    .filter(({ column }) => !taken.includes(column) && isName(sample, column - 1));
  const has = (of: ReadonlySet<string>) => free.filter(({ name }) => hasWord(name, of) && !hasUnit(name));
  const quality = has(words.quality).find(({ column }) => isText(sample, column - 1))?.column ?? null;
  if (stated.meter_columns !== undefined) return { meterColumns: stated.meter_columns, qualityColumn: quality };
  const [meter] = preferred(has(words.meter).filter(({ name }) => !/reading|stand\b/i.test(name)));
  const registers = has(words.register).filter(({ column }) => column !== quality && isText(sample, column - 1));
  const named = [
    ...(meter === undefined ? [] : [meter]),
    ...registers.filter(({ column }) => column !== meter?.column),
  ];
  const columns = named.map(({ column }) => column);
  const found = repeats(sample, [...taken, ...columns])
    ? [...columns, ...telling(sample, taken, columns, free)]
    : columns;
  if (found.length > 0) reasons.push(`column ${found.join(" and ")}: the meter or stream of each line`);
  if (found.length === columns.length && repeats(sample, [...taken, ...found]))
    doubts.push({
      line: sample.firstLine,
      member: "meter_columns",
      question: "Which columns tell the meters apart? The file has several lines for one time.",
      choices: free.map(({ name, column }) => ({ value: column, meaning: name || `column ${column}` })),
    });
  return { meterColumns: found, qualityColumn: quality };
};

interface Named {
  readonly name: string;
  readonly column: number;
}

/** An id before a name. */
const preferred = (all: readonly Named[]): readonly Named[] =>
  all.toSorted((a, b) => Number(isId(b.name)) - Number(isId(a.name)));
const isId = (name: string): boolean => tokensOf(name).includes("id");

const hasUnit = (name: string): boolean =>
  /(?<![\p{L}\p{N}])[km]?wh?(?![\p{L}\p{N}])/iu.test(name.replaceAll("_", " "));

/** Cells that may be a name: texts, or whole numbers such as those of meters. */
const isName = ({ rows }: Sample, at: number): boolean =>
  shareOf(rows, at, (cell) => /\p{L}/u.test(cell) || (/^[\d.:*-]+$/.test(cell) && !/^-?\d*\.\d*$/.test(cell))) >= MOST;
const isText = ({ rows }: Sample, at: number): boolean =>
  shareOf(rows, at, (cell) => !looksLikeNumber(cell) && !/^[kM]?(?:Wh?|VArh?)$/i.test(cell)) >= MOST;

/** More than a tenth of the lines have the times and names of another; at most an hour a year is there twice. */
const repeats = ({ rows }: Sample, columns: readonly number[]): boolean => {
  const keys = rows.map((cells) => columns.map((column) => cells[column - 1] ?? "").join("\n"));
  return (rows.length - new Set(keys).size) * 10 > rows.length;
};

const telling = (
  sample: Sample,
  taken: readonly number[],
  columns: readonly number[],
  free: readonly Named[],
): number[] => {
  const found = free.find(
    ({ column }) =>
      !columns.includes(column) && isText(sample, column - 1) && !repeats(sample, [...taken, ...columns, column]),
  );
  return found === undefined ? [] : [found.column];
};
