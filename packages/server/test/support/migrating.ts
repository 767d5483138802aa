import { onTestFinished } from "vitest";
import type { TestDatabase } from "./database.js";

/** Creates a database for one test, and drops it afterwards. */
export const database = async (make: () => Promise<TestDatabase>): Promise<TestDatabase> => {
  const made = await make();
  onTestFinished(() => made.drop());
  return made;
};

export const applied = async ({ pool }: TestDatabase): Promise<string[]> =>
  (await pool.query<{ name: string }>("select name from schema_migrations order by version")).rows.map(
    (row) => row.name,
  );

/** As a newer version leaves the schema: with one more migration. */
export const migratedFurther = async (db: TestDatabase, breaking: boolean): Promise<number> => {
  const known = (await applied(db)).length;
  await db.pool.query(
    "insert into schema_migrations (version, name, checksum, breaking) values ($1, 'later.sql', 'x', $2)",
    [known + 1, breaking],
  );
  return known;
};
