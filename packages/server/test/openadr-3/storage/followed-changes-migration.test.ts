import { expect, test } from "vitest";
import { OUTSIDE_BROKER } from "../../../src/openadr-3/operations/broker-conditions.js";
import { CALLBACKS } from "../../../src/openadr-3/operations/queue-notifications.js";
import { unseenBy } from "../../../src/platform/database/follower-store.js";
import { migrate } from "../../../src/platform/database/migrate.js";
import { readMigrations } from "../../../src/platform/database/migration.js";
import { emptyDatabase } from "../../support/database.js";
import { database } from "../../support/migrating.js";

/** What both followers have yet to see after the migration of changes with these flags. */
const openAfter = async (
  changes: ReadonlyArray<readonly [id: string, queued: string | null, published: string | null]>,
) => {
  const db = await database(emptyDatabase);
  const migrations = await readMigrations();
  const own = migrations.findIndex(({ name }) => name.endsWith("_streams.sql"));
  await migrate(db.pool, { known: migrations.slice(0, own) });
  for (const change of changes)
    await db.pool.query(
      `insert into openadr3_changes (environment, operation, object_type, object_id, object, targets, at, queued_at, published_at)
       values ('production', 'CREATE', 'PROGRAM', $1, '{}', '{}', now(), $2, $3)`,
      [...change],
    );
  await migrate(db.pool, { known: migrations });
  const open = async (follower: string) =>
    (
      await db.pool.query<{ object_id: string }>(
        `select object_id from ${unseenBy(follower, "openadr3_changes")} as changes order by seq`,
      )
    ).rows.map(({ object_id }) => object_id);
  return { callbacks: await open(CALLBACKS), broker: await open(OUTSIDE_BROKER) };
};

const AT = "2026-11-01T00:00:00Z";

test("cursors begin where the flags end, for callbacks and a broker apart", async () => {
  expect(
    await openAfter([
      ["done", AT, AT],
      ["to be published", AT, null],
      ["outdated", AT, "-infinity"],
      ["without callbacks", null, AT],
      ["new", null, null],
    ]),
  ).toEqual({ callbacks: ["without callbacks", "new"], broker: ["to be published", "without callbacks", "new"] });
});

test("without a broker nothing of the past waits for one", async () => {
  expect(
    await openAfter([
      ["old", AT, null],
      ["new", null, null],
    ]),
  ).toEqual({ callbacks: ["new"], broker: ["new"] });
});
