import { cellEndMs, firstCellOfHour } from "@curtail/measure";
import type { Queryable } from "../../platform/database/database.js";
import { type JsonOf, jsonMembers } from "../../platform/database/json-members.js";
import type { LastReadings } from "../../portfolio/operations/last-reading.js";
import type { EnergyReader } from "../operations/find-metered.js";
import type { ReadableMeter, TelemetryReader } from "../operations/read-telemetry.js";
import { chargeHours } from "./charge-reader.js";
import { newestHours, storedHours } from "./stored-hours.js";

const meterMembers = jsonMembers("meters", { id: "id", key: "key" });
type MeterJson = JsonOf<typeof meterMembers>;

export const telemetryReader = (db: Queryable): TelemetryReader => ({
  async metersOf(accountId, siteIds) {
    const { rows } = await db.query<{ id: string; site: number; meters: readonly MeterJson[] | null }>({
      name: "meters-of-sites",
      text: `select id, key as site, (
               select json_agg(json_build_object(${meterMembers.sql}) order by seq) from meters where site_id = sites.id
             ) as meters
             from sites where account_id = $1 and id = any($2)`,
      values: [accountId, siteIds],
    });
    return new Map(rows.map((row) => [row.id, (row.meters ?? []).map((meter) => readable(row.site, meter))]));
  },
  rows: (meters, from, to) => storedHours(db, { meters, periods: [{ from, to }] }),
});

/** The same, and the other queries for the energy of a site. */
export const energyReader = (db: Queryable): EnergyReader => ({
  ...telemetryReader(db),
  newestHours: (meters, from, to) => newestHours(db, meters, from, to),
  chargeRows: (meters, from, to) => chargeHours(db, meters, { from, to }),
});

const readable = (site: number, meter: MeterJson): ReadableMeter => ({
  id: meter.id,
  key: { site, meter: meter.key },
});

/**
 * The newest reading of each meter, by meter id, from the last row of its index range: the primary key is enough, so
 * uploads need not write it a second time. The newest day of a meter is never packed.
 */
export const lastReadings = async (db: Queryable, meterIds: readonly string[]): Promise<LastReadings> => {
  const { rows } = await db.query<{ id: string; hour: number; place: number; kw: number }>({
    name: "last-readings",
    text: `select meters.id, newest.hour, array_upper(newest.kw, 1) as place, newest.kw[array_upper(newest.kw, 1)] as kw
           from meters join sites on sites.id = meters.site_id
           cross join lateral (
             select hour, kw from telemetry_hours where site = sites.key and meter = meters.key order by hour desc limit 1
           ) as newest
           where meters.id = any($1)`,
    values: [meterIds],
  });
  return new Map(
    rows.map((row) => [
      row.id,
      { at: new Date(cellEndMs(firstCellOfHour(row.hour) + row.place - 1)), powerKw: row.kw },
    ]),
  );
};
