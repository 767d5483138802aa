import { cellEndMs, firstCellOfHour, type MeterKey } from "@curtail/measure";
import type { Queryable } from "../../platform/database/database.js";
import { oneShard, rowsOfShards } from "../../platform/database/shard-statement.js";
import { valuesOf } from "../../platform/database/values-of.js";

// From the last row of each meter's index range: the primary key is enough, so uploads need not write it a second time. The
// newest day of a meter is never packed.
const NEWEST_POWERS = oneShard(
  "last-readings",
  ({ within }) => `
    select site, meter, newest.hour, array_upper(newest.kw, 1) as place, newest.kw[array_upper(newest.kw, 1)] as value
    from unnest($1::int[], $2::int[]) as asked (site, meter)
    cross join lateral (
      select hour, kw from telemetry_hours as stored
      where stored.site = asked.site and stored.meter = asked.meter${within("stored.site")} order by hour desc limit 1
    ) as newest`,
);

const NEWEST_CHARGES = oneShard(
  "last-charges",
  ({ within }) => `
    select site, meter, newest.hour, array_upper(newest.kwh, 1) as place, newest.kwh[array_upper(newest.kwh, 1)] as value
    from unnest($1::int[], $2::int[]) as asked (site, meter)
    cross join lateral (
      select hour, kwh from charge_hours as stored
      where stored.site = asked.site and stored.meter = asked.meter${within("stored.site")} order by hour desc limit 1
    ) as newest`,
);

interface CellRow extends MeterKey {
  readonly hour: number;
  readonly place: number;
  readonly value: number;
}

/** The newest interval of a meter with a reading. */
export interface NewestCell extends MeterKey {
  readonly at: Date;
  /** In kW, of a state of charge in kWh. */
  readonly value: number;
}

const reader =
  (statement: typeof NEWEST_POWERS) =>
  async (db: Queryable, meters: readonly MeterKey[]): Promise<NewestCell[]> => {
    const rows = await rowsOfShards<CellRow, MeterKey>(db, statement, meters, (keys) =>
      valuesOf(keys, "site", "meter"),
    );
    return rows.map(({ site, meter, hour, place, value }) => ({
      site,
      meter,
      at: new Date(cellEndMs(firstCellOfHour(hour) + place - 1)),
      value,
    }));
  };

/** The newest reading of each meter; those without one are absent. */
export const newestPowers = reader(NEWEST_POWERS);

/** The newest state of charge of each meter; those without one are absent. */
export const newestCharges = reader(NEWEST_CHARGES);
