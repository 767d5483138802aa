import { atEnd } from "@curtail/testing/at-end";
import { testOffCitus } from "@curtail/testing/on-citus";
import { describe, expect, test } from "vitest";
import { cloneDatabase, type TestDatabase } from "../../support/database.js";

/** Every row of every table, the last number of every sequence, and what the planner has learned of accounts: autovacuum looks at larger tables. */
const contentOf = async ({ pool }: TestDatabase): Promise<unknown> => {
  const { rows } = await pool.query(
    `select table_schema, table_name,
       query_to_xml(format('select * from %I.%I as each order by each::text', table_schema, table_name), true, true, '')::text as content
     from information_schema.tables
     where table_schema in ('public', 'sandbox') and table_type = 'BASE TABLE' order by 1, 2`,
  );
  const sequences = await pool.query("select schemaname, sequencename, last_value from pg_sequences order by 1, 2");
  const known = await pool.query(
    `select count(*) as columns,
       (select count(*) from pg_class where relkind = 'r' and relname = 'accounts' and reltuples >= 0) as tables
     from pg_stats where schemaname in ('public', 'sandbox') and tablename = 'accounts'`,
  );
  return { rows, sequences: sequences.rows, known: known.rows };
};

const nameOf = ({ connection }: TestDatabase): string => connection.database;

/** Sends one of two statements by the same name. */
const asked = async ({ servicePool }: TestDatabase, number: number): Promise<number | undefined> => {
  const named = { name: "a number", text: `select ${number} as number where $1`, values: [true] };
  return (await servicePool.query<{ number: number }>(named)).rows[0]?.number;
};

describe("a database of a test", () => {
  testOffCitus("shards are not emptied")("is as new when it is used again", async () => {
    const fresh = await cloneDatabase();
    const before = await contentOf(fresh);
    await fresh.pool.query("insert into accounts (id, name, disabled, created_at) values ('acc_1', 'A', false, now())");
    await fresh.pool.query("analyze accounts");
    await fresh.pool.query("select note_change('account.change', 'acc_1')");
    await fresh.pool.query("delete from rules_adoptions");
    await fresh.pool.query("update programs set name = 'Another' where built_in");
    await fresh.servicePool.query("set search_path = sandbox");
    expect(await contentOf(fresh)).not.toEqual(before);
    await fresh.drop();
    const again = await cloneDatabase();
    expect(nameOf(again)).toBe(nameOf(fresh));
    expect(await contentOf(again)).toEqual(before);
    expect((await again.servicePool.query("select count(*)::int as n from accounts")).rows).toEqual([{ n: 0 }]);
    await again.drop();
  });

  testOffCitus("a database is not used again")(
    "takes another statement of a name from its next user, and one of each from the same",
    async () => {
      const first = await cloneDatabase();
      expect(await asked(first, 1)).toBe(1);
      await first.drop();
      const second = await cloneDatabase();
      expect(await asked(second, 2)).toBe(2);
      await expect(asked(second, 3)).rejects.toThrow("must be unique");
      await second.drop();
      const third = await cloneDatabase();
      expect([nameOf(second), nameOf(third)]).toEqual([nameOf(first), nameOf(first)]);
      expect([await asked(third, 1), await asked(third, 1)]).toEqual([1, 1]);
      await third.drop();
    },
  );

  test.each([
    "create table changed (id int)",
    "alter table accounts disable trigger all",
    "update schema_migrations set checksum = 'another' where version = 1",
  ])("is not used again after more than its rows was changed: %s", async (change) => {
    const changed = await cloneDatabase();
    await changed.pool.query(change);
    await changed.drop();
    const next = await cloneDatabase();
    atEnd(() => next.drop());
    expect(nameOf(next)).not.toBe(nameOf(changed));
  });
});
