import type { operator } from "@curtail/contract";
import { moved, type Places, placesOf, timesOf } from "./column-places.js";
import type { ColumnRole } from "./column-role.js";
import { asStated, type ColumnReading, type Doubt, isOpen, type Stated, saidOf } from "./table-reading.js";

type Value = operator.MeterDataMapping["values"][number];

/** What is stated once a column is said to be something else. */
export const sayColumn = (answer: ColumnReading, stated: Stated, column: number, role: ColumnRole): Stated => {
  const reading = asStated(answer, stated);
  const before = placesOf(reading);
  const after = moved(before, column, role);
  return withPlaces(reading, stated, before, after);
};

/** Once a column is stated, all are: a column that was let go would be guessed again, and take others with it. */
const withPlaces = (reading: ColumnReading, stated: Stated, before: Places, after: Places): Stated => {
  // Another column may be written in another way.
  const { format: _format, ...others } = stated.time ?? {};
  const time = before.first === after.first ? stated.time : others;
  const isRows = reading.mapping.matrix === null;
  return stating({
    ...stated,
    ...(isRows ? { values: valuesOf(reading, stated, after.values) } : {}),
    time: { ...labelOf(reading), ...time, ...timesOf(after) },
    meter_columns: [...after.meters],
    ...after.single,
  });
};

const valuesOf = (reading: ColumnReading, stated: Stated, columns: readonly number[]): Partial<Value>[] =>
  columns.map((column) => ({ ...keptOf(reading, column), ...saidOf(stated, column), column }));

/** What a profile has of a column of values. */
const keptOf = ({ kept = [] }: ColumnReading, column: number): Partial<Value> =>
  kept.find((value) => value.column === column) ?? {};

/** Stating the columns of Curtail's own files hides what their header says of times. */
const labelOf = (reading: ColumnReading): NonNullable<Stated["time"]> =>
  isOpen(reading, "time.label") ? {} : { label: reading.mapping.time.label };

/** Without what is empty, which would state nothing. */
const stating = ({ values, time, ...rest }: Stated): Stated => ({
  ...rest,
  ...(values === undefined || values.length === 0 ? {} : { values }),
  ...(time === undefined || Object.keys(time).length === 0 ? {} : { time }),
});

/** What is stated once a column of values, or each of them (null), is said to be of a unit, kind, sign or name. */
export const sayValue = (
  answer: ColumnReading,
  stated: Stated,
  column: number | null,
  change: Partial<Value>,
): Stated => {
  const reading = asStated(answer, stated);
  const isUnplaced = isOpen(reading, "values[].column") || reading.mapping.matrix !== null;
  if (isUnplaced)
    return { ...stated, values: [fitting({ ...saidOf(stated, reading.mapping.values[0]?.column ?? 1), ...change })] };
  const columns = reading.mapping.values.map((value) => value.column);
  const values = valuesOf(reading, stated, columns).map((said) =>
    column === null || said.column === column ? fitting({ ...said, ...change }) : said,
  );
  return stating({ ...stated, time: { ...labelOf(reading), ...stated.time }, values });
};

/** Units of energy have no power, and those of power nothing else. */
const fitting = ({ kind, ...value }: Partial<Value>): Partial<Value> => {
  const isEnergy = value.unit?.endsWith("h");
  const fits = kind !== undefined && (isEnergy === undefined || isEnergy === (kind !== "power"));
  return fits ? { ...value, kind } : value;
};

/** What is stated once a question has its answer. */
export const sayAnswer = (reading: ColumnReading, stated: Stated, doubt: Doubt, answer: string | number): Stated => {
  const [first = "", second] = doubt.member.split(/\[\]\.|\./);
  if (doubt.member === "values[].column")
    return { ...stated, values: [{ ...saidOf(stated, Number(answer)), column: Number(answer) }] };
  if (first === "values" && second !== undefined)
    return sayValue(reading, stated, doubt.column ?? null, { [second]: answer });
  if (doubt.member === "meter_columns") return { ...stated, meter_columns: [Number(answer)] };
  const members = stated as Readonly<Record<string, object | undefined>>;
  return { ...stated, [first]: second === undefined ? answer : { ...members[first], [second]: answer } };
};

/** The same for questions about several columns that have the same answers. */
export const sayAnswers = (
  reading: ColumnReading,
  stated: Stated,
  doubts: readonly Doubt[],
  answer: string | number,
): Stated => doubts.reduce((said, doubt) => sayAnswer(reading, said, doubt, answer), stated);

/** Questions that one answer may settle: those about columns of values with the same answers. */
export const alike = (doubts: readonly Doubt[]): readonly (readonly Doubt[])[] => {
  const groups = new Map<string, Doubt[]>();
  for (const [at, doubt] of doubts.entries()) {
    const key = JSON.stringify([doubt.member, doubt.column === undefined ? at : doubt.choices]);
    groups.set(key, [...(groups.get(key) ?? []), doubt]);
  }
  return [...groups.values()];
};

export const isStating = (stated: Stated): boolean => Object.keys(stated).length > 0;
