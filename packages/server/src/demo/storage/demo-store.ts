import { awaitTurn } from "../../platform/database/advisory-locks.js";
import { type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { firstOf } from "../../platform/database/first-of.js";
import type { DemoSize } from "../domain/demo.js";
import type { DemoStore } from "../operations/demo-ports.js";

export const demoRow = selection("demo", [
  "state",
  "started_at",
  "started_by",
  "program_ids",
  "filled_until",
  "progress",
]);
export type DemoRow = RowOf<typeof demoRow>;

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
