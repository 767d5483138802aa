import { expect, test } from "vitest";
import { migrate } from "../../../src/platform/database/migrate.js";
import { readMigrations } from "../../../src/platform/database/migration.js";
import { emptyDatabase } from "../../support/database.js";
import { database } from "../../support/migrating.js";

test("what was noted by upload and by dispatch is noted by site, and what was handled is not", async () => {
  const db = await database(emptyDatabase);
  const migrations = await readMigrations();
  const own = migrations.findIndex(({ name }) => name.endsWith("_late_notes.sql"));
  await migrate(db.pool, { known: migrations.slice(0, own) });
  await db.pool.query(`
    insert into late_spans (site, from_at, to_at, first_noted_at, noted_at, settled_at) values
      (1, '2026-06-01', '2026-06-02', '2026-06-10T10:00Z', '2026-06-10T10:00Z', '2026-06-10T10:00Z'),
      (1, '2026-06-03', '2026-06-04', '2026-06-10T10:01Z', '2026-06-10T10:02Z', null),
      (2, '2026-06-05', '2026-06-06', '2026-06-10T10:03Z', '2026-06-10T10:03Z', null);
    insert into late_readings (dispatch_id, site_id, noted_at, settled_at, handled_at, reason, actor, note) values
      ('dis_1', 'site_1', '2026-06-10T10:00Z', '2026-06-10T10:00Z', null, 'corrected', null, null),
      ('dis_1', 'site_1', '2026-06-10T10:05Z', '2026-06-10T10:05Z', null, 'corrected', null, null),
      ('dis_1', 'site_1', '2026-06-10T10:05Z', '2026-06-10T10:05Z', null, 'excluded_days', 'user:1', 'one'),
      ('dis_1', 'site_1', '2026-06-10T10:05Z', '2026-06-10T10:05Z', null, 'excluded_days', 'user:1', 'two'),
      ('dis_2', 'site_1', '2026-06-10T10:05Z', '2026-06-10T10:05Z', '2026-06-10T10:06Z', 'corrected', null, null)`);
  await migrate(db.pool, { known: migrations });
  const { rows: notes } = await db.pool.query(
    `select site, reason, to_char(from_at, 'DD') || '-' || to_char(to_at, 'DD') as days, settled_at is null as is_open, found_at
     from late_notes order by site`,
  );
  expect(notes).toEqual([
    { site: 1, reason: "corrected", days: "01-04", is_open: false, found_at: null },
    { site: 2, reason: "corrected", days: "05-06", is_open: false, found_at: null },
  ]);
  const { rows: corrections } = await db.pool.query(
    "select dispatch_id, site_id, reason, actor, note, noted_at - first_noted_at as took from late_corrections order by reason, note",
  );
  const [dispatch_id, site_id] = ["dis_1", "site_1"];
  expect(corrections).toMatchObject([
    { dispatch_id, site_id, reason: "corrected", actor: null, note: null, took: { minutes: 5 } },
    { dispatch_id, site_id, reason: "excluded_days", actor: "user:1", note: "one" },
    { dispatch_id, site_id, reason: "excluded_days", actor: "user:1", note: "two" },
  ]);
});
