import { writeFile } from "node:fs/promises";
import { beforeAll, expect, test } from "vitest";
import { boundOf, elsewhere } from "../support/buffers/budget.js";
import { namedStatements } from "../support/buffers/named-statements.js";
import { type Recorder, recordStatements, replayed } from "../support/buffers/recorder.js";
import { playScenes } from "../support/buffers/scenes.js";
import { LARGE_ACCOUNT, SEEDED_UNTIL, tenth, whole } from "../support/buffers/seed.js";
import { tenthDatabase, wholeDatabase } from "../support/buffers/store.js";
import type { TestDatabase } from "../support/database.js";

// Over a tenth of the past in `npm test`, over all of it in `npm run buffers`, with the same bounds.
// oxlint-disable no-process-env -- vitest has no arguments for its files.
// Alarms are looked for while the scenes are played.
const isWhole = process.env["TEST_BUFFERS"] === "whole";
const [shown, file] = [process.env["TEST_BUFFERS_PLAN"], process.env["TEST_BUFFERS_FILE"]];
// oxlint-enable no-process-env
const size = isWhole ? whole : tenth;
const MINUTES_MS = 60_000;

let database: TestDatabase;
let recorder: Recorder;

beforeAll(
  async () => {
    database = isWhole ? await wholeDatabase() : await tenthDatabase();
    recorder = recordStatements(database);
    await playScenes(database);
    await tell();
  },
  (isWhole ? 60 : 10) * MINUTES_MS,
);

/** What `scripts/buffers.mjs` asked for. */
const tell = async (): Promise<void> => {
  const measured = [...recorder.touched].map(([name, { buffers }]) => [
    name,
    { buffers, bound: boundOf(name, size.sites) },
  ]);
  if (file !== undefined) await writeFile(file, JSON.stringify(Object.fromEntries(measured)));
  if (shown !== undefined) process.stdout.write(`${JSON.stringify(recorder.touched.get(shown)?.plan, null, 1)}\n`);
};

const over = (touched: Iterable<readonly [string, number]>): string[] =>
  [...touched]
    .filter(([name, buffers]) => buffers > boundOf(name, size.sites))
    .map(([name, buffers]) => `${name}: ${buffers}, at most ${boundOf(name, size.sites)}`);

test("no statement touches more buffers than its bound, however long the past is", () => {
  const touched = [...recorder.touched].map(([name, { buffers }]) => [name, buffers] as const);
  // As text, which a summary of faults shows whole.
  expect(over(touched).join("; ")).toBe("");
});

test(
  "nor does a prepared one whose plan may be kept",
  async () => {
    expect(over(await replayed(database.connection, recorder.prepared.values())).join("; ")).toBe("");
  },
  5 * MINUTES_MS,
);

const isKnown = (name: string): boolean => recorder.touched.has(name) || elsewhere[name] !== undefined;

test("every prepared statement is run by a scene, or is none of a hot path", async () => {
  const names = await namedStatements();
  expect(names.filter((name) => !isKnown(name)).join("; ")).toBe("");
  const excepted = Object.keys(elsewhere);
  expect(excepted.filter((name) => !names.includes(name) || recorder.touched.has(name))).toEqual([]);
});

/** As it was until version 0.1. */
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
