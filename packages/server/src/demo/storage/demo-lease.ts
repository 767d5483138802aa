import type { Queryable } from "../../platform/database/database.js";
import { firstOf } from "../../platform/database/first-of.js";
import type { DemoLease } from "../operations/run-demo.js";
import { type DemoRow, demoRow } from "./demo-store.js";

/**
 * Longer than a step takes; after a kill, another process continues when it is over. Should a step take longer, nothing
 * is lost: each may be repeated.
 */
const LEASE_SECONDS = 15;

export const demoLease = (db: Queryable, holder: string): DemoLease => ({
  async claim(now) {
    const { rows } = await db.query<DemoRow>(
      `update demo set leased_by = $1, leased_until = $2::timestamptz + $3 * interval '1 second'
       where leased_by is null or leased_by = $1 or leased_until < $2 returning ${demoRow.columns}`,
      [holder, now, LEASE_SECONDS],
    );
    return firstOf(rows, demoRow.camel);
  },
  async release() {
    await db.query("update demo set leased_by = null, leased_until = null where leased_by = $1", [holder]);
  },
});
