import { awaitTurn } from "../../platform/database/advisory-locks.js";
import { selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { readFirst } from "../../platform/database/read.js";
import type { DemoSize } from "../domain/demo.js";
import type { DemoLease } from "../operations/run-demo.js";
import type { DemoStore } from "../operations/switch-demo.js";

const demoRow = selection("demo", ["state", "started_at", "started_by", "program_ids", "filled_until", "progress"]);

export const demoStore = (db: Queryable): DemoStore => ({
  find: () => readFirst(db, demoRow.camel, `select ${demoRow.columns} from demo`),
  lock: () => readFirst(db, demoRow.camel, `select ${demoRow.columns} from demo for update`),
  awaitAccounts: () => awaitTurn(db, "demo"),
  async insert({ state, startedAt, startedBy }) {
    await db.query("insert into demo (state, started_at, started_by) values ($1, $2, $3)", [
      state,
      startedAt,
      startedBy,
    ]);
  },
  async save({ state, programIds, filledUntil, progress }) {
    await db.query({
      name: "save-demo",
      text: "update demo set state = $1, program_ids = $2, filled_until = $3, progress = $4",
      values: [state, programIds, filledUntil, progress],
    });
  },
  async size() {
    const { rows } = await db.query<DemoSize>(
      "select (select count(*) from accounts) as accounts, (select count(*) from sites) as sites",
    );
    return rows[0] ?? { accounts: 0, sites: 0 };
  },
});

/**
 * Longer than a step takes; after a kill, another process continues when it is over. Should a step take longer, nothing
 * is lost: each may be repeated.
 */
const LEASE_SECONDS = 15;

export const demoLease = (db: Queryable, holder: string): DemoLease => ({
  claim: (now) =>
    readFirst(db, demoRow.camel, {
      text: `update demo set leased_by = $1, leased_until = $2::timestamptz + $3 * interval '1 second'
       where leased_by is null or leased_by = $1 or leased_until < $2 returning ${demoRow.columns}`,
      values: [holder, now, LEASE_SECONDS],
    }),
  async release() {
    await db.query("update demo set leased_by = null, leased_until = null where leased_by = $1", [holder]);
  },
});
