import { atEnd } from "@curtail/testing/at-end";
import { beforeAll, expect, test } from "vitest";
import { advisoryLocks } from "../../../src/platform/database/advisory-locks.js";
import { type HeldLock, heldLock } from "../../../src/platform/database/held-lock.js";
import { cloneDatabase, type TestDatabase } from "../../support/database.js";

let database: TestDatabase;
let one: HeldLock;
let other: HeldLock;

beforeAll(async () => {
  database = await cloneDatabase();
  atEnd(() => database.drop());
  [one, other] = [database, database].map(({ pool }) => heldLock(pool.options, "backup")) as [HeldLock, HeldLock];
  for (const lock of [one, other]) atEnd(() => lock.release());
});

test("one of two has the lock, as often as it asks", async () => {
  expect([await one.isHeld(), await other.isHeld(), await one.isHeld()]).toEqual([true, false, true]);
});

test("the other has it once it is released", async () => {
  await one.release();
  await expect.poll(() => other.isHeld()).toBe(true);
  expect(await one.isHeld()).toBe(false);
});

test("who loses the connection loses the lock, and learns of it", async () => {
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = $1 and granted`,
    [advisoryLocks.backup],
  );
  await expect.poll(() => one.isHeld().catch(() => false)).toBe(true);
  expect(await other.isHeld().catch(() => false)).toBe(false);
});
