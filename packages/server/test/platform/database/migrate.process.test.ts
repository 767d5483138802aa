import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { SERVICE_ROLE } from "@curtail/embedded-postgres";
import { describe, expect, test } from "vitest";
import { migrate } from "../../../src/platform/database/migrate.js";
import { cloneDatabase, emptyDatabase, type TestDatabase } from "../../support/database.js";
import { applied, database, migratedFurther } from "../../support/migrating.js";

/** Runs `curtail migrate` as a process. */
const migrateElsewhere = async (
  { connection }: TestDatabase,
  { user = connection.user, args = [] }: { readonly user?: string; readonly args?: readonly string[] } = {},
): Promise<{ code: number; output: string; errors: string }> => {
  const { host, port } = connection;
  const query = new URLSearchParams({ host, port: String(port), user });
  const command = fileURLToPath(new URL("../../../curtail.mjs", import.meta.url));
  const child = spawn(process.execPath, [command, "migrate", ...args], {
    env: { PATH: process.env["PATH"], DATABASE_URL: `postgres:///${connection.database}?${query.toString()}` },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { code: Number(code), output, errors };
};

describe("a schema that is newer than this build", () => {
  test("is used if its newer migrations do not break older versions", async () => {
    const db = await database(cloneDatabase);
    await migratedFurther(db, false);
    expect(await migrate(db.pool)).toEqual({ applied: [], newer: ["later.sql"] });
    const { code, output, errors } = await migrateElsewhere(db);
    expect({ code, output }, errors).toEqual({ code: 0, output: "the schema is up to date\n" });
    expect(errors.match(/the schema is newer than this version/g)).toHaveLength(1);
  });
});

describe("several processes that migrate at once", () => {
  test("all succeed, and one of them does the work", async () => {
    const db = await database(emptyDatabase);
    const ends = await Promise.all(Array.from({ length: 3 }, () => migrateElsewhere(db)));
    for (const { code, output, errors } of ends)
      expect({ code, output }, errors).toEqual({ code: 0, output: "the schema is up to date\n" });
    expect(ends.filter(({ errors }) => errors.includes("the schema was upgraded"))).toHaveLength(1);
    expect(await applied(db)).toContain("0001_initial.sql");
  });

  test("all stop with the reason where the schema is too new", async () => {
    const db = await database(cloneDatabase);
    await db.pool.query("insert into schema_migrations (version, name, checksum) values (999, 'later.sql', 'x')");
    const { code, output, errors } = await migrateElsewhere(db);
    expect({ code, output }).toEqual({ code: 1, output: "" });
    expect(errors).toMatch(/^curtail: Schema 999 is newer than this build understands .* restore the backup\.$/m);
    expect(errors).not.toMatch(/^ +at /m);
  });
});

describe("a role for the service alone", () => {
  test("is granted by `curtail migrate --grant-to`, and may start on a schema that is up to date", async () => {
    const db = await database(emptyDatabase);
    const granted = await migrateElsewhere(db, { args: ["--grant-to", SERVICE_ROLE] });
    expect(granted, granted.errors).toMatchObject({ code: 0, output: "the schema is up to date\n" });
    const started = await migrateElsewhere(db, { user: SERVICE_ROLE });
    expect(started, started.errors).toMatchObject({ code: 0, output: "the schema is up to date\n" });
    expect((await db.servicePool.query("select count(*)::int as n from accounts")).rows).toEqual([{ n: 0 }]);
  }, 90_000);

  test("is told to have the owner migrate where the schema is older, or there is none", async () => {
    const empty = await database(emptyDatabase);
    const without = await migrateElsewhere(empty, { user: SERVICE_ROLE });
    expect(without.code).toBe(1);
    expect(without.errors).toMatch(/^curtail: .* run `curtail migrate` with the owner's DATABASE_URL first/m);
    const older = await database(cloneDatabase);
    await older.pool.query("delete from schema_migrations where version > 1");
    const behind = await migrateElsewhere(older, { user: SERVICE_ROLE });
    expect(behind.code).toBe(1);
    expect(behind.errors).toMatch(/^curtail: Migration .* run `curtail migrate` with the owner's DATABASE_URL first/m);
  }, 90_000);

  test("that is not there yet is asked for", async () => {
    const db = await database(emptyDatabase);
    const { code, errors } = await migrateElsewhere(db, { args: ["--grant-to", "no_such_role"] });
    expect(code).toBe(1);
    expect(errors).toMatch(/^curtail: The rights of no_such_role could not be granted\. Create the role first/m);
  }, 90_000);
});
