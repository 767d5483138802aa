import type { Queryable } from "../../platform/database/database.js";
import type { ObjectArchive } from "../operations/prune-objects.js";

export const objectArchive = (db: Queryable): ObjectArchive => ({
  async removeSome(before, limit) {
    const { rowCount } = await db.query({
      name: "prune-openadr3-objects",
      // Skips rows that another process is removing.
      text: `with events as materialized (
               select id from openadr3_objects where object_type = 'EVENT' and transpires_at < $1
               order by transpires_at limit $2 for update skip locked
             ), reports as materialized (
               select id from openadr3_objects where object_type = 'REPORT' and modified_at < $1
               order by modified_at limit $2 for update skip locked
             )
             delete from openadr3_objects where id in (table events union table reports)
               or event_id in (table events)`,
      values: [before, limit],
    });
    return rowCount ?? 0;
  },
});
