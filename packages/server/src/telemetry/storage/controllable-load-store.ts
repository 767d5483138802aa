import type pg from "pg";
import type { Row } from "../../platform/database/columns.js";
import { insertedRows, insertRows } from "../../platform/database/inserted-rows.js";
import { eachShard } from "../../platform/database/shard-statement.js";
import type { ControllableLoadArchive } from "../operations/record-controllable-load.js";

const WRITE_LOAD = insertedRows<Row<"controllable_load", "site" | "at" | "interval_seconds" | "kw">>("write-load", {
  into: "controllable_load",
  columns: { site: "int", at: "timestamptz", interval_seconds: "int", kw: "float8" },
  onConflict: "(site, at) do update set interval_seconds = excluded.interval_seconds, kw = excluded.kw",
});

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
    const rows = [...last.values()]
      .map(({ siteId, at, intervalSeconds, powerKw }) => ({
        site: keys.get(siteId) ?? 0,
        at,
        interval_seconds: intervalSeconds,
        kw: powerKw,
      }))
      .toSorted((a, b) => a.site - b.site || a.at.getTime() - b.at.getTime());
    await eachShard(pool, rows, (group) => insertRows(pool, WRITE_LOAD, group));
    return null;
  },
});
