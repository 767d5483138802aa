import type { Page, PageRequest } from "../page.js";

/** A row of a list; the next page starts after its `seq`. */
export type Placed<Row> = Row & { readonly seq: number };

/** Lists fetch one row more than the page has, to detect a next page. */
export const pageParameters = ({ after, limit }: PageRequest): [number | null, number] => [after, limit + 1];

export const pageOf = <R extends Placed<unknown>, T>(
  rows: readonly R[],
  { limit }: PageRequest,
  fromRow: (row: R) => T,
): Page<T> => ({
  items: rows.slice(0, limit).map(fromRow),
  next: rows.length > limit ? (rows[limit - 1]?.seq ?? null) : null,
});
