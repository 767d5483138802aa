import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
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

interface MigratingElsewhere {
  readonly user?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs `curtail migrate` as a process. */
export const migrateElsewhere = async (
  { connection }: TestDatabase,
  { user = connection.user, args = [], env = {} }: MigratingElsewhere = {},
): Promise<{ code: number; output: string; errors: string }> => {
  const { host, port } = connection;
  const query = new URLSearchParams({ host, port: String(port), user });
  const command = fileURLToPath(new URL("../../curtail.mjs", import.meta.url));
  const child = spawn(process.execPath, [command, "migrate", ...args], {
    env: { PATH: process.env["PATH"], DATABASE_URL: `postgres:///${connection.database}?${query.toString()}`, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { code: Number(code), output, errors };
};
