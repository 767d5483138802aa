import { CELL_SECONDS, CELLS_PER_HOUR, hourOf, type MeterKey } from "@curtail/measure";
import type { Queryable } from "../../platform/database/database.js";
import { oneShard, rowsOfShards } from "../../platform/database/shard-statement.js";
import { valuesOf } from "../../platform/database/values-of.js";

// Cell p of an hour's row, from 1, is the cell hour · 120 + p. At most two rows of a meter are read.
const FILLED_CELLS = oneShard(
  "filled-cells",
  ({ within }) => `
    select meter, cells
    from unnest($1::int[], $2::int[]) as asked (site, meter)
    cross join lateral (
      select count(cell.kw) as cells
      from telemetry_hours as stored cross join lateral unnest(stored.kw) with ordinality as cell (kw, nth)
      where stored.site = asked.site and stored.meter = asked.meter and hour between $3 and $4
        and hour::bigint * ${CELLS_PER_HOUR} + array_lower(stored.kw, 1) + cell.nth - 1 between $5 and $6${within("stored.site")}
    ) as filled
    where cells > 0`,
);

interface FilledRow {
  readonly meter: number;
  readonly cells: number;
}

/** How many cells of the last hour have a reading, by meter; meters without one are absent. A cell counts from its end on. */
export const filledCells = async (
  db: Queryable,
  meters: readonly MeterKey[],
  now: Date,
): Promise<ReadonlyMap<number, number>> => {
  if (meters.length === 0) return new Map();
  const last = Math.floor(now.getTime() / 1000 / CELL_SECONDS);
  const first = last - CELLS_PER_HOUR + 1;
  const rows = await rowsOfShards<FilledRow, MeterKey>(db, FILLED_CELLS, meters, (keys) => [
    ...valuesOf(keys, "site", "meter"),
    hourOf(first),
    hourOf(last),
    first,
    last,
  ]);
  return new Map(rows.map(({ meter, cells }) => [meter, cells]));
};
