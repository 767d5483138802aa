import { atEnd } from "@curtail/testing/at-end";
import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import type pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { openJournalPool } from "../../../src/platform/database/database.js";
import { journal } from "../../../src/platform/database/journal.js";
import { READ, readEntries } from "../../../src/platform/database/journal-reader.js";
import type { Cursor, JournalKind } from "../../../src/platform/journal.js";
import { cloneDatabase, type TestDatabase } from "../../support/database.js";

let database: TestDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
  atEnd(() => database.drop());
});

const EVERYTHING = { kinds: null, most: 1000 };

const append = (client: pg.PoolClient | pg.Pool, subject: string, kind: JournalKind = "alarm.raise"): Promise<void> =>
  journal(client).append([{ at: new Date(), kind, subject }]);

const read = async (cursor: Cursor | null): Promise<{ subjects: string[]; cursor: Cursor }> => {
  const { entries, cursor: next } = await readEntries(database.pool, cursor, EVERYTHING);
  return { subjects: entries.map(({ subject }) => subject), cursor: next };
};

/** By the greatest number that was read, as it would be without snapshots. */
const readByNumber = async (after: number): Promise<{ subjects: string[]; after: number }> => {
  const { rows } = await database.pool.query<{ seq: number; subject: string }>(
    "select seq, subject from journal where seq > $1 order by seq",
    [after],
  );
  return { subjects: rows.map(({ subject }) => subject), after: rows.at(-1)?.seq ?? after };
};

/** Only what is older than every open transaction, of those that the test of it writes: others of the cluster may delay earlier ones. */
const readByOldest = async (after: string): Promise<{ subjects: string[]; after: string }> => {
  const { rows } = await database.pool.query<{ subjects: string[]; oldest: string }>(
    `select oldest::text, array(select subject from journal where xid >= $1::text::xid8 and xid < oldest
         and subject in ('early', 'late') order by seq) as subjects
     from (select pg_snapshot_xmin(pg_current_snapshot()) as oldest) as snapshot`,
    [after],
  );
  return { subjects: rows[0]?.subjects ?? [], after: rows[0]?.oldest ?? after };
};

const beginning = async (): Promise<pg.PoolClient> => {
  const client = await database.pool.connect();
  await client.query("begin");
  return client;
};

const ending = async (client: pg.PoolClient, how: string): Promise<void> => {
  await client.query(how);
  client.release();
};

type Act = "append" | "fail" | "save" | "commit" | "roll back" | "prepare" | "settle" | "discard" | "read";
interface Step {
  readonly act: Act;
  readonly writer: number;
  /** Entries of a page. */
  readonly most: number;
}

const WRITERS = 4;
const KINDS = ["alarm.raise", "alarm.clear"] as const;
const isCleared = (subject: string): boolean => Number(subject.split("-").at(-1)) % 2 === 1;

/** Transactions that are open side by side, and what became of their entries. */
class World {
  readonly committed: string[] = [];
  readonly read: string[] = [];
  readonly readOfKind: string[] = [];
  private count = 0;
  private readonly open = new Map<number, { client: pg.PoolClient; subjects: string[] }>();
  private readonly prepared: Array<{ id: string; subjects: string[] }> = [];

  private constructor(
    private readonly name: string,
    private cursor: Cursor,
    private ofKind: Cursor,
  ) {}

  static async create(name: string): Promise<World> {
    const { cursor } = await read(null);
    return new World(name, cursor, cursor);
  }

  async take({ act, writer, most }: Step): Promise<void> {
    if (act === "read") return void (await this.readPage(most));
    if (act === "settle" || act === "discard") return this.settle(act === "settle");
    if (act === "append" || act === "fail" || act === "save") return this.append(writer, act);
    await this.end(writer, act);
  }

  /** Ends whatever is open, and reads to the end. */
  async finish(): Promise<void> {
    for (const writer of this.open.keys()) await this.end(writer, "commit");
    while (this.prepared.length > 0) await this.settle(true);
    while (await this.readPage(3));
  }

  private async append(writer: number, act: "append" | "fail" | "save"): Promise<void> {
    const { client, subjects } = this.open.get(writer) ?? { client: await beginning(), subjects: [] };
    this.open.set(writer, { client, subjects });
    const number = this.count++;
    const subject = `${this.name}-${number}`;
    if (act !== "append") await client.query("savepoint part");
    await append(client, subject, KINDS[number % 2]);
    if (act === "fail") await client.query("rollback to savepoint part");
    else subjects.push(subject);
    if (act === "save") await client.query("release savepoint part");
  }

  private async end(writer: number, act: "commit" | "roll back" | "prepare"): Promise<void> {
    const held = this.open.get(writer);
    if (held === undefined) return;
    const { client, subjects } = held;
    this.open.delete(writer);
    if (act === "prepare" && this.prepared.length < WRITERS) {
      const id = `${this.name}-${writer}-${this.count}`;
      this.prepared.push({ id, subjects });
      return ending(client, `prepare transaction '${id}'`);
    }
    await ending(client, act === "roll back" ? "rollback" : "commit");
    if (act !== "roll back") this.committed.push(...subjects);
  }

  private async settle(isCommitted: boolean): Promise<void> {
    const first = this.prepared.shift();
    if (first === undefined) return;
    await database.pool.query(`${isCommitted ? "commit" : "rollback"} prepared '${first.id}'`);
    if (isCommitted) this.committed.push(...first.subjects);
  }

