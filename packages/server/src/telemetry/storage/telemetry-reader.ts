import { cellEndMs, firstCellOfHour, type HourRow } from "@curtail/measure";
import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { type JsonOf, jsonMembers } from "../../platform/database/json-members.js";
import type { LastReadings } from "../../portfolio/operations/last-reading.js";
import type { EnergyReader } from "../operations/find-metered.js";
import type { ReadableMeter, TelemetryReader } from "../operations/read-telemetry.js";
import { decodeCells } from "./telemetry-encoding.js";

/** `kw` is encoded: `decodeCells` is faster than the array parser of `pg`. */
type HourRecord = Row<"telemetry_hours", "site" | "meter" | "hour"> & { readonly kw: string };

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
  async rows(meters, from, to) {
    // One index range per meter.
    const { rows } = await db.query<HourRecord>({
      name: "telemetry-hours",
      text: `select stored.site, stored.meter, stored.hour, encode(array_send(stored.kw), 'base64') as kw
             from unnest($1::int[], $2::int[]) as asked (site, meter)
             join telemetry_hours as stored using (site, meter)
             where stored.hour between $3 and $4`,
      values: [meters.map((key) => key.site), meters.map((key) => key.meter), from, to],
    });
    return rows.map(({ site, meter, hour, kw }): HourRow => ({ site, meter, hour, cells: decodeCells(kw) }));
  },
});

/** The same, and the other queries for the energy of a site. */
export const energyReader = (db: Queryable): EnergyReader => ({
  ...telemetryReader(db),
  async newestHours(meters, from, to) {
    // Reads the end of each meter's index range.
    const { rows } = await db.query<Row<"telemetry_hours", "meter" | "hour">>({
      name: "newest-hours",
      text: `select asked.meter, newest.hour from unnest($1::int[], $2::int[]) as asked (site, meter)
             cross join lateral (
               select hour from telemetry_hours as stored
               where stored.site = asked.site and stored.meter = asked.meter and hour between $3 and $4
               order by hour desc limit 1
             ) as newest`,
      values: [meters.map(({ site }) => site), meters.map(({ meter }) => meter), from, to],
    });
    return new Map(rows.map(({ meter, hour }) => [meter, hour]));
  },
});

const readable = (site: number, meter: MeterJson): ReadableMeter => ({
  id: meter.id,
  key: { site, meter: meter.key },
});

/**
 * The newest reading of each meter, by meter id, from the last row of its index range: the primary key is enough, so
 * uploads need not write it a second time.
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
