import { type HourRow, type MeterKey } from "@curtail/measure";
import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { readAll } from "../../platform/database/read.js";
import type { Hours } from "../domain/hours.js";
import { decodeCells } from "./telemetry-encoding.js";

type ChargeRow = Row<"charge_hours", "site" | "meter" | "hour"> & { readonly content: string };

/** States of charge of meters in kWh, in any order. */
export const chargeHours = (db: Queryable, meters: readonly MeterKey[], { from, to }: Hours): Promise<HourRow[]> =>
  readAll(db, ({ content, ...key }: ChargeRow) => ({ ...key, cells: decodeCells(content) }), {
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
