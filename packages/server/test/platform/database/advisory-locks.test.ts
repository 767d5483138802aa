import { atEnd } from "@curtail/testing/at-end";
import type pg from "pg";
import { expect, test } from "vitest";
import { performanceStore } from "../../../src/performance/storage/performance-store.js";
import { advisoryLocks, takeTurn } from "../../../src/platform/database/advisory-locks.js";
import { cloneDatabase } from "../../support/database.js";

const names = Object.keys(advisoryLocks) as Array<keyof typeof advisoryLocks>;

test("no two locks have the same number, and that of migrations is what every version takes", () => {
  expect(new Set(Object.values(advisoryLocks)).size).toBe(names.length);
  expect(advisoryLocks.migration).toBe(7_283_465);
});

test("a lock excludes others from that lock only, until the transaction ends", async () => {
  const database = await cloneDatabase();
  atEnd(() => database.drop());
  const [holder, other] = [await database.pool.connect(), await database.pool.connect()];
  const takenBy = async (client: pg.PoolClient): Promise<string[]> => {
    const taken = [];
    for (const name of names) if (await takeTurn(client, name)) taken.push(name);
    return taken;
  };
  await holder.query("begin");
  expect(await performanceStore(holder).takeTurn()).toBe(true);
  expect(await takenBy(other)).toEqual(names.filter((name) => name !== "finalResults"));
  await holder.query("commit");
  expect(await takenBy(other)).toEqual(names);
  for (const client of [holder, other]) client.release();
});
