import { afterAll, beforeAll, expect, test } from "vitest";
import { joined } from "../../../src/oversight/storage/joined.js";
import { cloneDatabase, type TestDatabase } from "../../support/database.js";

const now = new Date("2026-07-01T18:00:00.123Z");
let database: TestDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());

test("the rows of each select come in its own order, and those of none are none", async () => {
  const selects = [
    "select number from generate_series(1, 300) as number order by number desc",
    "select 1 as number where false",
    "with few as (select number from generate_series(1, 300) as number) select number from few order by md5(number::text)",
    "select 2 as number union all select 1",
  ];
  const alone = async (select: string) => (await database.pool.query(select)).rows;
  expect(await joined(database.pool, selects, now)).toEqual(await Promise.all(selects.map(alone)));
});

test("times are read as they were written, in any time zone of the database", async () => {
  for (const zone of ["UTC", "Asia/Kathmandu", "America/St_Johns"]) {
    const client = await database.pool.connect();
    await client.query(`set time zone '${zone}'`);
    const [[row] = []] = await joined(client, ["select $1::timestamptz as at, $2::text as zone"], now, [zone]);
    client.release(true);
    const { at } = row as { readonly at: string };
    expect(new Date(at)).toEqual(now);
  }
});
