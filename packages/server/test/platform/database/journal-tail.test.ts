import { setTimeout as sleep } from "node:timers/promises";
import { atEnd } from "@curtail/testing/at-end";
import type pg from "pg";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { FoundObject } from "../../../src/openadr-3/domain/stored-object.js";
import { objectChangeStore } from "../../../src/openadr-3/storage/object-change-store.js";
import { closePool, inTransaction, openJournalPool, openPool } from "../../../src/platform/database/database.js";
import { sleep as rest } from "../../../src/platform/database/database-clock.js";
import { journal } from "../../../src/platform/database/journal.js";
import { JournalTail } from "../../../src/platform/database/journal-tail.js";
import { invalid } from "../../../src/platform/refusal.js";
import { cloneDatabase, type TestDatabase } from "../../support/database.js";
import { storedObject } from "../../support/stored-objects.js";
import { wokenOnly } from "../../support/woken-only.js";

let database: TestDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
  atEnd(() => database.drop());
});

interface Following {
  readonly tail: JournalTail;
  readonly journal: pg.Pool;
  readonly seen: string[];
  readonly resets: () => number;
  /** How often there was news in the other stream. */
  readonly changes: () => number;
  readonly pool: pg.Pool;
}

/** The tail of a process of its own. */
const following = async (clock = wokenOnly): Promise<Following> => {
  const pool = openPool({ ...database.connection }, () => {}, { name: "curtail tests", max: 4 });
  const own = openJournalPool(pool, () => {});
  const tail = new JournalTail({ journal: own, pool, clock, onError: () => {} });
  const seen: string[] = [];
  let [resets, changes] = [0, 0];
  tail.feed({
    take: (entries) => void seen.push(...entries.map(({ subject }) => subject)),
    changed: () => void (changes += 1),
    reset: () => void (resets += 1),
  });
  tail.start();
  atEnd(async () => {
    await tail.stop();
    await Promise.all([closePool(own), closePool(pool)]);
  });
  await tail.catchUp();
  return { tail, journal: own, seen, resets: () => resets, changes: () => changes, pool };
};

const append = (db: pg.Pool | pg.PoolClient, ...subjects: readonly string[]): Promise<void> =>
  journal(db).append(subjects.map((subject) => ({ at: new Date(), kind: "alarm.raise", subject })));

const change = (db: pg.Pool | pg.PoolClient) =>
  objectChangeStore(db).append([{ operation: "CREATE", object: aReport, told: {}, writtenBy: null, at: new Date() }]);

const aReport: FoundObject = {
  ...storedObject("oar_1", { objectType: "REPORT", name: null, createdAt: new Date() }),
  audience: [],
};

