import { atEnd } from "@curtail/testing/at-end";
import { expect, test } from "vitest";
import { findHold } from "../../../src/backup/storage/delivery-hold.js";
import { holdRestored } from "../../../src/backup/storage/hold-restored.js";
import { openPool, SERVING } from "../../../src/platform/database/database.js";
import { database } from "../../support/backups-made.js";
import type { TestDatabase } from "../../support/database.js";
import { closeKept } from "../../support/kept-client.js";

const RESTORED_TO = new Date("2026-11-30T14:07:59Z");
const NOW = new Date("2026-11-30T15:00:00Z");

const CHANGE = "insert into journal (at, kind, subject) values ($1, 'site.create', 'site_one')";
const NUMBER = `insert into dated_ids (kind, id) values ('site', $1) returning number`;

/** A database that no process serves: those of other tests have left it, and PostgreSQL knows it. */
const unserved = async (): Promise<TestDatabase> => {
  const of = await database();
  await closeKept(of.connection.database);
  const serving = async () =>
    (
      await of.pool.query(
        "select from pg_stat_activity where datname = current_database() and application_name like 'curtail%' and pid <> pg_backend_pid()",
      )
    ).rowCount;
  await expect.poll(serving).toBe(0);
  return of;
};

/** A command of its own, whose connection is none of a service. */
const hold = async ({ connection }: TestDatabase, restoredTo = RESTORED_TO): Promise<void> => {
  const pool = openPool(connection, () => {}, { max: 1, name: "curtail start" });
  try {
    await holdRestored(pool, restoredTo, NOW);
  } finally {
    await pool.end();
  }
};

test("a database that was restored to a moment holds delivery, and gives no number again", async () => {
  const of = await unserved();
  await of.pool.query(CHANGE, ["2026-11-30T14:07:58Z"]);
  const numberOf = async (id: string): Promise<number> => (await of.pool.query(NUMBER, [id])).rows[0].number;
  const before = await numberOf("site_before");
  await hold(of);
  expect(await findHold(of.pool)).toEqual({ heldAt: NOW, backupAt: RESTORED_TO });
  expect(await numberOf("site_after")).toBeGreaterThan(before + 1_000_000);
});

test("a database with changes after the moment is not held: it was not restored, or to another moment", async () => {
  const of = await unserved();
  await of.pool.query(CHANGE, ["2026-11-30T14:10:00Z"]);
  await expect(hold(of)).rejects.toThrow(/changes until 2026-11-30T14:10:00\.000Z, which is after/);
  expect(await findHold(of.pool)).toBeNull();
});

test("while a process of the service runs, nothing is held: it would not notice", async () => {
  const of = await database();
  const serving = openPool(of.connection, () => {}, { max: 1, name: SERVING });
  atEnd(() => serving.end());
  await serving.query("select 1");
  await expect(hold(of)).rejects.toThrow(/^Stop every process of the service first/);
});

test("delivery is held once", async () => {
  const of = await unserved();
  await hold(of);
  await expect(hold(of)).rejects.toThrow(/^Delivery is held already/);
});
