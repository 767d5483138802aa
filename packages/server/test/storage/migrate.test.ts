import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { migrate } from "../../src/storage/migrate.js";
import { cloneDatabase, emptyDatabase, type TestDatabase } from "../support/database.js";

const database = async (make: () => Promise<TestDatabase>): Promise<TestDatabase> => {
  const made = await make();
  onTestFinished(() => made.drop());
  return made;
};

const applied = async ({ pool }: TestDatabase): Promise<string[]> =>
  (await pool.query<{ name: string }>("select name from schema_migrations order by version")).rows.map(
    (row) => row.name,
  );

const tables = async ({ pool }: TestDatabase): Promise<string[]> =>
  (
    await pool.query<{ name: string }>("select tablename as name from pg_tables where schemaname = 'public' order by 1")
  ).rows.map((row) => row.name);

/** `curtail migrate` as a process of its own. */
const migrateElsewhere = async ({
  connection,
}: TestDatabase): Promise<{ code: number; output: string; errors: string }> => {
  const { host, port, user } = connection;
  const query = new URLSearchParams({ host, port: String(port), user });
  const command = fileURLToPath(new URL("../../curtail.mjs", import.meta.url));
  const child = spawn(process.execPath, [command, "migrate"], {
    env: { PATH: process.env["PATH"], DATABASE_URL: `postgres:///${connection.database}?${query.toString()}` },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { code: Number(code), output, errors };
};

describe("migrating", () => {
  test("brings an empty database up, and does nothing the second time", async () => {
    const db = await database(emptyDatabase);
    const now = await migrate(db.pool);
    expect(now).toContain("0001_initial.sql");
    expect(await applied(db)).toEqual(now);
    expect(await migrate(db.pool)).toEqual([]);
  });

  test("refuses a schema that is newer than this build, and says what to do", async () => {
    const db = await database(cloneDatabase);
    const known = (await applied(db)).length;
    await db.pool.query("insert into schema_migrations (version, name, checksum) values ($1, 'later.sql', 'x')", [
      known + 2,
    ]);
    const message = `Schema ${known + 2} is newer than this build understands (${known}). Upgrade the service or restore the backup.`;
    await expect(migrate(db.pool)).rejects.toThrow(message);
  });

  test("refuses a migration that was applied with another content", async () => {
    const db = await database(cloneDatabase);
    await db.pool.query("update schema_migrations set checksum = 'x' where version = 1");
    await expect(migrate(db.pool)).rejects.toThrow(
      /Migration 1 \(0001_initial\.sql\) was applied with another content/,
    );
  });

  test("keeps nothing of a migration that fails, stops, and goes on once the cause is mended", async () => {
    const db = await database(emptyDatabase);
    await db.pool.query("create table audit_log (in_the_way int)");
    const failure = migrate(db.pool);
    await expect(failure).rejects.toThrow(/0001_initial\.sql failed; nothing of it was kept/);
    await expect(failure).rejects.toMatchObject({ cause: { message: 'relation "audit_log" already exists' } });
    expect(await tables(db)).toEqual(["audit_log", "schema_migrations"]);
    expect(await applied(db)).toEqual([]);
    await db.pool.query("drop table audit_log");
    expect(await migrate(db.pool)).toContain("0001_initial.sql");
  });

  test("may take longer than any request may", async () => {
    const db = await database(emptyDatabase);
    const hasty = new pg.Pool({ ...db.connection, statement_timeout: 1, query_timeout: 1 });
    onTestFinished(() => hasty.end());
    expect(await migrate(hasty)).toContain("0001_initial.sql");
  });

  test("leaves no lock behind, also when it fails", async () => {
    const db = await database(cloneDatabase);
    await db.pool.query("update schema_migrations set checksum = 'x' where version = 1");
    await expect(migrate(db.pool)).rejects.toThrow();
    const locks = () =>
      db.pool.query(
        "select from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())",
      );
    await expect.poll(async () => (await locks()).rowCount).toBe(0);
  });
});

const migrationOf = async (noun: string): Promise<string> => {
  const folder = new URL("../../migrations/", import.meta.url);
  const name = (await readdir(folder)).find((each) => each.endsWith(`_${noun}.sql`)) ?? "none";
  return readFile(new URL(name, folder), "utf8");
};

describe("migrating to emails that are owned once an invitation is accepted", () => {
  test("leaves emails with those who have a password or single sign-on, and nobody else", async () => {
    const db = await database(cloneDatabase);
    const [before, step] = [await migrationOf("users"), await migrationOf("people")];
    const client = await db.pool.connect();
    onTestFinished(() => client.release());
    await client.query("create schema old; set search_path = old");
    await client.query("create table accounts (id text primary key)");
    await client.query(before);
    await client.query(`insert into users (id, email, name, role, password_hash, oidc_issuer, oidc_subject, created_at)
      values ('1', 'a@example.com', 'A', 'operator', 'hash', null, null, now()),
        ('2', 'b@example.com', 'B', 'operator', null, 'issuer', 'subject', now()),
        ('3', 'c@example.com', 'C', 'operator', null, null, null, now())`);
    await client.query(step);
    const { rows } = await client.query("select id from users where accepted_at is not null order by id");
    expect(rows).toEqual([{ id: "1" }, { id: "2" }]);
    const twin =
      "insert into users (id, email, name, role, accepted_at, created_at) values ($1, $2, 'T', 'operator', now(), now())";
    await expect(client.query(twin, ["4", "A@example.com"])).rejects.toThrow(/users_owned_email|users_invited_email/);
  });
});

describe("several processes that migrate at once", () => {
  test("all succeed, and one of them does the work", async () => {
    const db = await database(emptyDatabase);
    const ends = await Promise.all(Array.from({ length: 3 }, () => migrateElsewhere(db)));
    for (const { code, output, errors } of ends)
      expect({ code, output }, errors).toEqual({ code: 0, output: "the schema is up to date\n" });
    expect(ends.filter(({ errors }) => errors.includes("the schema was brought up to date"))).toHaveLength(1);
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
