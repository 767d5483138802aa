import { atEnd } from "@curtail/testing/at-end";
import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { journal } from "../../../src/platform/database/journal.js";
import { cursorAt, readEntries } from "../../../src/platform/database/journal-reader.js";
import {
  adoptJournal,
  JOURNAL_KEPT_DAYS,
  oldEntries,
  SEEN_BY_ALL,
} from "../../../src/platform/database/journal-upkeep.js";
import type { Cursor, StreamName } from "../../../src/platform/journal.js";
import { DAY_MS } from "../../../src/platform/period.js";
import { Pruning } from "../../../src/platform/pruning.js";
import { cloneDatabase, type TestDatabase } from "../../support/database.js";
import { fakeClock } from "../../support/fake-clock.js";

let database: TestDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
  atEnd(() => database.drop());
});

beforeEach(async () => {
  await database.pool.query("truncate journal; truncate followers; truncate openadr3_changes cascade");
});

const clock = fakeClock();
const NOW = clock.now();
const daysAgo = (days: number): Date => new Date(NOW.getTime() - days * DAY_MS);

const append = (subject: string, at = NOW): Promise<void> =>
  journal(database.pool).append([{ at, kind: "alarm.raise", subject }]);

const change = (id: string) =>
  database.pool.query(
    `insert into openadr3_changes (environment, operation, object_type, object_id, object, targets, at)
     values ('production', 'CREATE', 'PROGRAM', $1, '{}', '{}', now())`,
    [id],
  );

const save = async (name: string, { seen, page, pageAfter }: Cursor, stream: StreamName = "journal"): Promise<void> => {
  await database.pool.query(
    `insert into followers (name, stream, seen, page, page_after) values ($1, $2, $3, $4, $5)
     on conflict (name) do update set seen = excluded.seen, page = excluded.page, page_after = excluded.page_after`,
    [name, stream, seen, page, pageAfter],
  );
};

const stored = async (name: string): Promise<Cursor> => {
  const { rows } = await database.pool.query<{ seen: string; page: string | null; page_after: number | null }>(
    "select seen::text, page::text, page_after from followers where name = $1",
    [name],
  );
  const [{ seen, page, page_after } = { seen: "", page: null, page_after: null }] = rows;
  return { ...cursorAt(seen), page, pageAfter: page_after ?? 0 };
};

const now = async (): Promise<Cursor> => (await readEntries(database.pool, null, { kinds: null, most: 1 })).cursor;

/** Reads everything that is new to a follower, and moves it. */
const followed = async (name: string, stream: StreamName = "journal"): Promise<string[]> => {
  const subjects: string[] = [];
  for (let isRead = false; !isRead; ) {
    const { entries, cursor, hasMore } = await readEntries(database.pool, await stored(name), {
      stream,
      kinds: null,
      most: 2,
    });
    subjects.push(...entries.map(({ subject }) => subject));
    await save(name, cursor);
    isRead = !hasMore && entries.length === 0;
  }
  return subjects;
};

const subjects = async (): Promise<string[]> =>
  (await database.pool.query<{ subject: string }>("select subject from journal order by seq")).rows.map(
    (row) => row.subject,
  );

const prune = async (): Promise<void> => {
  const pruning = new Pruning(oldEntries(database.pool), clock, JOURNAL_KEPT_DAYS);
  while (!(await pruning.step()).isDone);
};

describe("old entries", () => {
  test("are removed after thirty days, however many there are", async () => {
    await database.pool.query(
      "insert into journal (at, kind, subject) select $1, 'alarm.raise', 'old' from generate_series(1, 1203)",
      [daysAgo(31)],
    );
    await append("new", daysAgo(29));
    await prune();
    expect(await subjects()).toEqual(["new"]);
  });

  test("stay until every follower has seen them", async () => {
    await append("seen by both", daysAgo(40));
    await save("quick", await now());
    await save("slow", await now());
    await append("seen by one", daysAgo(40));
    await save("quick", await now());
    await prune();
    expect(await subjects()).toEqual(["seen by one"]);
    await save("slow", await now());
    // It reads another table.
    await database.pool.query("update followers set seen = '3:3:', stream = 'openadr3_changes' where name = 'quick'");
    await prune();
    expect(await subjects()).toEqual([]);
  });
});

/** Of a cluster that was $1 transactions ahead. */
const moved = (column: string): string => `format('%s:%s:%s', pg_snapshot_xmin(${column})::text::bigint + $1::bigint,
  pg_snapshot_xmax(${column})::text::bigint + $1::bigint,
  array_to_string(array(select x::text::bigint + $1::bigint from pg_snapshot_xip(${column}) as x), ','))::pg_snapshot`;

