type CamelName<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelName<Tail>>}`
  : S;

/** A row with its columns named as in code: `account_id` becomes `accountId`. */
export type Camel<Row> = { readonly [Name in keyof Row & string as CamelName<Name>]: Row[Name] };

type SnakeName<S extends string> = S extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeName<Tail>}`
  : S;

/** The row that `camel` makes this of: `accountId` is the column `account_id`. */
export type Snake<Renamed> = { readonly [Name in keyof Renamed & string as SnakeName<Name>]: Renamed[Name] };

/** Renames all columns of a row and changes nothing else. 10,000 rows of twelve columns take 3 ms (decision 33). */
export const camel = <Row extends object>(row: Row): Camel<Row> => {
  const renamed: Record<string, unknown> = {};
  for (const name in row) renamed[camelName(name)] = row[name];
  return renamed as Camel<Row>;
};

/** Renames the given columns and drops all others. */
export const camelOf = <Column extends string>(columns: readonly Column[]) => {
  const names = columns.map((column) => [column, camelName(column)] as const);
  return <Row extends Readonly<Record<Column, unknown>>>(row: Row): Camel<Pick<Row, Column>> => {
    const renamed: Record<string, unknown> = {};
    for (const [column, name] of names) renamed[name] = row[column];
    return renamed as Camel<Pick<Row, Column>>;
  };
};

const known = new Map<string, string>();

const camelName = (column: string): string => {
  const found = known.get(column);
  if (found !== undefined) return found;
  const name = column.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  known.set(column, name);
  return name;
};
