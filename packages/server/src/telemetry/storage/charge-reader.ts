import { cellEndMs, firstCellOfHour, type HourRow, type MeterKey } from "@curtail/measure";
import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import type { LastCharges } from "../../portfolio/operations/last-reading.js";
import type { Hours } from "../domain/hours.js";
import { decodeCells } from "./telemetry-encoding.js";

type ChargeRow = Row<"charge_hours", "site" | "meter" | "hour"> & { readonly content: string };

/** States of charge of meters in kWh, in any order. */
export const chargeHours = async (
  db: Queryable,
  meters: readonly MeterKey[],
  { from, to }: Hours,
): Promise<HourRow[]> => {
  const { rows } = await db.query<ChargeRow>({
    name: "charge-hours",
    text: `select site, meter, hour, content
           from unnest($1::int[], $2::int[]) as asked (site, meter)
           cross join lateral (
             select hour, encode(array_send(kwh), 'base64') as content from charge_hours as stored
             where stored.site = asked.site and stored.meter = asked.meter and hour between $3 and $4
             offset 0
           ) as stored`,
    values: [meters.map(({ site }) => site), meters.map(({ meter }) => meter), from, to],
  });
  return rows.map(({ content, ...key }) => ({ ...key, cells: decodeCells(content) }));
};

/** The newest state of charge of each meter, by meter id. */
export const lastCharges = async (db: Queryable, meterIds: readonly string[]): Promise<LastCharges> => {
  const { rows } = await db.query<{ id: string; hour: number; place: number; kwh: number }>({
    name: "last-charges",
    text: `select meters.id, newest.hour, array_upper(newest.kwh, 1) as place, newest.kwh[array_upper(newest.kwh, 1)] as kwh
           from meters join sites on sites.id = meters.site_id
           cross join lateral (
             select hour, kwh from charge_hours where site = sites.key and meter = meters.key order by hour desc limit 1
           ) as newest
           where meters.id = any($1)`,
    values: [meterIds],
  });
  return new Map(
    rows.map((row) => [
      row.id,
      { at: new Date(cellEndMs(firstCellOfHour(row.hour) + row.place - 1)), chargeKwh: row.kwh },
    ]),
  );
};
