import { type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { firstOf } from "../../platform/database/first-of.js";
import { type Placed, pageOf, pageParameters } from "../../platform/database/page.js";
import type { ExcludedDayStore } from "../operations/measurement-ports.js";

const dayRow = selection("excluded_days", ["site_id", "date", "reason", "actor", "at"]);
type DayRow = RowOf<typeof dayRow>;

export const excludedDayStore = (db: Queryable): ExcludedDayStore => ({
  async find(siteId, date) {
    const { rows } = await db.query<DayRow>("select * from excluded_days where site_id = $1 and date = $2", [
      siteId,
      date,
    ]);
    return firstOf(rows, dayRow.camel);
  },
  async list(siteId, page) {
    const { rows } = await db.query<Placed<DayRow>>(
      "select * from excluded_days where site_id = $3 and ($1::bigint is null or seq > $1) order by seq limit $2",
      [...pageParameters(page), siteId],
    );
    return pageOf(rows, page, dayRow.camel);
  },
  async save({ siteId, date, reason, actor, at }) {
    await db.query(
      `insert into excluded_days (site_id, date, reason, actor, at) values ($1, $2, $3, $4, $5)
       on conflict (site_id, date) do update set reason = excluded.reason, actor = excluded.actor, at = excluded.at`,
      [siteId, date, reason, actor, at],
    );
  },
  async remove(siteId, date) {
    const { rows } = await db.query<DayRow>("delete from excluded_days where site_id = $1 and date = $2 returning *", [
      siteId,
      date,
    ]);
    return firstOf(rows, dayRow.camel);
  },
});
