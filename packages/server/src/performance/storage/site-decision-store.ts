import type { Queryable } from "../../platform/database/database.js";
import type { SiteDecisionStore } from "../operations/measurement-ports.js";

export const siteDecisionStore = (db: Queryable): SiteDecisionStore => ({
  async add({ dispatchId, siteId, counts, reason, actor, at }) {
    await db.query(
      "insert into site_decisions (dispatch_id, site_id, counts, reason, actor, at) values ($1, $2, $3, $4, $5, $6)",
      [dispatchId, siteId, counts, reason, actor, at],
    );
  },
});
