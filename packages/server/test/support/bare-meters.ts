import { firstCellOfHour, type MeterKey } from "@curtail/measure";
import type { GridReadings } from "../../src/telemetry/operations/grid-readings.js";
import type { TestDatabase } from "./database.js";

let count = 0;

/** A site with meters, written to the database without a service. */
export const bareMeters = async ({ pool }: TestDatabase, meters = 1): Promise<MeterKey[]> => {
  count += 1;
  await pool.query(
    "insert into accounts (id, name, disabled, created_at) values ('acc', 'Account', false, now()) on conflict do nothing",
  );
  const { rows } = await pool.query<MeterKey>(
    `with site as (
       insert into sites (id, account_id, name, customer_location_id, dispatch_group, timezone, created_at)
       values ($1, 'acc', 'Site', '', '', 'UTC', now()) returning id, key)
     insert into meters (id, site_id, name, asset_type, created_at)
     select $1 || '-' || nth, id, 'Meter ' || nth, 'load', now() from site cross join generate_series(1, $2::int) as nth
     returning (select key from site) as site, key as meter`,
    [`site-${count}`, meters],
  );
  return rows;
};

/** The only meter of a new site. */
export const bareMeter = async (database: TestDatabase): Promise<MeterKey> => {
  const [key] = await bareMeters(database);
  if (key === undefined) throw new Error("the meter was not created");
  return key;
};

/** Readings of one cell each: cell `place` of a day (UTC, since 1970), from 0. */
export const cellReadings = (
  key: MeterKey,
  day: number,
  powers: Readonly<Record<number, number>>,
  cells = 1,
): GridReadings => {
  const places = Object.keys(powers).map(Number);
  return {
    count: places.length,
    keys: [key],
    source: new Int32Array(places.length),
    lastCell: Int32Array.from(places, (place) => firstCellOfHour(day * 24) + place),
    cellCount: new Int32Array(places.length).fill(cells),
    powerKw: Float64Array.from(places, (place) => powers[place] ?? 0),
  };
};
