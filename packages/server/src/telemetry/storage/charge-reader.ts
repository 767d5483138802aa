import type { HourRow, MeterKey } from "@curtail/measure";
import type { Queryable } from "../../platform/database/database.js";
import { valuesOf } from "../../platform/database/values-of.js";
import type { Hours } from "../domain/hours.js";
import { loggedRead, readLogged } from "./logged-read.js";
import { overlaid } from "./stored-hours.js";
import { decodeCells } from "./telemetry-encoding.js";

const CHARGE_HOURS = loggedRead(
  "charge-hours",
  4,
  ({ within }) => `
    select site, meter, hour as place, null::text as version, content
    from unnest($1::int[], $2::int[]) as asked (site, meter)
    cross join lateral (
      select hour, encode(array_send(kwh), 'base64') as content from charge_hours as stored
      where stored.site = asked.site and stored.meter = asked.meter and hour between $3 and $4${within("stored.site")}
      offset 0
    ) as stored`,
);

/** States of charge of meters in kWh, in any order; each meter is asked for once. */
export const chargeHours = async (db: Queryable, meters: readonly MeterKey[], period: Hours): Promise<HourRow[]> => {
  const { records, log } = await readLogged(db, CHARGE_HOURS, meters, (keys) => [
    ...valuesOf(keys, "site", "meter"),
    period.from,
    period.to,
  ]);
  const stored = records.map(({ site, meter, place, content }) => ({
    site,
    meter,
    hour: place,
    version: null,
    cells: decodeCells(content ?? ""),
  }));
  const asked = meters.map((key) => ({ ...key, periods: [period] }));
  return overlaid(stored, log, asked, "charge");
};
