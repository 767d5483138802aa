import { selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { readFirst, readPage } from "../../platform/database/read.js";
import type { ExcludedDayStore, SiteDecisionStore } from "../operations/measurement-ports.js";

const dayRow = selection("excluded_days", ["site_id", "date", "reason", "actor", "at"]);

export const excludedDayStore = (db: Queryable): ExcludedDayStore => ({
  find: (siteId, date) =>
    readFirst(db, dayRow.camel, "select * from excluded_days where site_id = $1 and date = $2", [siteId, date]),
  list: (siteId, page) =>
    readPage(db, page, dayRow.camel, {
      text: "select * from excluded_days where site_id = $3 and ($1::bigint is null or seq > $1) order by seq limit $2",
      values: [siteId],
    }),
  async save({ siteId, date, reason, actor, at }) {
    await db.query(
      `insert into excluded_days (site_id, date, reason, actor, at) values ($1, $2, $3, $4, $5)
       on conflict (site_id, date) do update set reason = excluded.reason, actor = excluded.actor, at = excluded.at`,
      [siteId, date, reason, actor, at],
    );
  },
  remove: (siteId, date) =>
    readFirst(db, dayRow.camel, "delete from excluded_days where site_id = $1 and date = $2 returning *", [
      siteId,
      date,
    ]),
});

export const siteDecisionStore = (db: Queryable): SiteDecisionStore => ({
  async add({ dispatchId, siteId, counts, reason, actor, at }) {
    await db.query(
      "insert into site_decisions (dispatch_id, site_id, counts, reason, actor, at) values ($1, $2, $3, $4, $5, $6)",
      [dispatchId, siteId, counts, reason, actor, at],
    );
  },
});
