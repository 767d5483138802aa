import { writeFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { bounds, elsewhere, MOST_BUFFERS } from "../support/buffers/budget.js";
import { namedStatements } from "../support/buffers/named-statements.js";
import { type Recorder, recordStatements, replayed } from "../support/buffers/recorder.js";
import { playScenes } from "../support/buffers/scenes.js";
import { LARGE_ACCOUNT, SEEDED_UNTIL, tenth, whole } from "../support/buffers/seed.js";
import { seededDatabase } from "../support/buffers/store.js";
import type { TestDatabase } from "../support/database.js";

// oxlint-disable-next-line no-process-env -- vitest has no arguments for its files.
const size = process.env["TEST_BUFFERS"] === "whole" ? whole : tenth;

let database: TestDatabase;
let recorder: Recorder;

beforeAll(async () => {
  database = await seededDatabase(size);
  recorder = recordStatements();
  await playScenes(database);
}, 1_200_000);

const mostOf = (name: string): number => {
  const { most = MOST_BUFFERS, perSite = 0 } = bounds[name] ?? {};
  return most + perSite * size.sites;
};

const over = (touched: Iterable<readonly [string, number]>): string[] =>
  [...touched].filter(([name, buffers]) => buffers > mostOf(name)).map(([name, buffers]) => `${name}: ${buffers}`);

test("no statement touches more buffers than its bound, however long the past is", async () => {
  const touched = [...recorder.touched].map(([name, { buffers }]) => [name, buffers] as const);
  writeFileSync(
    "/tmp/buffers.txt",
    touched
      .toSorted(([, a], [, b]) => b - a)
      .map((each) => each.join("\t"))
      .join("\n"),
  );
  expect(over(touched)).toEqual([]);
});

test("nor does one whose plan is kept", async () => {
  const kept = await replayed(database.connection, recorder.prepared.values());
  writeFileSync(
    "/tmp/buffers-kept.txt",
    [...kept]
      .toSorted(([, a], [, b]) => b - a)
      .map((each) => each.join("\t"))
      .join("\n"),
  );
  const generic = await replayed(
    database.connection,
    recorder.prepared.values(),
    "set local plan_cache_mode = force_generic_plan",
  );
  writeFileSync(
    "/tmp/buffers-generic.txt",
    [...generic]
      .toSorted(([, a], [, b]) => b - a)
      .map((each) => each.join("\t"))
      .join("\n"),
  );
  expect(over(kept)).toEqual([]);
});

test("every prepared statement is run by a scene, or is none of a hot path", async () => {
  const missing = (await namedStatements()).filter(
    (name) => !recorder.touched.has(name) && elsewhere[name] === undefined,
  );
  expect(missing).toEqual([]);
});

const BEFORE = `
  select called_account, dispatches.id from unnest($1::text[]) as called (called_account) cross join dispatches
  where (end_time is null or end_time >= $2 or greatest(changed_at, notification_time) >= $2)
    and exists (select from dispatch_sites where dispatch_id = dispatches.id and account_id = called_account)`;

test("the list of dispatches as it was asked before breaks its bound: the budget finds what it is for", async () => {
  const statement = { name: "recent-dispatches", text: BEFORE, values: [[LARGE_ACCOUNT], SEEDED_UNTIL] };
  expect(over(await replayed(database.connection, [statement]))).toEqual([
    expect.stringMatching(/^recent-dispatches: \d{4}/),
  ]);
});
