import { type HourRow, type MeterKey } from "@curtail/measure";
import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { oneShard, rowsOfShards } from "../../platform/database/shard-statement.js";
import { valuesOf } from "../../platform/database/values-of.js";
import type { Hours } from "../domain/hours.js";
import { decodeCells } from "./telemetry-encoding.js";

type ChargeRow = Row<"charge_hours", "site" | "meter" | "hour"> & { readonly content: string };

const CHARGE_HOURS = oneShard(
  "charge-hours",
  ({ within }) => `
    select site, meter, hour, content
    from unnest($1::int[], $2::int[]) as asked (site, meter)
    cross join lateral (
      select hour, encode(array_send(kwh), 'base64') as content from charge_hours as stored
      where stored.site = asked.site and stored.meter = asked.meter and hour between $3 and $4${within("stored.site")}
      offset 0
    ) as stored`,
);

/** States of charge of meters in kWh, in any order. */
export const chargeHours = async (
  db: Queryable,
  meters: readonly MeterKey[],
  { from, to }: Hours,
): Promise<HourRow[]> => {
  const rows = await rowsOfShards<ChargeRow, MeterKey>(db, CHARGE_HOURS, meters, (keys) => [
    ...valuesOf(keys, "site", "meter"),
    from,
    to,
  ]);
  return rows.map(({ content, ...key }) => ({ ...key, cells: decodeCells(content) }));
};
