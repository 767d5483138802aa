/** The first row in the words of the domain; null if a statement found none. */
export const firstOf = <Row, T>(rows: readonly Row[], fromRow: (row: Row) => T): T | null =>
  rows[0] === undefined ? null : fromRow(rows[0]);
