import type { operator } from "@curtail/contract";

/** What is said of a table before it is read. */
export type Stated = operator.StatedMeterDataMapping;
export type Doubt = NonNullable<operator.MeterDataResult["doubts"]>[number];

/** How a table was read, and what it leaves open. */
export interface ColumnReading {
  readonly mapping: operator.MeterDataMapping;
  readonly doubts: readonly Doubt[];
  /** By a profile: what lasts of its columns of values, since a list that is stated replaces theirs as a whole. */
  readonly kept?: Stated["values"];
}

type Mapping = ColumnReading["mapping"];
type Value = Mapping["values"][number];

export const isOpen = ({ doubts }: Pick<ColumnReading, "doubts">, member: string, column?: number): boolean =>
  doubts.some((doubt) => doubt.member === member && (column === undefined || (doubt.column ?? column) === column));

/** What is stated of a column of values: for it alone, else for every one. */
export const saidOf = ({ values = [] }: Stated, column: number | undefined): Partial<Value> => {
  const found = values.find((each) => each.column === column) ?? values.find((each) => each.column === undefined);
  return found ?? {};
};

/** A reading with what has been stated since. The next answer may be slow, and what is said meanwhile builds on this. */
export const asStated = ({ mapping, doubts, ...reading }: ColumnReading, stated: Stated): ColumnReading => {
  const { values: _values, matrix: _matrix, time, leave_out, ...others } = stated;
  return {
    ...reading,
    doubts: doubts.filter((doubt) => !isSaid(stated, doubt)),
    mapping: {
      ...mapping,
      ...others,
      time: { ...mapping.time, ...time },
      values: valuesIn(mapping, stated),
      leave_out: { ...mapping.leave_out, ...leave_out },
    },
  };
};

const isSaid = (stated: Stated, { member, column }: Doubt): boolean => {
  const [first = "", second = ""] = member.split(/\[\]\.|\./);
  const columns = columnsIn(stated);
  if (second === "column") return columns.length > 0;
  // A column that is not read any more leaves nothing open.
  if (column !== undefined && columns.length > 0 && !columns.includes(column)) return true;
  if (first === "values") return (saidOf(stated, column) as Readonly<Record<string, unknown>>)[second] !== undefined;
  const said = (stated as Readonly<Record<string, unknown>>)[first];
  if (second === "" || said === undefined) return said !== undefined;
  return (said as Readonly<Record<string, unknown>>)[second] !== undefined;
};

const valuesIn = (mapping: Mapping, stated: Stated): Mapping["values"] => {
  const columns = columnsIn(stated);
  const values = columns.length === 0 ? mapping.values : columns.map((column) => valueAt(mapping, column));
  return values.map((value) => fitted({ ...value, ...saidOf(stated, value.column) }));
};

const columnsIn = ({ values = [] }: Stated): readonly number[] => values.flatMap(({ column }) => column ?? []);

/** Of a column that is new, the next answer says more. */
const valueAt = ({ values }: Mapping, column: number): Value =>
  values.find((value) => value.column === column) ?? {
    column,
    name: null,
    unit: "kWh",
    kind: "energy",
    sign: "load",
  };

/** A unit of power has no energy, and one of energy no power. */
const fitted = (value: Value): Value => {
  if (!value.unit.endsWith("h")) return { ...value, kind: "power" };
  return value.kind === "power" ? { ...value, kind: "energy" } : value;
};
