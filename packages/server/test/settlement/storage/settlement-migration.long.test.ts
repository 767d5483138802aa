import { expect, test } from "vitest";
import { migrate } from "../../../src/platform/database/migrate.js";
import { readMigrations } from "../../../src/platform/database/migration.js";
import { emptyDatabase } from "../../support/database.js";
import { database } from "../../support/migrating.js";

test("statements that were due or marked stay due, others are once their month is over, and the follower begins now", async () => {
  const db = await database(emptyDatabase);
  const migrations = await readMigrations();
  const own = migrations.findIndex(({ name }) => name.endsWith("_settlement_follower.sql"));
  await migrate(db.pool, { known: migrations.slice(0, own) });
  await db.pool.query(`
    insert into accounts (id, name, disabled, created_at) values ('acc_1', 'One', false, now()), ('acc_2', 'Two', false, now());
    insert into sites (id, account_id, name, customer_location_id, dispatch_group, timezone, created_at)
      values ('site_2', 'acc_2', 'Two', '', '', 'UTC', now());
    insert into statements (id, account_id, month, ends_at, due_seq, drawn_early) values
      ('over', 'acc_1', '2026-04', '2026-05-01Z', null, false),
      ('due', 'acc_1', '2026-05', '2026-06-01Z', 7, false),
      ('early', 'acc_1', '2026-06', '2026-07-01Z', null, true),
      ('of a site', 'acc_2', '2026-04', '2026-05-01Z', null, false),
      ('of terms', 'acc_1', '2026-08', '2026-09-01Z', null, true);
    insert into statement_marks (kind, id) values ('site', 'site_2'), ('terms', '2026-08')`);
  await migrate(db.pool, { known: migrations });
  const { rows } = await db.pool.query(
    "select id, due_seq is not null as is_marked, extract(epoch from due_at)::float8 as due from statements order by seq",
  );
  expect(rows).toEqual([
    { id: "over", is_marked: false, due: null },
    { id: "due", is_marked: true, due: 0 },
    { id: "early", is_marked: false, due: Date.parse("2026-07-01T00:00:00Z") / 1000 },
    { id: "of a site", is_marked: true, due: 0 },
    { id: "of terms", is_marked: true, due: 0 },
  ]);
  const { rowCount } = await db.pool.query("select from followers where name = 'settlement'");
  expect(rowCount).toBe(1);
});