  /** Whether there may be more. */
  private async readPage(most: number): Promise<boolean> {
    const all = await readEntries(database.pool, this.cursor, { kinds: null, most });
    const some = await readEntries(database.pool, this.ofKind, { kinds: ["alarm.clear"], most });
    this.cursor = all.cursor;
    this.ofKind = some.cursor;
    this.read.push(...all.entries.map(({ subject }) => subject));
    this.readOfKind.push(...some.entries.map(({ subject }) => subject));
    return [all, some].some(({ entries, hasMore }) => hasMore || entries.length > 0);
  }
}

const steps = fc.array(
  fc.record({
    act: fc.constantFrom<Act>(
      "append",
      "append",
      "append",
      "fail",
      "save",
      "commit",
      "commit",
      "roll back",
      "prepare",
      "settle",
      "discard",
      "read",
      "read",
    ),
    writer: fc.nat(WRITERS - 1),
    most: fc.integer({ min: 1, max: 4 }),
  }),
  { minLength: 20, maxLength: 80 },
);

describe("a reader of the journal", () => {
  test("sees each committed entry once, whatever was open, rolled back, prepared or failed meanwhile, in pages of any length", async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const world = await World.create(`run${++run}`);
        for (const step of taken) await world.take(step);
        await world.finish();
        const expected = world.committed.toSorted();
        expect(world.read.toSorted()).toEqual(expected);
        expect(world.readOfKind.toSorted()).toEqual(expected.filter(isCleared));
      }),
      { numRuns: propertyRuns(10, { atMost: 100 }) },
    );
  });

  test("sees what a long transaction committed late, and does not wait for it; a reader by numbers loses it, one by the oldest transaction waits", async () => {
    let { cursor } = await read(null);
    let { after } = await readByNumber(0);
    let oldest = (await readByOldest("3")).after;
    const long = await beginning();
    await append(long, "early");
    await append(database.pool, "late");

    const [seen, numbered, waiting] = [await read(cursor), await readByNumber(after), await readByOldest(oldest)];
    expect([seen.subjects, numbered.subjects, waiting.subjects]).toEqual([["late"], ["late"], []]);
    ({ cursor } = seen);
    ({ after } = numbered);
    oldest = waiting.after;
    await ending(long, "commit");

    expect((await read(cursor)).subjects).toEqual(["early"]);
    expect((await readByNumber(after)).subjects).toEqual([]);
    // Transactions of other databases of the cluster hold it back, too.
    await expect.poll(async () => (await readByOldest(oldest)).subjects).toEqual(["early", "late"]);
  });

  test("reads a backlog in pages that end where it began, and then goes on", async () => {
    const { cursor } = await read(null);
    for (const subject of ["a", "b", "c"]) await append(database.pool, subject);
    const first = await readEntries(database.pool, cursor, { kinds: null, most: 2 });
    await append(database.pool, "d");
    const second = await readEntries(database.pool, first.cursor, { kinds: null, most: 2 });
    const third = await readEntries(database.pool, second.cursor, { kinds: null, most: 2 });
    const pages = [first, second, third];
    expect(pages.map(({ entries }) => entries.map(({ subject }) => subject))).toEqual([["a", "b"], ["c"], ["d"]]);
    expect(pages.map(({ hasMore }) => hasMore)).toEqual([true, false, false]);
  });

  test("finds entries by the index, with one plan, however long the journal is", async () => {
    await database.pool.query(
      `insert into journal (at, kind, subject) select now(), 'alarm.raise', 'old' from generate_series(1, 20000)`,
    );
    await database.pool.query("analyze journal");
    const { cursor } = await read(null);
    await append(database.pool, "new");
    const pool = openJournalPool(database.pool, () => {});
    await pool.query(`prepare read_journal (pg_snapshot, pg_snapshot, bigint, int, text[]) as ${READ}`);
    const { rows } = await pool.query<{ "QUERY PLAN": string }>(
      `explain (analyze, timing off) execute read_journal ('${cursor.seen}', null, 0, 1000, null)`,
    );
    await pool.end();
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan).not.toMatch(/Seq Scan|journal_pkey|Rows Removed by Filter: \d{3}/);
    expect(plan).toContain("journal_xid");
    expect((await read(cursor)).subjects).toEqual(["new"]);
  });
});

describe("an entry", () => {
  test("names its environment, what it is about and whom it concerns: anybody, if they are more than fifty", async () => {
    const { cursor } = await read(null);
    const many = Array.from({ length: 51 }, (_, number) => `acc_${number}`);
    const at = new Date("2026-11-28T12:00:00Z");
    await journal(database.pool).append([
      { at, kind: "alarm.raise", subject: "alm_1", ref: 7, accounts: many.slice(1) },
      { at, kind: "alarm.clear", subject: "", accounts: many },
    ]);
    await database.pool.query(
      "set search_path = sandbox; insert into journal (at, kind, subject) values (now(), 'alarm.raise', 'x'); reset search_path",
    );
    const { entries } = await readEntries(database.pool, cursor, EVERYTHING);
    expect(entries).toEqual([
      {
        seq: expect.any(Number),
        environment: "production",
        at,
        kind: "alarm.raise",
        subject: "alm_1",
        ref: 7,
        accounts: many.slice(1),
      },
      {
        seq: expect.any(Number),
        environment: "production",
        at,
        kind: "alarm.clear",
        subject: "",
        ref: null,
        accounts: null,
      },
      expect.objectContaining({ environment: "sandbox", subject: "x" }),
    ]);
  });

  test("is written by hand for a change that is made by hand", async () => {
    const { cursor } = await read(null);
    await database.pool.query("select note_change('dispatch.change', 'dis_1')");
    const { entries } = await readEntries(database.pool, cursor, EVERYTHING);
    expect(entries).toEqual([
      expect.objectContaining({ kind: "dispatch.change", subject: "dis_1", environment: "production" }),
    ]);
  });
});
