import { SERVICE_ROLE } from "@curtail/embedded-postgres";
import { describe, expect, test } from "vitest";
import { migrate } from "../../../src/platform/database/migrate.js";
import { cloneDatabase, emptyDatabase } from "../../support/database.js";
import { applied, database, migratedFurther, migrateElsewhere } from "../../support/migrating.js";

// Those that are refused: migrate-refused.process.long.test.ts.
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

  test("is told what to run where it turns on what earlier versions do not read, and starts once the owner ran it", async () => {
    const db = await database(emptyDatabase);
    await migrateElsewhere(db, { args: ["--grant-to", SERVICE_ROLE], env: { CURTAIL_FOLD_AFTER: "off" } });
    const on = { CURTAIL_FOLD_AFTER: "300" };
    const refused = await migrateElsewhere(db, { user: SERVICE_ROLE, env: on });
    expect(refused).toMatchObject({
      code: 1,
      errors: expect.stringContaining("run `curtail migrate` with the owner's DATABASE_URL"),
    });
    expect(await migrateElsewhere(db, { env: on })).toMatchObject({ code: 0 });
    expect(await migrateElsewhere(db, { user: SERVICE_ROLE, env: on })).toMatchObject({ code: 0 });
  }, 90_000);
});
