import { expect, test } from "vitest";
import { migrate } from "../../../src/platform/database/migrate.js";
import { readMigrations } from "../../../src/platform/database/migration.js";
import { rulesFor } from "../../../src/portfolio/operations/rules.js";
import { rulesStore } from "../../../src/portfolio/storage/rules-store.js";
import { cloneDatabase, emptyDatabase } from "../../support/database.js";
import { database } from "../../support/migrating.js";

test("a fresh installation measures by the newest rules from the beginning", async () => {
  const { pool } = await database(cloneDatabase);
  const adoptions = await rulesStore(pool).adoptions();
  expect(rulesFor(Date.parse("2020-01-01T00:00:00Z"), "Pacific/Honolulu", adoptions)).toBe(2);
});

test("an installation that settles keeps its rules until the month of the upgrade is over", async () => {
  const { pool } = await database(emptyDatabase);
  const all = await readMigrations();
  await migrate(pool, {
    known: all.slice(
      0,
      all.findIndex(({ name }) => name.endsWith("_measuring_rules.sql")),
    ),
  });
  await pool.query(
    `insert into programs (id, name, timezone, market, program_type, schedule_cutoff_seconds, created_at)
     values ('prg_1', 'Reserve', 'UTC', 'Other', 'Other', 0, now())`,
  );
  await pool.query(
    "insert into program_terms (program_id, from_month, terms, set_at, actor) values ('prg_1', '2026-01', '{}', now(), 'operator')",
  );
  await migrate(pool);
  const [adoption, ...others] = await rulesStore(pool).adoptions();
  expect(others).toEqual([]);
  expect(adoption).toMatchObject({ rulesVersion: 2, fromMonth: null, actor: null, reason: null });
  const at = adoption?.adoptedAt.getTime() ?? 0;
  expect(rulesFor(at, "UTC", await rulesStore(pool).adoptions())).toBe(1);
  expect(rulesFor(at + 31 * 86_400_000, "UTC", await rulesStore(pool).adoptions())).toBe(2);
});