/** What a dump from a cluster that was this far ahead leaves: numbers of transactions stay as they were. */
const restoredFrom = async (ahead: number): Promise<void> => {
  for (const table of ["journal", "openadr3_changes"])
    await database.pool.query(`update ${table} set xid = (xid::text::bigint + $1::bigint)::text::xid8`, [ahead]);
  await database.pool.query(
    `update followers set seen = ${moved("seen")}, page = case when page is not null then ${moved("page")} end`,
    [ahead],
  );
};

describe("a dump that is restored in a younger cluster", () => {
  test("delivers to each follower what it had not seen, once, and what is appended then", async () => {
    const follower = fc.record({ reads: fc.array(fc.nat(3), { maxLength: 3 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(follower, { minLength: 1, maxLength: 4 }), fc.nat(3), async (followers, last) => {
        await database.pool.query("truncate journal; truncate followers");
        const start = await now();
        const known = new Map<string, string[]>();
        for (const index of followers.keys()) await save(`follower ${index}`, start);
        let count = 0;
        // Some read a page, or more, between entries: also in the middle of a backlog.
        for (let round = 0; round < 3; round++) {
          for (let number = 0; number < 3; number++) await append(`${++count}`);
          for (const [index, { reads }] of followers.entries()) {
            const name = `follower ${index}`;
            for (let page = 0; page < (reads[round] ?? 0); page++) {
              const read = await readEntries(database.pool, await stored(name), { kinds: null, most: 2 });
              await save(name, read.cursor);
              known.set(name, [...(known.get(name) ?? []), ...read.entries.map(({ subject }) => subject)]);
            }
          }
        }
        await restoredFrom(1_000_000_000);
        expect(await adoptJournal(database.pool)).toBe(true);
        for (let number = 0; number < last; number++) await append(`${++count}`);
        const everything = Array.from({ length: count }, (_, index) => `${index + 1}`);
        for (const index of followers.keys()) {
          const name = `follower ${index}`;
          const all = [...(known.get(name) ?? []), ...(await followed(name))];
          expect(all.toSorted((a, b) => Number(a) - Number(b))).toEqual(everything);
        }
        expect(await adoptJournal(database.pool)).toBe(false);
      }),
      { numRuns: propertyRuns(6, { atMost: 60 }) },
    );
  });

  test("delivers of each stream what its followers had not seen, and of what all had seen nothing", async () => {
    const start = await now();
    for (const name of ["callbacks", "broker", "none"]) await save(name, start, "openadr3_changes");
    await save("of the journal", start);
    await change("seen by all");
    await append("unseen");
    for (const name of ["callbacks", "broker", "none"])
      expect(await followed(name, "openadr3_changes")).toEqual(["seen by all"]);
    await change("seen by one");
    expect(await followed("callbacks", "openadr3_changes")).toEqual(["seen by one"]);
    await database.pool.query("delete from followers where name = 'none'");
    await change("seen by none");
    await restoredFrom(1_000_000_000);
    expect(await adoptJournal(database.pool)).toBe(true);
    await change("new");
    expect(await followed("callbacks", "openadr3_changes")).toEqual(["seen by none", "new"]);
    expect(await followed("broker", "openadr3_changes")).toEqual(["seen by one", "seen by none", "new"]);
    expect(await followed("of the journal")).toEqual(["unseen"]);
    const { rows } = await database.pool.query(
      `select object_id from openadr3_changes where xid = ${SEEN_BY_ALL} order by seq`,
    );
    expect(rows).toEqual([{ object_id: "seen by all" }]);
  });

  test("keeps what all have seen apart from what none has, where everything is unseen", async () => {
    await save("broker", await now(), "openadr3_changes");
    await change("unseen");
    await restoredFrom(1_000_000_000);
    expect(await adoptJournal(database.pool)).toBe(true);
    await database.pool.query(`update openadr3_changes set xid = ${SEEN_BY_ALL}`);
    expect(await followed("broker", "openadr3_changes")).toEqual([]);
  });

  test("loses what is appended then if its cursors are left as they are", async () => {
    await save("follower", await now());
    await append("before");
    expect(await followed("follower")).toEqual(["before"]);
    await restoredFrom(1_000_000_000);
    await append("after");
    expect(await followed("follower")).toEqual([]);
  });

  test("needs nothing in an older cluster", async () => {
    await save("follower", await now());
    await append("before");
    // Further than any transaction that is open in other databases of the cluster.
    await restoredFrom(-500);
    expect(await adoptJournal(database.pool)).toBe(false);
    await append("after");
    expect(await followed("follower")).toEqual(["before", "after"]);
  });
});
