import { afterAll, beforeAll, expect, test } from "vitest";
import { bareMeters } from "../../support/bare-meters.js";
import { cloneDatabase, type TestDatabase } from "../../support/database.js";

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());

test("whatever adds meters lists them for their shard, in the same statement", async () => {
  const added = [...(await bareMeters(database, 3)), ...(await bareMeters(database))];
  const { rows } = await database.pool.query("select site, meter from telemetry_meters order by 1, 2");
  expect(rows).toEqual(added);
  // One that outlived its meter is in the way of none.
  await database.pool.query(
    "insert into telemetry_meters select site, meter + 1 from telemetry_meters order by meter desc limit 1",
  );
  expect(await bareMeters(database)).toHaveLength(1);
});
