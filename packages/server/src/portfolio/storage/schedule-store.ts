import { type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { type Placed, pageOf, pageParameters } from "../../platform/database/page.js";
import { readAll, readFirst, readPage } from "../../platform/database/read.js";
import { inPieces } from "../../platform/in-pieces.js";
import type { AvailabilityBlock } from "../domain/schedule.js";
import type { ScheduleStore } from "../operations/portfolio-stores.js";

const blockRow = selection("availability_blocks", [
  "id",
  "site_id",
  "start_time",
  "end_time",
  "available_kw",
  "series_id",
  "created_at",
]);
type BlockRow = Placed<RowOf<typeof blockRow>>;

const fromRow = (row: BlockRow): AvailabilityBlock => {
  const { startTime: start, endTime: end, ...block } = blockRow.camel(row);
  return { ...block, start, end };
};

export const scheduleStore = (db: Queryable): ScheduleStore => ({
  async insert({ id, siteId, start, end, availableKw, seriesId, createdAt }) {
    await db.query(
      `insert into availability_blocks (id, site_id, start_time, end_time, available_kw, series_id, created_at)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [id, siteId, start, end, availableKw, seriesId, createdAt],
    );
  },
  findSame: ({ siteId, start, end, availableKw }) =>
    readFirst(db, fromRow, {
      text: `select * from availability_blocks
       where site_id = $1 and start_time = $2 and end_time = $3 and available_kw is not distinct from $4`,
      values: [siteId, start, end, availableKw],
    }),
  ofSites: (siteIds, endingAfter) =>
    inPieces(siteIds, (some) =>
      readAll(db, fromRow, "select * from availability_blocks where site_id = any($1) and end_time > $2 order by seq", [
        some,
        endingAfter,
      ]),
    ),
  list: (siteId, page) =>
    readPage(db, page, fromRow, {
      text: "select * from availability_blocks where site_id = $3 and ($1::bigint is null or seq > $1) order by seq limit $2",
      values: [siteId],
    }),
  async listOfAccount(accountId, { start, end, siteId }, page) {
    // A range of sites, not an equality: the planner then reads the first of each by index, not all of the past.
    const { rows } = await db.query<BlockRow>(
      `select blocks.* from sites cross join lateral (
         select * from availability_blocks
         where site_id between sites.id and sites.id
           and ($4::timestamptz is null or end_time > $4) and ($5::timestamptz is null or start_time < $5)
           and ($1::bigint is null or seq > $1)
         order by site_id, seq limit $2
       ) as blocks
       where account_id = $3 and ($6::text is null or sites.id = $6) order by blocks.seq limit $2`,
      [...pageParameters(page), accountId, start, end, siteId],
    );
    return pageOf(rows, page, fromRow);
  },
  remove: (id, within) =>
    readFirst(db, fromRow, {
      text: `delete from availability_blocks
       where id = $1 and ($2::text is null or site_id in (select id from sites where account_id = $2)) returning *`,
      values: [id, within],
    }),
});
