import { expect, test } from "vitest";
import { migrate } from "../../../src/platform/database/migrate.js";
import { readMigrations } from "../../../src/platform/database/migration.js";
import { emptyDatabase } from "../../support/database.js";
import { database } from "../../support/migrating.js";

test("a battery that has sent readings before the upgrade is undecided, others send their charge", async () => {
  const { pool } = await database(emptyDatabase);
  const all = await readMigrations();
  const at = all.findIndex(({ name }) => name.endsWith("_kwh_means.sql"));
  await migrate(pool, { known: all.slice(0, at) });
  await pool.query("insert into accounts (id, name, disabled, created_at) values ('acc', 'A', false, now())");
  await pool.query(
    `insert into sites (id, account_id, name, customer_location_id, dispatch_group, timezone, created_at)
     values ('site', 'acc', 'S', '', '', 'UTC', now())`,
  );
  for (const id of ["silent battery", "battery with hours", "battery with days", "load with hours", "load"])
    await pool.query(
      "insert into meters (id, site_id, name, asset_type, created_at) values ($1, 'site', $1, $2, now())",
      [id, id.includes("battery") ? "battery" : "load"],
    );
  const ofMeters = "from meters join sites on sites.id = site_id where meters.id like $1";
  await pool.query(`insert into telemetry_hours select sites.key, meters.key, 490000, '{1}' ${ofMeters}`, ["%hours"]);
  await pool.query(`insert into telemetry_days select sites.key, meters.key, 20000, 1, '\\x00' ${ofMeters}`, ["%days"]);
  await migrate(pool);
  const { rows } = await pool.query<{ id: string; kwh_means: string }>("select id, kwh_means from meters");
  expect(Object.fromEntries(rows.map(({ id, kwh_means }) => [id, kwh_means]))).toEqual({
    "silent battery": "charge",
    "battery with hours": "undecided",
    "battery with days": "undecided",
    "load with hours": "energy",
    load: "energy",
  });
});
