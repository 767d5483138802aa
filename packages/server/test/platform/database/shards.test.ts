import { expect, test } from "vitest";
import { oneShard, shardStatements } from "../../../src/platform/database/shard-statement.js";
import { type Shard, shardGroups } from "../../../src/platform/database/shards.js";

const [left, right]: Shard[] = [
  { id: 7, node: 1 },
  { id: 3, node: 2 },
];
const shards = new Map([
  [10, left],
  [11, right],
  [12, left],
] as Array<[number, Shard]>);

test("items are grouped by the shard of their site, shards in the order of their numbers", () => {
  const items = [10, 11, 12, 10, 11].map((site, place) => ({ site, place }));
  expect([...shardGroups(items, shards, 10)]).toEqual([
    { shard: right, sites: [11], items: [items[1], items[4]] },
    { shard: left, sites: [10, 12], items: [items[0], items[3], items[2]] },
  ]);
});

test("a shard with more sites than a statement may have gets several groups", () => {
  const items = [10, 12, 10].map((site, place) => ({ site, place }));
  expect([...shardGroups(items, shards, 1)].map(({ sites, items: some }) => [sites, some.length])).toEqual([
    [[10], 2],
    [[12], 1],
  ]);
});

test("a site whose shard is unknown is an error: its rows would be looked for in another shard", () => {
  expect(() => [...shardGroups([{ site: 99 }], shards, 10)]).toThrow("no shard is known of site 99");
});

test("a statement has its sites as the last parameter where telemetry is distributed, and as little as before where it is not", () => {
  const made = oneShard(
    "test-of-form",
    ({ within, sent }) => `select $1, $2 where true${within("stored.site")} union select 1 from ${sent("rows")}`,
  );
  expect(made.plain).toBe("select $1, $2 where true union select 1 from rows");
  expect(made.distributed).toBe(
    "select $1, $2 where true and stored.site = any($3::int[]) union select 1 from " +
      "telemetry_meters join rows using (site, meter) where site = any($3::int[]) order by 1, 2, 3",
  );
  expect(shardStatements()).toContain(made);
});
