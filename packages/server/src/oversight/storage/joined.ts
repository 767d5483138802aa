import type { Queryable } from "../../platform/database/database.js";

interface JoinedRow {
  readonly part: number;
  /** A row of it as JSON; times are ISO text. */
  readonly found: unknown;
}

/**
 * Runs several selects as one statement; returns the rows of each, in its order. It has no name, so it is planned for the
 * values it is given: a plan for empty queues must not be kept for full ones.
 *
 * @param now $1 of every select
 * @param more $2 and on; each is used
 */
export const joined = async (
  db: Queryable,
  selects: readonly string[],
  now: Date,
  more: readonly unknown[] = [],
): Promise<ReadonlyArray<readonly unknown[]>> => {
  const { rows } = await db.query<JoinedRow>(joinedText(selects), [now, ...more]);
  const found: unknown[][] = selects.map(() => []);
  for (const row of rows) found[row.part]?.push(row.found);
  return found;
};

const joinedText = (selects: readonly string[]): string => {
  const parts = selects.map(
    // Numbered, as a union keeps no order.
    (select, part) =>
      `select ${part} as part, row_number() over () as place, to_jsonb(found) as found from (${select}) as found`,
  );
  // The clock gives $1 its type if no select uses it.
  return `with clock as (select $1::timestamptz) ${parts.join("\nunion all ")} order by part, place`;
};
