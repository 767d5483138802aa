import { atEnd } from "@curtail/testing/at-end";
import { type CitusCluster, startCitus } from "@curtail/testing/citus";
import pg from "pg";
import { openPool } from "../../src/platform/database/database.js";
import { distribute } from "../../src/platform/database/distribute.js";
import { migrate } from "../../src/platform/database/migrate.js";

/** A cluster of a test file, with a migrated database. */
export const migratedCluster = async (bin: string, workers: number): Promise<CitusCluster> => {
  const cluster = await startCitus(bin, workers);
  atEnd(() => cluster.remove());
  await migrateAt(cluster.url);
  return cluster;
};

export const migrateAt = async (url: string): Promise<void> => {
  const pool = openPool({ connectionString: url }, () => {}, { max: 1 });
  await migrate(pool);
  await pool.end();
};

/** A pool that ends with the file; its connections may break. */
export const poolAt = (connectionString: string, name?: string): pg.Pool => {
  const pool = openPool({ connectionString }, () => {}, name === undefined ? { max: 4 } : { max: 4, name });
  atEnd(() => pool.end());
  return pool;
};

/** A connection that ends with the file; it may break. */
export const clientAt = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client(url);
  client.on("error", () => {});
  await client.connect();
  atEnd(() => client.end().catch(() => {}));
  return client;
};

export const distributeAt = async (url: string, shards: number | null = null) =>
  distribute(await clientAt(url), shards);
