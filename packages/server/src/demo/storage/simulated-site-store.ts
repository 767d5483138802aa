import { awaitTurn } from "../../platform/database/advisory-locks.js";
import { selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { readFirst } from "../../platform/database/read.js";
import type { SimulatedSiteLease } from "../operations/run-simulated-site.js";
import type { SimulatedSiteStore } from "../operations/simulated-site.js";

const row = selection("simulated_site", [
  "state",
  "started_at",
  "started_by",
  "account_id",
  "program_id",
  "site_id",
  "filled_until",
]);

export const simulatedSiteStore = (db: Queryable): SimulatedSiteStore => ({
  find: () => readFirst(db, row.camel, `select ${row.columns} from simulated_site`),
  lock: () => readFirst(db, row.camel, `select ${row.columns} from simulated_site for update`),
  awaitTurn: () => awaitTurn(db, "simulatedSite"),
  async insert({ state, startedAt, startedBy, accountId, programId, siteId, filledUntil }) {
    await db.query(
      `insert into simulated_site (state, started_at, started_by, account_id, program_id, site_id, filled_until)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [state, startedAt, startedBy, accountId, programId, siteId, filledUntil],
    );
  },
  async save({ state, filledUntil }) {
    await db.query({
      name: "save-simulated-site",
      text: "update simulated_site set state = $1, filled_until = $2",
      values: [state, filledUntil],
    });
  },
  async markAccount(id) {
    await db.query("update accounts set is_simulated = true where id = $1", [id]);
  },
  async markProgram(id) {
    await db.query("update programs set is_simulated = true where id = $1", [id]);
  },
});

/** Longer than a step takes; after a kill, another process continues when it is over. */
const LEASE_SECONDS = 15;

export const simulatedSiteLease = (db: Queryable, holder: string): SimulatedSiteLease => ({
  claim: (now) =>
    readFirst(db, row.camel, {
      name: "claim-simulated-site",
      text: `update simulated_site set leased_by = $1, leased_until = $2::timestamptz + $3 * interval '1 second'
       where leased_by is null or leased_by = $1 or leased_until < $2 returning ${row.columns}`,
      values: [holder, now, LEASE_SECONDS],
    }),
  async release() {
    await db.query("update simulated_site set leased_by = null, leased_until = null where leased_by = $1", [holder]);
  },
});
