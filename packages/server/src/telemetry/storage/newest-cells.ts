import { cellEndMs, firstCellOfHour, type MeterKey } from "@curtail/measure";
import type { Queryable } from "../../platform/database/database.js";
import { valuesOf } from "../../platform/database/values-of.js";
import type { LoggedKind } from "./log-batch.js";
import { loggedRead, readLogged } from "./logged-read.js";

// From the last row of each meter's index range: the primary key is enough, so uploads need not write it a second time. The
// newest day of a meter is never packed. As text, a number is the same again.
const newestOf = (name: string, table: string, column: string) =>
  loggedRead(
    name,
    2,
    ({ within }) => `
      select site, meter, newest.hour as place, array_upper(newest.${column}, 1)::text as version,
        newest.${column}[array_upper(newest.${column}, 1)]::text as content
      from unnest($1::int[], $2::int[]) as asked (site, meter)
      cross join lateral (
        select hour, ${column} from ${table} as stored
        where stored.site = asked.site and stored.meter = asked.meter${within("stored.site")} order by hour desc limit 1
      ) as newest`,
  );

/** The newest interval of a meter with a reading. */
export interface NewestCell extends MeterKey {
  readonly at: Date;
  /** In kW, of a state of charge in kWh. */
  readonly value: number;
}

interface Newest {
  readonly cell: number;
  readonly value: number;
}

const POWERS = newestOf("last-readings", "telemetry_hours", "kw");
const CHARGES = newestOf("last-charges", "charge_hours", "kwh");

const reader =
  (statement: typeof POWERS, kind: LoggedKind) =>
  async (db: Queryable, meters: readonly MeterKey[]): Promise<NewestCell[]> => {
    const { records, log } = await readLogged(db, statement, meters, (keys) => valuesOf(keys, "site", "meter"));
    const newest = new Map<number, Newest>(
      records.map(({ meter, place: hour, version, content }) => [
        meter,
        { cell: firstCellOfHour(hour) + Number(version) - 1, value: Number(content) },
      ]),
    );
    if (log !== null && !log.isEmpty)
      for (const key of meters) {
        const logged = log.newest(key.meter, kind);
        if (logged !== undefined && logged.lastCell >= (newest.get(key.meter)?.cell ?? logged.lastCell))
          newest.set(key.meter, { cell: logged.lastCell, value: logged.value });
      }
    return meters.flatMap(({ site, meter }) => {
      const found = newest.get(meter);
      return found === undefined ? [] : [{ site, meter, at: new Date(cellEndMs(found.cell)), value: found.value }];
    });
  };

/** The newest reading of each meter; those without one are absent. */
export const newestPowers = reader(POWERS, "power");

/** The newest state of charge of each meter; those without one are absent. */
export const newestCharges = reader(CHARGES, "charge");
