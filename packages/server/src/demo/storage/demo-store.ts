import { awaitTurn } from "../../platform/database/advisory-locks.js";
import { type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { firstOf } from "../../platform/database/first-of.js";
import type { DemoSize } from "../domain/demo.js";
import type { DemoStore } from "../operations/demo-ports.js";
import type { DemoLease } from "../operations/run-demo.js";

const demoRow = selection("demo", ["state", "started_at", "started_by", "program_ids", "filled_until", "progress"]);
type DemoRow = RowOf<typeof demoRow>;

export const demoStore = (db: Queryable): DemoStore => ({
  async find() {
    const { rows } = await db.query<DemoRow>(`select ${demoRow.columns} from demo`);
    return firstOf(rows, demoRow.camel);
  },
  async lock() {
    const { rows } = await db.query<DemoRow>(`select ${demoRow.columns} from demo for update`);
    return firstOf(rows, demoRow.camel);
  },
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
