import pg from "pg";
import { cloneDatabase, type TestDatabase } from "../database.js";
import { explained } from "./recorder.js";
import { type StoreSize, seedOf } from "./seed.js";

/** A database of that size, analysed as autovacuum would; what runs over it from now on is explained. */
export const seededDatabase = (size: StoreSize): Promise<TestDatabase> => filledDatabase(seedOf(size));

/** Constraints and triggers are off while the statements run: they keep to them themselves. */
export const filledDatabase = async (statements: readonly string[]): Promise<TestDatabase> => {
  const database = await cloneDatabase();
  const client = new pg.Client(database.connection);
  await client.connect();
  await client.query("set session_replication_role = replica");
  for (const statement of [...statements, "vacuum (analyze)"]) await client.query(statement);
  await client.end();
  await explained(database.connection.database);
  return database;
};
