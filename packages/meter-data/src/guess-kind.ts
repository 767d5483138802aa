import { type Findings, shown } from "./findings.js";
import type { ValueColumn } from "./guess-value-columns.js";
import type { Doubt, ValueMapping } from "./mapping.js";
import { type NumberForm, numberReader } from "./number-form.js";
import type { Survey } from "./survey.js";
import { hasWord, words } from "./words.js";

/** A register that never falls looks like a load that never falls, which is rare over so many rows. */
const ROWS_TO_DOUBT = 5;
const RISES_TO_DOUBT = 2;
/** So many values, each so much larger than the largest step between two, that never fall: no load does that. */
const ROWS_TO_BE_SURE = 48;
const STEPS_IN_REGISTER = 20;

/** Whether values of energy are those of intervals or the readings of a register, which never falls. */
export const kindOf = (
  { column, name, unit }: ValueColumn,
  meters: readonly number[],
  survey: Survey,
  form: NumberForm,
  { reasons, doubts, assumed }: Findings,
): ValueMapping["kind"] => {
  if (unit !== null && !unit.endsWith("h")) return "power";
  const isNamed = hasWord(name, words.cumulative) || /meter ?reading|total[ _]increasing/i.test(name);
  const course = courseOf({ column, meters, form, isNamed }, survey);
  const { rows, line } = course;
  const told = isNamed ? namedRegister(course) : unnamedRegister(course);
  // Too few values, or none that differ, are energies until more are seen.
  if (told === "energy" && !(course.rises > 0 && course.falls > 0)) assumed.add(`values[${column}].kind`);
  if (told === "energy") return "energy";
  if (told === "cumulative") {
    const why = isNamed ? "as its name says, and they rise" : `since its ${rows} values rise by little and never fall`;
    reasons.push(`column ${column} (${shown(name)}): readings of a register, ${why}`);
    return "cumulative";
  }
  doubts.push({ ...kindDoubt(line, name, isNamed ? null : rows), column });
  return isNamed ? "energy" : "cumulative";
};

/** How the values of a column follow each other, meter by meter. */
interface Course {
  readonly rows: number;
  readonly rises: number;
  readonly falls: number;
  /** Line and value of the first one. */
  readonly line: number;
  readonly first: number;
  /** The largest step between two. */
  readonly largest: number;
}

interface Looked {
  readonly column: number;
  readonly meters: readonly number[];
  readonly form: NumberForm;
  /** Without the name of a register, a rise and a fall say it all. */
  readonly isNamed: boolean;
}

const courseOf = ({ column, meters, form, isNamed }: Looked, survey: Survey): Course => {
  const number = numberReader(form);
  let [rows, rises, falls, line] = [0, 0, 0, 1];
  let [first, largest] = [0, 0];
  const last = new Map<string, number>();
  for (const { cells, line: at } of survey.rows()) {
    const value = number(cells[column - 1] ?? "");
    if (value === null || Number.isNaN(value)) continue;
    if (rows === 0) [line, first] = [at, value];
    rows += 1;
    const meter = meters.map((each) => cells[each - 1] ?? "").join(":");
    const before = last.get(meter) ?? Number.NaN;
    last.set(meter, value);
    largest = Math.max(largest, Math.abs(value - before) || 0);
    if (value > before) rises += 1;
    if (value < before) falls += 1;
    if (!isNamed && falls > 0 && rises > 0) break;
  }
  return { rows, rises, falls, line, first, largest };
};

/** null: it is not clear. */
const namedRegister = ({ rows, rises, falls }: Course): "cumulative" | null =>
  rows > 1 && Math.min(falls, rises) * 50 <= Math.max(falls, rises) ? "cumulative" : null;

/** Newest values may come first: a register then falls and never rises. */
const unnamedRegister = ({ rows, rises, falls, first, largest }: Course): "energy" | "cumulative" | null => {
  if (falls > 0 && rises > 0) return "energy";
  const up = Math.max(falls, rises);
  const isHigh = first > STEPS_IN_REGISTER * largest;
  if (rows >= ROWS_TO_BE_SURE && up >= RISES_TO_DOUBT && isHigh) return "cumulative";
  if (up > 0 && isHigh) return null;
  return rows < ROWS_TO_DOUBT || up < RISES_TO_DOUBT ? "energy" : null;
};

/** @param rows null: it is named like a register */
const kindDoubt = (line: number, name: string, rows: number | null): Doubt => ({
  line,
  member: "values[].kind",
  question:
    rows === null
      ? `${shown(name)} is named like a register, but its values rise and fall: are they energies of intervals?`
      : `${shown(name)} has ${rows} values that never fall: are they readings of a register, or energies of intervals?`,
  choices: [
    { value: "energy", meaning: "the energy of each interval" },
    { value: "cumulative", meaning: "readings of a register, whose differences are energies" },
  ],
});