describe("the tail of a process", () => {
  test("has what was committed before it is asked, by any process, and while a transaction stays open", async () => {
    const { tail, seen } = await following();
    const open = await database.pool.connect();
    await open.query("begin");
    await append(open, "open");
    await append(database.pool, "committed");
    await tail.catchUp();
    expect(seen).toEqual(["committed"]);
    await open.query("commit");
    open.release();
    await tail.catchUp();
    expect(seen).toEqual(["committed", "open"]);
  });

  test("is woken by commits of its own process and of others, and not by what was rolled back", async () => {
    const [one, other] = [await following(), await following()];
    await inTransaction(one.pool, (client) => append(client, "first"));
    for (const { seen } of [one, other]) await expect.poll(() => seen).toEqual(["first"]);
    const wakes = vi.spyOn(one.tail, "catchUp");
    await inTransaction(one.pool, async (client) => {
      await append(client, "refused");
      return invalid("refused");
    });
    await sleep(200);
    expect(wakes).not.toHaveBeenCalled();
  });

  test("reads and notifies twenty times a second at most, however much is committed", async () => {
    const { pool, tail, seen } = await following();
    const [reads, statements] = [vi.spyOn(tail, "catchUp"), vi.spyOn(pool, "query")];
    const startedMs = performance.now();
    for (let number = 0; number < 300; number++) await append(pool, `many-${number}`);
    await expect.poll(() => seen.length).toBe(300);
    const most = (performance.now() - startedMs) / 50 + 2;
    expect(reads.mock.calls.length).toBeLessThanOrEqual(most);
    const notified = statements.mock.calls.filter((call) => JSON.stringify(call).includes("pg_notify"));
    expect([notified.length > 0, notified.length <= most]).toEqual([true, true]);
  });

  test("resets its readers in place of following more than a thousand entries", async () => {
    const { tail, seen, resets } = await following();
    const before = resets();
    await append(database.pool, ...Array.from({ length: 1000 }, (_, number) => `${number}`));
    await tail.catchUp();
    expect([seen.length, resets()]).toEqual([1000, before]);
    await append(database.pool, ...Array.from({ length: 1001 }, (_, number) => `${number}`));
    await tail.catchUp();
    expect([seen.length, resets()]).toEqual([1000, before + 1]);
    await append(database.pool, "after");
    await tail.catchUp();
    expect(seen.at(-1)).toBe("after");
  });

  test("resets its readers when its connection was lost: another server may have taken over", async () => {
    const { tail, journal: own, resets, seen } = await following();
    const before = resets();
    const { rows } = await own.query<{ pid: number }>("select pg_backend_pid() as pid");
    await database.pool.query("select pg_terminate_backend($1::int)", [rows[0]?.pid]);
    await vi.waitUntil(() => own.totalCount === 0, 5000);
    await append(database.pool, "while away");
    await tail.catchUp();
    expect([seen, resets()]).toEqual([[], before + 1]);
    await append(database.pool, "later");
    await tail.catchUp();
    expect(seen).toEqual(["later"]);
  });

  test("sends one statement a second while nothing happens", async () => {
    const { journal: own } = await following({ ...wokenOnly, sleep: rest });
    const statements = vi.spyOn(own, "query");
    await sleep(3300);
    expect(statements.mock.calls.length).toBeGreaterThanOrEqual(2);
    expect(statements.mock.calls.length).toBeLessThanOrEqual(4);
  });

  test("asks only whether anything was committed while nothing is, and has what is committed then", async () => {
    const { tail, journal: own, seen } = await following();
    const statements = vi.spyOn(own, "query");
    const asked = () => statements.mock.calls.splice(0).map(([query]) => (query as { readonly name?: string }).name);
    // Tests of other databases commit to the same server: it takes a transaction for nothing to be new.
    await own.query("begin isolation level repeatable read");
    // The first may have something new, the second finds that nothing is.
    for (let look = 0; look < 4; look++) await tail.catchUp();
    expect(asked().slice(-2)).toEqual(["read-seen", "read-seen"]);
    await own.query("commit");
    asked();
    await append(database.pool, "new");
    await tail.catchUp();
    expect([asked(), seen]).toEqual([["read-seen", "read-tail"], ["new"]]);
  });

  test("hears of news in the other stream once it is committed, by any process, each time", async () => {
    const [one, other] = [await following(), await following()];
    const heard = () => [one.changes(), other.changes()];
    const [first, second] = heard() as [number, number];
    const open = await one.pool.connect();
    await open.query("begin");
    await change(open);
    await sleep(200);
    // An answer from memory does not use up what a look has yet to find.
    await open.query("commit");
    open.release();
    await one.tail.catchUp();
    expect(heard()).toEqual([first, second]);
    for (const { tail } of [one, other]) tail.hear();
    await expect.poll(heard).toEqual([first + 1, second + 1]);
    await inTransaction(one.pool, change);
    await expect.poll(heard).toEqual([first + 2, second + 2]);
    await inTransaction(one.pool, async (client) => {
      await change(client);
      return invalid("refused");
    });
    for (const { tail } of [one, other]) tail.hear();
    await sleep(300);
    expect(heard()).toEqual([first + 2, second + 2]);
  });
});
