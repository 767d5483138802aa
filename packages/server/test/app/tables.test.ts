import { readFile } from "node:fs/promises";
import { atEnd } from "@curtail/testing/at-end";
import { expect, test } from "vitest";
import { writeRows } from "../../../../scripts/write-rows.mjs";
import { cloneDatabase } from "../support/database.js";

test("the types of rows are those of the migrated schema: run `npm run rows` after changing it", async () => {
  const database = await cloneDatabase();
  atEnd(() => database.drop());
  const committed = await readFile(new URL("../../src/app/tables.ts", import.meta.url), "utf8");
  expect(await writeRows(database.pool)).toBe(committed);
});

test("a column of which the generator knows more than the database, and that is gone, is named", async () => {
  const database = await cloneDatabase();
  atEnd(() => database.drop());
  await database.pool.query("alter table alarms rename kind to sort");
  await expect(writeRows(database.pool)).rejects.toThrow("alarms.kind");
});
