import { atEnd } from "@curtail/testing/at-end";
import type pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import type { Publications } from "../../../src/openadr-3/operations/publication.js";
import { publications } from "../../../src/openadr-3/storage/publications.js";
import { adoptJournal, SEEN_BY_ALL } from "../../../src/platform/database/journal-upkeep.js";
import { cloneDatabase, type TestDatabase } from "../../support/database.js";

let database: TestDatabase;
let changes: Publications;

beforeAll(async () => {
  database = await cloneDatabase();
  atEnd(() => database.drop());
  changes = publications(database.pool);
});

const add = async (db: pg.Pool | pg.PoolClient, ...ids: readonly string[]): Promise<void> => {
  await db.query(
    `insert into openadr3_changes (environment, operation, object_type, object_id, object, targets, at)
     select 'production', 'CREATE', 'PROGRAM', id, '{}', '{}', now() from unnest($1::text[]) as id`,
    [ids],
  );
};

const since = async (...asked: Parameters<Publications["since"]>) => {
  const { changes: found, ...read } = await changes.since(...asked);
  return { ...read, ids: found.map(({ objectId }) => objectId) };
};

describe("changes since a cursor", () => {
  test("are each read once, however late their transaction commits", async () => {
    await add(database.pool, "before");
    const { cursor: start } = await since(null, 10);
    const open = await database.pool.connect();
    await open.query("begin");
    await add(open, "late");
    await add(database.pool, "one", "two");
    const first = await since(start, 10);
    expect(first.ids).toEqual(["one", "two"]);
    await open.query("commit");
    open.release();
    await add(database.pool, "three");
    const second = await since(first.cursor, 10);
    expect(second.ids).toEqual(["late", "three"]);
    expect((await since(second.cursor, 10)).ids).toEqual([]);
  });

  test("come in pages, and without those that every cursor has seen", async () => {
    const { cursor: start } = await since(null, 10);
    await add(database.pool, "1", "2", "3");
    await add(database.pool, "outdated", "4");
    await database.pool.query(`update openadr3_changes set xid = ${SEEN_BY_ALL} where object_id = 'outdated'`);
    const pages: Array<readonly string[]> = [];
    let read = { cursor: start, hasMore: true };
    while (read.hasMore) {
      const { ids, ...next } = await since(read.cursor, 2);
      pages.push(ids);
      read = next;
    }
    expect(pages).toEqual([
      ["1", "2"],
      ["3", "4"],
    ]);
    expect((await since(read.cursor, 2)).ids).toEqual([]);
  });

  test("are none that a dump brought from an older cluster", async () => {
    await add(database.pool, "of the dump");
    await database.pool.query(
      "update openadr3_changes set xid = (pg_snapshot_xmax(pg_current_snapshot())::text::bigint + 1000)::text::xid8 where object_id = 'of the dump'",
    );
    expect(await adoptJournal(database.pool)).toBe(true);
    const { cursor } = await since(null, 10);
    await add(database.pool, "new");
    expect((await since(cursor, 10)).ids).toEqual(["new"]);
    expect(await adoptJournal(database.pool)).toBe(false);
  });
});
