import { cellEndMs, firstCellOfHour } from "@curtail/measure";
import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { type JsonOf, jsonMembers } from "../../platform/database/json-members.js";
import type { LastCharges, LastReadings } from "../../portfolio/operations/last-reading.js";
import { IS_MEASURED } from "../../portfolio/storage/meter-conditions.js";
import type { EnergyReader } from "../operations/find-metered.js";
import type { LoadReader } from "../operations/portfolio-load.js";
import type { ReadableMeter, TelemetryReader } from "../operations/read-telemetry.js";
import { chargeHours } from "./charge-reader.js";
import { newestHours, storedHours } from "./stored-hours.js";
import type { HourTable } from "./upsert-hours.js";

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

/** The newest reading of each meter, by meter id. */
export const lastReadings = (db: Queryable, meterIds: readonly string[]): Promise<LastReadings> => {
  const stored = { table: "telemetry_hours", cells: "kw" } as const;
  return newestOf(db, meterIds, stored, (at, powerKw) => ({ at, powerKw }));
};

/** The newest state of charge of each meter, by meter id. */
export const lastCharges = (db: Queryable, meterIds: readonly string[]): Promise<LastCharges> => {
  const stored = { table: "charge_hours", cells: "kwh" } as const;
  return newestOf(db, meterIds, stored, (at, chargeKwh) => ({ at, chargeKwh }));
};

/**
 * From the last row of each meter's index range: the primary key is enough, so uploads need not write it a second time.
 * The newest day of a meter is never packed.
 */
const newestOf = async <T>(
  db: Queryable,
  meterIds: readonly string[],
  { table, cells }: HourTable,
  toLast: (at: Date, value: number) => T,
): Promise<ReadonlyMap<string, T>> => {
  const isCharge = table === "charge_hours";
  const { rows } = await db.query<{ id: string; hour: number; place: number; value: number }>({
    name: isCharge ? "last-charges" : "last-readings",
    text: `select meters.id, newest.hour, array_upper(newest.${cells}, 1) as place,
             newest.${cells}[array_upper(newest.${cells}, 1)] as value
           from meters join sites on sites.id = meters.site_id
           cross join lateral (
             select hour, ${cells} from ${table} where site = sites.key and meter = meters.key order by hour desc limit 1
           ) as newest
           where meters.id = any($1)`,
    values: [meterIds],
  });
  return new Map(
    rows.map(({ id, hour, place, value }) => [
      id,
      toLast(new Date(cellEndMs(firstCellOfHour(hour) + place - 1)), value),
    ]),
  );
};

type MeterRow = Row<"telemetry_hours", "site" | "meter">;

export const loadReader = (db: Queryable): LoadReader => ({
  async meters() {
    const { rows } = await db.query<MeterRow>({
      name: "enabled-meters",
      text: `select sites.key as site, meters.key as meter
             from meters join sites on sites.id = meters.site_id join accounts on accounts.id = account_id
             where not disabled and not accounts.is_simulated and ${IS_MEASURED} order by 1, 2`,
    });
    return rows;
  },
  hours: (meters, hours) => storedHours(db, { meters, periods: [hours] }),
});
