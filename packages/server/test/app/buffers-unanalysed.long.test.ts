import { beforeAll, expect, test } from "vitest";
import { boundOf } from "../support/buffers/budget.js";
import { type Recorder, recordStatements, replayed } from "../support/buffers/recorder.js";
import { playPolls } from "../support/buffers/scenes.js";
import { tenth } from "../support/buffers/seed.js";
import { unanalysedDatabase } from "../support/buffers/store.js";
import type { TestDatabase } from "../support/database.js";

// After a restore or an import the planner knows nothing of what came until autovacuum gets there; polls come at once.
let database: TestDatabase;
let recorder: Recorder;

beforeAll(async () => {
  database = await unanalysedDatabase();
  recorder = recordStatements(database);
  await playPolls(database);
}, 10 * 60_000);

const over = (touched: Iterable<readonly [string, number]>): string[] =>
  [...touched]
    .filter(([name, buffers]) => buffers > boundOf(name, tenth.sites))
    .map(([name, buffers]) => `${name}: ${buffers}`);

test("polls and uploads keep to their budget right after everything was loaded at once", () => {
  const touched = [...recorder.touched].map(([name, { buffers }]) => [name, buffers] as const);
  expect(touched.map(([name]) => name)).toEqual(
    expect.arrayContaining(["recent-dispatches", "recent-dispatches-of-many", "ven-dispatches", "upsert-telemetry"]),
  );
  expect(over(touched)).toEqual([]);
});

test("and so they do with plans that were made and kept then", async () => {
  expect(over(await replayed(database.connection, recorder.prepared.values()))).toEqual([]);
}, 60_000);
