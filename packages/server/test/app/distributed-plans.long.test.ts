import { type CitusCluster, citusPrograms } from "@curtail/testing/citus";
import type pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { type ShardStatement, shardStatements } from "../../src/platform/database/shard-statement.js";
import { clientAt, distributeAt, migratedCluster } from "../support/citus-databases.js";

const bin = citusPrograms();
const SHARDS = 4;
const ONE_SITE = 1;

/** How many shards a statement asks, by `explain`. */
interface Asked {
  readonly name: string;
  readonly tasks: number;
}

const VALUES: Readonly<Record<string, string>> = {
  "integer[]": `'{${ONE_SITE}}'`,
  "text[]": "'{a}'",
  "double precision[]": "'{1}'",
  "bytea[]": "'{a}'",
  bytea: "'a'",
  "timestamp with time zone": "now()",
  "timestamp with time zone[]": "array[now()]",
  "telemetry_hour[]": "'{}'",
  text: "'a'",
  boolean: "true",
};

const countOf = (plan: unknown): number => {
  if (Array.isArray(plan)) return sum(plan.map(countOf));
  if (typeof plan !== "object" || plan === null) return 0;
  const own = (plan as { "Task Count"?: number })["Task Count"] ?? 0;
  return own + sum(Object.entries(plan).map(([name, each]) => (name === "Tasks" ? 0 : countOf(each))));
};

const sum = (all: readonly number[]): number => all.reduce((total, each) => total + each, 0);

const explained = async (client: pg.Client, { name, distributed }: ShardStatement): Promise<Asked> => {
  await client.query("deallocate all");
  await client.query(`prepare asked as ${distributed}`);
  const { rows } = await client.query<{ types: string[] }>(
    "select parameter_types::text[] as types from pg_prepared_statements where name = 'asked'",
  );
  const types = rows[0]?.types ?? [];
  const values = types.map(
    (type) => VALUES[type] ?? (type.endsWith("int") || type === "integer" ? String(ONE_SITE) : "null"),
  );
  const given = values.length === 0 ? "" : `(${values.join(", ")})`;
  const plan = await client.query(`explain (format json, costs off) execute asked${given}`);
  return { name, tasks: countOf(plan.rows[0]?.["QUERY PLAN"]) };
};

describe.skipIf(bin === null)(
  "statements on a cluster (needs TEST_CITUS, the programs of a PostgreSQL with Citus)",
  () => {
    let cluster: CitusCluster;
    let client: pg.Client;

    beforeAll(async () => {
      // Has every module that has statements.
      await import("../../src/app/wire.js");
      cluster = await migratedCluster(bin ?? "", 2);
      await distributeAt(cluster.url, SHARDS);
      client = await clientAt(cluster.url);
    }, 120_000);

    const asked = async (reach: ShardStatement["reach"]): Promise<readonly Asked[]> => {
      const all: Asked[] = [];
      for (const each of shardStatements()) if (each.reach === reach) all.push(await explained(client, each));
      return all;
    };

    test("those for one shard are one task of one worker", async () => {
      const all = await asked("one shard");
      expect(all.length).toBeGreaterThan(15);
      expect(all.filter(({ tasks }) => tasks !== 1)).toEqual([]);
    });

    test("control: without its sites, the same statement asks every shard", async () => {
      const [hours] = shardStatements().filter(({ name }) => name === "changed-hours");
      const distributed = hours?.distributed.replace(/ and stored\.site = any\(\$\d+::int\[\]\)/, "") ?? "";
      const unbound = { name: "unbound", reach: "one shard", plain: distributed, distributed } as const;
      expect(await explained(client, unbound)).toEqual({ name: "unbound", tasks: SHARDS });
    });

    test("those for all shards ask each of them", async () => {
      const all = await asked("all shards");
      process.stdout.write(`${all.map(({ name, tasks }) => `${name}: ${tasks}`).join(", ")}\n`);
      expect(all.length).toBeGreaterThan(3);
      // What they join is a task, too.
      expect(all.filter(({ tasks }) => tasks < SHARDS)).toEqual([]);
    });
  },
);
