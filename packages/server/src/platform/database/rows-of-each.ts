/** What `fromRow` makes of the rows of each key, in the order of the keys; keys may repeat. */
export const rowsOfEach = <R, T>(
  keys: readonly string[],
  rows: readonly R[],
  { keyOf, fromRow }: { readonly keyOf: (row: R) => string; readonly fromRow: (row: R) => T },
): T[][] => {
  const byKey = new Map<string, T[]>(keys.map((key) => [key, []]));
  for (const row of rows) byKey.get(keyOf(row))?.push(fromRow(row));
  return keys.map((key) => byKey.get(key) ?? []);
};
