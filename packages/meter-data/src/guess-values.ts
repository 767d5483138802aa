import type { Findings } from "./findings.js";
import type { Columns } from "./guess-columns.js";
import { kindOf } from "./guess-kind.js";
import { numberFormOf } from "./guess-number-form.js";
import { signOf, titleThatDecides } from "./guess-sign.js";
import { isUnitNamed, titleUnit, unitDoubt } from "./guess-unit.js";
import type { ValueColumn } from "./guess-value-columns.js";
import type { StatedMapping, ValueMapping } from "./mapping.js";
import type { NumberForm } from "./number-form.js";
import type { Survey } from "./survey.js";
import type { Sample } from "./table-sample.js";
import type { UnitName } from "./units.js";

/** How the numbers of the columns of values are written. */
export const formOf = (
  sample: Sample,
  columns: Columns,
  survey: Survey,
  { decimal, thousands }: StatedMapping,
  findings: Findings,
): NumberForm => {
  if (thousands === undefined && decimal !== undefined) findings.assumed.add("thousands");
  if (decimal !== undefined) return { decimal, thousands: thousands ?? (decimal === "." ? "," : ".") };
  const found = numberFormOf(valuePlaces(columns), survey, sample.firstLine, findings);
  return { decimal: found.decimal, thousands: thousands ?? found.thousands };
};

const valuePlaces = ({ values, matrix }: Columns): number[] =>
  matrix === null
    ? values.map(({ column }) => column)
    : Array.from({ length: matrix.columns }, (_, at) => matrix.first + at);

/** What is known of a table when its values are looked at. */
interface Known {
  readonly sample: Sample;
  readonly columns: Columns;
  readonly survey: Survey;
  readonly form: NumberForm;
  readonly stated: StatedMapping;
}

/** Unit, kind, name and sign of each column of values. */
export const valuesOf = (known: Known, findings: Findings): ValueMapping[] => {
  const found = known.columns.values.map((value) => valueOf(known, value, findings));
  return withSiblings(withNames(found), findings, known.stated);
};

const valueOf = (known: Known, value: ValueColumn, findings: Findings): ValueMapping => {
  const { columns, survey, form } = known;
  const said = statedValue(known.stated, value);
  const unit = said.unit ?? unitFor(known, value, findings);
  const kind =
    said.kind ??
    (isPlainEnergy(columns, value, unit)
      ? "energy"
      : kindOf({ ...value, unit }, columns.meterColumns, survey, form, findings));
  const isNamed = columns.meterColumns.length === 0 || columns.values.length > 1;
  const sign = said.sign ?? (isNamed ? signOf(value, known, findings) : signByLine(columns));
  if (said.sign !== undefined && isNamed && titleThatDecides(value, known.sample) !== null)
    findings.passing.add(`values[${value.column}].sign`);
  const name = said.name === undefined ? (isNamed ? value.series : null) : said.name;
  return { column: value.column, name, unit: unit ?? "kWh", kind, sign };
};

/** In files of Curtail, series are load whatever they are called. */
const signByLine = ({ documented }: Columns): ValueMapping["sign"] => (documented === null ? "by_name" : "load");

/** What is stated of this column, else of every column. */
export const statedValue = ({ values }: StatedMapping, value: Pick<ValueColumn, "column">): Partial<ValueMapping> =>
  values?.find(({ column }) => column === value.column) ?? values?.find(({ column }) => column === undefined) ?? {};

/** null: each line has its own, or it is asked. */
const unitFor = ({ sample, columns }: Known, value: ValueColumn, findings: Findings): UnitName | null => {
  // Only names are the same in each file of a layout.
  if (columns.documented === null && !isUnitNamed(sample, value)) findings.assumed.add(`values[${value.column}].unit`);
  if (value.unit !== null || columns.unitColumn !== null) return value.unit;
  const unit = titleUnit(sample, findings);
  if (unit === null) findings.doubts.push(unitDoubt(sample.skipLines + 1, value));
  return unit;
};

/** By a documented name; and a matrix of registers is not known. */
const isPlainEnergy = ({ documented, matrix }: Columns, { name }: ValueColumn, unit: UnitName | null): boolean =>
  (documented !== null && ["kwh", "energy_kwh"].includes(name.toLowerCase().replaceAll(" ", "_"))) ||
  (matrix !== null && unit?.endsWith("h") !== false);

/** Registers of one file are all registers, also those that do not move, unless something else is stated. */
const withSiblings = (
  values: readonly ValueMapping[],
  { doubts, assumed }: Findings,
  stated: StatedMapping,
): ValueMapping[] => {
  const isGuessed = (value: ValueMapping): boolean => statedValue(stated, value).kind === undefined;
  const isRegister =
    values.some((value) => value.kind === "cumulative" && isGuessed(value)) &&
    !doubts.some(({ member }) => member === "values[].kind");
  if (!isRegister) return [...values];
  return values.map((value) => {
    if (!value.unit.endsWith("h") || !isGuessed(value)) return value;
    assumed.delete(`values[${value.column}].kind`);
    return { ...value, kind: "cumulative" as const };
  });
};

const withNames = (values: readonly ValueMapping[]): ValueMapping[] =>
  values.map((value, at) =>
    values.findIndex(({ name }) => name === value.name) === at || value.name === null
      ? value
      : { ...value, name: `${value.name} ${value.column}` },
  );
