import { type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { firstOf } from "../../platform/database/first-of.js";
import { type Placed, pageOf, pageParameters } from "../../platform/database/page.js";
import type { AvailabilityBlock } from "../domain/schedule.js";
import type { ScheduleStore } from "../operations/site-ports.js";

const blockRow = selection("availability_blocks", ["id", "site_id", "start_time", "end_time", "created_at"]);
type BlockRow = Placed<RowOf<typeof blockRow>>;

const fromRow = (row: BlockRow): AvailabilityBlock => {
  const { startTime: start, endTime: end, ...block } = blockRow.camel(row);
  return { ...block, start, end };
};

export const scheduleStore = (db: Queryable): ScheduleStore => ({
  async insert({ id, siteId, start, end, createdAt }) {
    await db.query(
      "insert into availability_blocks (id, site_id, start_time, end_time, created_at) values ($1, $2, $3, $4, $5)",
      [id, siteId, start, end, createdAt],
    );
  },
  async findSame(siteId, { start, end }) {
    const { rows } = await db.query<BlockRow>(
      "select * from availability_blocks where site_id = $1 and start_time = $2 and end_time = $3",
      [siteId, start, end],
    );
    return firstOf(rows, fromRow);
  },
  async ofSites(siteIds, endingAfter) {
    const { rows } = await db.query<BlockRow>(
      "select * from availability_blocks where site_id = any($1) and end_time > $2 order by seq",
      [siteIds, endingAfter],
    );
    return rows.map(fromRow);
  },
  async list(siteId, page) {
    const { rows } = await db.query<BlockRow>(
      "select * from availability_blocks where site_id = $3 and ($1::bigint is null or seq > $1) order by seq limit $2",
      [...pageParameters(page), siteId],
    );
    return pageOf(rows, page, fromRow);
  },
  async remove(id, within) {
    const { rows } = await db.query<BlockRow>(
      `delete from availability_blocks
       where id = $1 and ($2::text is null or site_id in (select id from sites where account_id = $2)) returning *`,
      [id, within],
    );
    return firstOf(rows, fromRow);
  },
});
