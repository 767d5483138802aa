import type { TraceStore } from "../tracing.js";
import type { Queryable } from "./database.js";

const CHANGES = "('dispatch.create', 'dispatch.change', 'dispatch.cancel', 'dispatch.void')";

export const traceStore = (db: Queryable): TraceStore => ({
  async causeOf({ dispatchId, until }) {
    const { rows } = await db.query<{ trace: string }>({
      name: "trace-of-change",
      text: `select trace from journal
             where subject = $1 and trace is not null and environment = 'production' and kind in ${CHANGES}
               and ($2::timestamptz is null or at <= $2)
             order by at desc, seq desc limit 1`,
      values: [dispatchId, until],
    });
    return rows[0]?.trace ?? null;
  },
  async claimBelowTarget(dispatchId, at) {
    const { rowCount } = await db.query({
      name: "claim-below-target",
      // An entry that no follower reads.
      text: `insert into journal (at, kind, subject) values ($2, 'trace.below_target', $1) on conflict do nothing`,
      values: [dispatchId, at],
    });
    return rowCount === 1;
  },
});
