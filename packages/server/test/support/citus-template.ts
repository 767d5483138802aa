import { SERVICE_ROLE } from "@curtail/embedded-postgres";
import type { DatabaseConnection } from "@curtail/testing/database";
import { ON_CITUS } from "@curtail/testing/on-citus";
import pg from "pg";
import { openPool } from "../../src/platform/database/database.js";
import { distribute } from "../../src/platform/database/distribute.js";
import { migrate } from "../../src/platform/database/migrate.js";
import { guardJournal } from "./journal-guards.js";

/** Nodes of `TEST_CITUS_URL`, the coordinator first; null: the variable is not set. */
export const citusNodes = (): readonly DatabaseConnection[] | null =>
  ON_CITUS === null
    ? null
    : ON_CITUS.split(",").map((address) => {
        const { hostname, port, username } = new URL(address.trim());
        return { host: hostname, port: Number(port), user: username, database: "postgres" };
      });

const TEMPLATE = "template_curtail";
/** Few: each statement over all of them is one to each. */
const SHARDS = 4;

/** Makes the template on each node: its metadata names nodes and tables, so that clones of the same name belong together. */
export const makeCitusTemplate = async (
  coordinator: DatabaseConnection,
  workers: readonly DatabaseConnection[],
): Promise<void> => {
  const nodes = [coordinator, ...workers];
  for (const node of nodes) await prepareNode(node);
  const template = { ...coordinator, database: TEMPLATE };
  await runAt(template, `select citus_set_coordinator_host('${coordinator.host}', ${coordinator.port})`);
  for (const { host, port } of workers) await runAt(template, `select citus_add_node('${host}', ${port})`);
  const pool = openPool(template, () => {});
  await migrate(pool, { serviceRole: SERVICE_ROLE });
  await guardJournal(pool);
  await pool.end();
  const client = new pg.Client(template);
  await client.connect();
  await distribute(client, SHARDS);
  await client.end();
  for (const node of nodes) await closeTemplate(node);
};

const prepareNode = async (node: DatabaseConnection): Promise<void> => {
  await dropIfThere(node);
  await runAt(node, `do $$ begin create role ${SERVICE_ROLE} login; exception when duplicate_object then null; end $$`);
  await runAt(node, `create database ${TEMPLATE} encoding 'UTF8'`);
  await runAt({ ...node, database: TEMPLATE }, "create extension citus");
};

/** Of a run before. */
const dropIfThere = async (node: DatabaseConnection): Promise<void> => {
  const left = await runAt<{ name: string }>(
    node,
    `select quote_ident(datname) as name from pg_database where datname = '${TEMPLATE}' or datname like 'test\\_%'`,
  );
  for (const { name } of left) await dropAt(node, name);
};

const dropAt = async (node: DatabaseConnection, name: string): Promise<void> => {
  await runAt(node, `alter database ${name} with allow_connections false`);
  await untilUnused(node, name);
  await runAt(node, `drop database ${name} with (force)`);
};

/** Nothing is cloned from a database that is in use: Citus has a process in each. */
const closeTemplate = async (node: DatabaseConnection): Promise<void> => {
  await runAt(node, `alter database ${TEMPLATE} with allow_connections false`);
  await untilUnused(node, TEMPLATE);
};

const untilUnused = async (node: DatabaseConnection, name: string): Promise<void> => {
  const end = `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`;
  while ((await runAt(node, end)).length > 0);
};

const runAt = async <R extends pg.QueryResultRow>(at: DatabaseConnection, statement: string): Promise<R[]> => {
  const client = new pg.Client(at);
  await client.connect();
  try {
    return (await client.query<R>(statement)).rows;
  } finally {
    await client.end();
  }
};
