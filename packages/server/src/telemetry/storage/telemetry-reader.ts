import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { type JsonOf, jsonMembers } from "../../platform/database/json-members.js";
import type { LastCharges, LastReadings } from "../../portfolio/operations/last-reading.js";
import { IS_MEASURED } from "../../portfolio/storage/meter-conditions.js";
import type { EnergyReader } from "../operations/find-metered.js";
import type { LoadReader } from "../operations/portfolio-load.js";
import type { ReadableMeter, TelemetryReader } from "../operations/read-telemetry.js";
import { chargeHours } from "./charge-reader.js";
import { newestHours } from "./hour-ends.js";
import { knownMeters } from "./meter-directory.js";
import { type NewestCell, newestCharges, newestPowers } from "./newest-cells.js";
import { storedHours } from "./stored-hours.js";

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
export const lastReadings = (db: Queryable, meterIds: readonly string[]): Promise<LastReadings> =>
  newestById(db, meterIds, newestPowers, ({ at, value }) => ({ at, powerKw: value }));

/** The newest state of charge of each meter, by meter id. */
export const lastCharges = (db: Queryable, meterIds: readonly string[]): Promise<LastCharges> =>
  newestById(db, meterIds, newestCharges, ({ at, value }) => ({ at, chargeKwh: value }));

const newestById = async <T>(
  db: Queryable,
  meterIds: readonly string[],
  read: typeof newestPowers,
  toLast: (cell: NewestCell) => T,
): Promise<ReadonlyMap<string, T>> => {
  const known = await knownMeters(db, meterIds);
  const meters = new Map(meterIds.map((id) => [id, known.get(id)?.key] as const));
  const cells = await read(
    db,
    [...meters.values()].filter((key) => key !== undefined),
  );
  const byKey = new Map(cells.map((cell) => [cell.meter, cell]));
  return new Map(
    [...meters].flatMap(([id, key]) => {
      const cell = byKey.get(key?.meter ?? 0);
      return cell === undefined ? [] : [[id, toLast(cell)] as const];
    }),
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
