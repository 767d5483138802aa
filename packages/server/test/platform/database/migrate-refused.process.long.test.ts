import { SERVICE_ROLE } from "@curtail/embedded-postgres";
import { describe, expect, test } from "vitest";
import { cloneDatabase, emptyDatabase } from "../../support/database.js";
import { database, migrateElsewhere } from "../../support/migrating.js";

describe("several processes that migrate at once", () => {
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
