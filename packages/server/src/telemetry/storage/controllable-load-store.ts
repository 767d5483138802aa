import type pg from "pg";
import type { Row } from "../../platform/database/columns.js";
import { valuesOf } from "../../platform/database/values-of.js";
import type { ControllableLoadArchive } from "../operations/record-controllable-load.js";

/** The last write wins per site and timestamp, in the order of the upload (G28). */
export const controllableLoadStore = (pool: pg.Pool): ControllableLoadArchive => ({
  async write(accountId, readings) {
    const siteIds = [...new Set(readings.map((reading) => reading.siteId))];
    const { rows: sites } = await pool.query<Row<"sites", "id" | "key">>(
      "select id, key from sites where account_id = $1 and id = any($2)",
      [accountId, siteIds],
    );
    const keys = new Map(sites.map((site) => [site.id, site.key]));
    const foreign = readings.findIndex((reading) => !keys.has(reading.siteId));
    if (foreign >= 0) return foreign;
    // A statement can update a row only once, so of readings for the same moment only the last is written. Sorted, so
    // that concurrent uploads lock rows in the same order.
    const last = new Map(readings.map((reading) => [`${keys.get(reading.siteId)} ${reading.at.getTime()}`, reading]));
    const rows = [...last.values()].toSorted((a, b) =>
      a.siteId < b.siteId ? -1 : a.siteId > b.siteId ? 1 : a.at.getTime() - b.at.getTime(),
    );
    await pool.query(
      `insert into controllable_load (site, at, interval_seconds, kw)
       select * from unnest($1::int[], $2::timestamptz[], $3::int[], $4::float8[])
       on conflict (site, at) do update set interval_seconds = excluded.interval_seconds, kw = excluded.kw`,
      [rows.map((reading) => keys.get(reading.siteId)), ...valuesOf(rows, "at", "intervalSeconds", "powerKw")],
    );
    return null;
  },
});
