import { expect, test } from "vitest";
import { migrate } from "../../../src/platform/database/migrate.js";
import { readMigrations } from "../../../src/platform/database/migration.js";
import { emptyDatabase } from "../../support/database.js";
import { database } from "../../support/migrating.js";

const OPEN = [
  { dispatch_id: "dis_changed", modification_number: 1, is_due: true },
  { dispatch_id: "dis_new", modification_number: 0, is_due: true },
];

test.each([
  ["what is current", null, OPEN],
  [
    "with what was current when a restored backup was made",
    { heldAt: "2026-01-03T00:00:00Z", backupAt: "2026-01-01T12:00:00Z" },
    [...OPEN, { dispatch_id: "dis_over", modification_number: 0, is_due: true }],
  ],
])("pushes that were open before the upgrade wait after it: %s", async (_, hold, open) => {
  const db = await database(emptyDatabase);
  const migrations = await readMigrations();
  const own = migrations.findIndex(({ name }) => name.endsWith("_pushes_follow.sql"));
  await migrate(db.pool, { known: migrations.slice(0, own) });
  await db.pool.query(`
    insert into accounts (id, name, disabled, created_at) values ('acc_1', 'One', false, now());
    insert into sites (id, account_id, name, customer_location_id, dispatch_group, timezone, created_at)
      values ('site_1', 'acc_1', 'One', '', '', 'UTC', now());
    insert into vens (id, account_id, ven_id, environment, push_url, target_resource, target_ven_id, market_context, poll_interval_seconds, created_at)
      values ('ven_1', 'acc_1', 'one', 'production', 'https://ven.example/', 'site_id', true, '*', 10, now());
    insert into dispatches (id, program_id, program_name, program_timezone, program_market, program_type, test, authorized, start_time, end_time,
        notification_time, modification_number, created_at, changed_at)
      select id, 'prg_test_dispatch', '', 'UTC', '', 'not_specified', true, authorized, '2026-01-01Z', ends_at, notified_at, number, '2026-01-01Z', '2026-01-01Z'
      from (values ('dis_new', true, null, timestamptz '2026-01-01Z', 0), ('dis_changed', true, null, '2026-01-01Z', 1),
        ('dis_told', true, null, '2026-01-01Z', 0), ('dis_cancelled', false, null, '2026-01-01Z', 1),
        ('dis_planned', true, null, '2100-01-01Z', 0), ('dis_over', true, timestamptz '2026-01-02Z', '2026-01-01Z', 0))
        as given (id, authorized, ends_at, notified_at, number);
    insert into dispatch_sites (dispatch_id, position, site_id, account_id, name, customer_location_id, dispatch_group)
      select id, 0, 'site_1', 'acc_1', '', '', '' from dispatches;
    insert into ven_pushes (ven, dispatch_id, modification_number, failures) values ('ven_1', 'dis_changed', 0, 5), ('ven_1', 'dis_told', 0, 0)`);
  if (hold !== null)
    await db.pool.query("insert into settings (name, value) values ('delivery_hold', $1)", [JSON.stringify(hold)]);
  await migrate(db.pool, { known: migrations });
  const { rows } = await db.pool.query(
    `select dispatch_id, modification_number, next_attempt_at <= now() as is_due from ven_pushes
     where next_attempt_at is not null and failures = 0 order by dispatch_id`,
  );
  expect(rows).toEqual(open);
  expect((await db.pool.query("select from followers where name = 'ven-pushes'")).rowCount).toBe(1);
});
