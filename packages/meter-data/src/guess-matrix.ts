import type { Findings } from "./findings.js";
import type { TimeColumns } from "./guess-time-columns.js";
import { unitColumnOf, unitNamedIn } from "./guess-unit.js";
import { seriesName, type ValueColumn } from "./guess-value-columns.js";
import type { StatedMapping } from "./mapping.js";
import { looksLikeNumber } from "./number-form.js";
import type { Sample } from "./table-sample.js";
import { plain, tokensOf, words } from "./words.js";

/** Intervals of a day of 24 hours, and of the hour that a day of 25 has besides. */
const days = [24, 48, 96, 144, 288];
const widths = [...days, ...days.map((count) => (count / 24) * 25)];

export interface Matrix {
  readonly first: number;
  readonly columns: number;
  readonly extraFrom: number | null;
  readonly value: ValueColumn;
  readonly unitColumn: number | null;
}

/** A table with a line for a day: a date, and as many columns of values as a day has intervals. null: it is none. */
export const matrixOf = (
  sample: Sample,
  time: TimeColumns,
  taken: readonly number[],
  stated: StatedMapping,
  { reasons, assumed }: Findings,
): Matrix | null => {
  if (time.columns.length > 1 || time.range || time.endColumns.length > 0) return null;
  const run = statedRun(stated) ?? longestRun(sample, taken);
  if (run === null || !widths.includes(run.columns)) return null;
  const { first, columns } = run;
  const extra = days.includes(columns) ? null : (stated.matrix?.extra_from ?? extraOf(sample, first, columns, assumed));
  reasons.push(
    `columns ${first} to ${first + columns - 1}: a day of ${(24 * 60) / Math.floor(days.includes(columns) ? columns : (columns / 25) * 24)}-minute intervals`,
  );
  if (extra !== null) reasons.push(`of these, ${columns / 25} from the ${extra}. on are for days of 25 hours`);
  const others = sample.names.map((_, at) => at + 1).filter((column) => column < first || column >= first + columns);
  const unitColumn = unitColumnOf(sample, others);
  return { first, columns, extraFrom: extra, value: valueOf(sample, first), unitColumn };
};

const statedRun = ({ values, matrix }: StatedMapping) => {
  const column = values?.[0]?.column;
  return column === undefined || matrix?.columns === undefined ? null : { first: column, columns: matrix.columns };
};

const longestRun = (sample: Sample, taken: readonly number[]): { first: number; columns: number } | null => {
  let best: { first: number; columns: number } | null = null;
  let from = 0;
  for (let at = 0; at <= sample.names.length; at++) {
    const isNext = at < sample.names.length && !taken.includes(at + 1) && isInterval(sample, at);
    if (isNext && (at === from || quantityOf(sample, at) === quantityOf(sample, at - 1))) continue;
    if (at - from > (best?.columns ?? 0)) best = { first: from + 1, columns: at - from };
    from = isNext ? at : at + 1;
  }
  return best;
};

/** The name of a column without its number: kWh and kVArh may be side by side. A 25th hour has a name of its own. */
const quantityOf = ({ names }: Sample, at: number): string => {
  const name = names[at] ?? "";
  return /25|\*|(?<=\d)[ab]$|dst/i.test(name) && at > 23 ? quantityBefore(names, at) : kindOfName(name);
};

const quantityBefore = (names: readonly string[], at: number): string => {
  for (let before = at - 1; before >= 0; before--)
    if (!/25|\*|(?<=\d)[ab]$|dst/i.test(names[before] ?? "")) return kindOfName(names[before] ?? "");
  return "";
};

const kindOfName = (name: string): string => name.toLowerCase().replaceAll(/\d+| ?[ap]\.?m\.?(?!\p{L})/gu, "");

/** A column of numbers, or of nothing, that is named after its interval. */
const isInterval = ({ names, rows, headerLines }: Sample, at: number): boolean => {
  const name = names[at] ?? "";
  if (headerLines > 0 && (!/\d/.test(name) || tokensOf(name).some((word) => words.total.has(word)))) return false;
  return rows.every((cells) => {
    const cell = cells[at] ?? "";
    return cell === "" || looksLikeNumber(cell) || words.missing.has(plain(cell));
  });
};

/** Where the hour that only days of 25 hours have begins: at a name that is there again, or where other days are empty. */
const extraOf = ({ names, rows }: Sample, first: number, columns: number, assumed: Findings["assumed"]): number => {
  const hour = columns / 25;
  const shown = names.slice(first - 1, first - 1 + columns).map((name) => /\d{1,2}[:h.]\d{2}/.exec(name)?.[0] ?? name);
  const again = shown.findIndex((name, at) => name !== "" && shown.indexOf(name) !== at);
  if (again > 0) return again + 1;
  const empties = Array.from(
    { length: columns },
    (_, at) => rows.filter((cells) => (cells[first - 1 + at] ?? "") === "").length,
  );
  const most = Math.max(...empties);
  const from =
    most * 2 > rows.length
      ? empties.findLastIndex(
          (_, at) => at + hour <= columns && empties.slice(at, at + hour).every((count) => count === most),
        )
      : -1;
  if (from < 0) assumed.add("matrix.extra_from");
  return (from < 0 ? columns - hour : from) + 1;
};

const valueOf = ({ names, units }: Sample, first: number): ValueColumn => {
  const name = names[first - 1] ?? "";
  const word = seriesName({ name, column: first })
    .replaceAll(/[\d:.\s_-]+/g, " ")
    .trim();
  const series = word.length > 2 ? word : "values";
  return { column: first, name: series, unit: unitNamedIn([name, units[first - 1] ?? ""]), series };
};
