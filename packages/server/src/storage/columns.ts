/**
 * The columns of a row by their names, each of them listed. A prepared statement that selects `*` fails once a migration
 * adds a column, for as long as its connection lasts: processes of the version before go on beside the new schema.
 */
export const listedColumns = <Row>(table: string, listed: Readonly<Record<keyof Row, true>>): string =>
  Object.keys(listed)
    .map((name) => `${table}.${name}`)
    .join(", ");
