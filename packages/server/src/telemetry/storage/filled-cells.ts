import { CELL_SECONDS, CELLS_PER_HOUR, firstCellOfHour, hourOf, type MeterKey } from "@curtail/measure";
import type { Queryable } from "../../platform/database/database.js";
import { valuesOf } from "../../platform/database/values-of.js";
import { loggedRead, readLogged } from "./logged-read.js";
import { storedHours } from "./stored-hours.js";

// Cell p of an hour's row, from 1, is the cell hour · 120 + p. At most two rows of a meter are read.
const FILLED_CELLS = loggedRead(
  "filled-cells",
  6,
  ({ within }) => `
    select asked.site, meter, cells as place, null::text as version, null::text as content
    from unnest($1::int[], $2::int[]) as asked (site, meter)
    cross join lateral (
      select count(cell.kw)::int as cells
      from telemetry_hours as stored cross join lateral unnest(stored.kw) with ordinality as cell (kw, nth)
      where stored.site = asked.site and stored.meter = asked.meter and hour between $3 and $4
        and hour::bigint * ${CELLS_PER_HOUR} + array_lower(stored.kw, 1) + cell.nth - 1 between $5 and $6${within("stored.site")}
    ) as filled
    where cells > 0`,
);

/** How many cells of the last hour have a reading, by meter; meters without one are absent. A cell counts from its end on. */
export const filledCells = async (
  db: Queryable,
  meters: readonly MeterKey[],
  now: Date,
): Promise<ReadonlyMap<number, number>> => {
  if (meters.length === 0) return new Map();
  const last = Math.floor(now.getTime() / 1000 / CELL_SECONDS);
  const cells = { first: last - CELLS_PER_HOUR + 1, last };
  const { records, log } = await readLogged(db, FILLED_CELLS, meters, (keys) => [
    ...valuesOf(keys, "site", "meter"),
    hourOf(cells.first),
    hourOf(last),
    cells.first,
    last,
  ]);
  const filled = new Map(records.map(({ meter, place }) => [meter, place]));
  const logged = log === null || log.isEmpty ? [] : meters.filter(({ meter }) => log.newest(meter) !== undefined);
  return logged.length === 0 ? filled : new Map([...filled, ...(await countedCells(db, logged, cells))]);
};

/** A cell may be in the log and in a row: those of such meters are laid over each other. */
const countedCells = async (
  db: Queryable,
  meters: readonly MeterKey[],
  { first, last }: { readonly first: number; readonly last: number },
): Promise<ReadonlyMap<number, number>> => {
  const counts = new Map<number, number>();
  for (const { meter, hour, cells } of await storedHours(db, {
    meters,
    periods: [{ from: hourOf(first), to: hourOf(last) }],
  })) {
    const from = firstCellOfHour(hour);
    const own = cells.filter((kw, place) => !Number.isNaN(kw) && from + place >= first && from + place <= last);
    if (own.length > 0) counts.set(meter, (counts.get(meter) ?? 0) + own.length);
  }
  return counts;
};
