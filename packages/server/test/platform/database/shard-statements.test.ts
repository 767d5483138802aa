import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readMigrations } from "../../../src/platform/database/migration.js";
import {
  SHARDED_TABLES,
  type ShardStatement,
  shardStatements,
} from "../../../src/platform/database/shard-statement.js";
import { cloneDatabase, type TestDatabase } from "../../support/database.js";
import { flat, formFaults, migrationFaults, namedIn } from "../../support/shard-form.js";

const sources = fileURLToPath(new URL("../../../src", import.meta.url));
/** The version that distributed tables have: later migrations run on them. */
const DISTRIBUTABLE = 159;

let database: TestDatabase;
let files: ReadonlyMap<string, string>;
let ordinary: ReadonlySet<string>;

beforeAll(async () => {
  // Has every module that has statements.
  await import("../../../src/app/wire.js");
  database = await cloneDatabase();
  const { rows } = await database.pool.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public'",
  );
  const sharded: readonly string[] = SHARDED_TABLES;
  ordinary = new Set(rows.map(({ name }) => name).filter((name) => !sharded.includes(name)));
  const names = (await readdir(sources, { recursive: true })).filter((name) => name.endsWith(".ts"));
  files = new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(sources, name), "utf8")] as const)),
  );
});
afterAll(() => database.drop());

const statement = (reach: ShardStatement["reach"], distributed: string): ShardStatement => ({
  name: "planted",
  reach,
  plain: distributed,
  distributed,
});

const faultsOf = (...given: Parameters<typeof statement>) => formFaults(statement(...given), ordinary);

test("each statement on sharded tables has the form of its kind", () => {
  expect(shardStatements().length).toBeGreaterThan(20);
  expect(shardStatements().flatMap((each) => formFaults(each, ordinary))).toEqual([]);
});

test("a statement of another form is found", () => {
  const bounded = "stored.site = any($1::int[])";
  expect(faultsOf("one shard", `select 1 from telemetry_hours as stored where ${bounded}`)).toEqual([]);
  expect(faultsOf("one shard", "select 1 from telemetry_hours")).toEqual([
    "planted reads telemetry_hours without its sites",
  ]);
  expect(
    faultsOf(
      "one shard",
      `select 1 from telemetry_hours as stored where ${bounded} and exists (
      select 1 from telemetry_days as packed where packed.meter = stored.meter)`,
    ),
  ).toEqual(["planted reads telemetry_days without its sites"]);
  expect(faultsOf("one shard", `select 1 from telemetry_days as packed, x as stored where ${bounded}`)).toEqual([
    "planted reads telemetry_days without its sites",
  ]);
  expect(faultsOf("all shards", "select 1 from telemetry_hours join sites on sites.key = site")).toEqual([
    "planted joins a sharded table with sites",
  ]);
  expect(faultsOf("all shards", "select 1 from telemetry_hours for update")).toEqual(["planted locks rows"]);
  expect(faultsOf("all shards", "select exists (select from telemetry_hours)")).toEqual(["planted selects no column"]);
  expect(faultsOf("all shards", "delete from telemetry_hours where ctid = $1")).toEqual(["planted names rows by ctid"]);
});

/** What the sources say in SQL about sharded tables without a statement of a kind. */
const unclassed = (given: ReadonlyMap<string, string>): string[] => {
  const texts = shardStatements().flatMap(({ plain, distributed }) => [flat(plain), flat(distributed)]);
  return [...given].flatMap(([name, source]) =>
    namedIn(source)
      .filter((part) => !texts.some((text) => text.includes(part)))
      .map((part) => `${name}: ${part}`),
  );
};

test("every statement of the sources that names a sharded table is one of a kind", () => {
  expect([...files.values()].flatMap(namedIn).length).toBeGreaterThan(20);
  // The distribution itself, and what makes its own statements of `${table}`.
  const others = [...files].filter(([name]) => !name.startsWith("platform/database/distribut"));
  expect(unclassed(new Map(others))).toEqual([]);
});

test("one that is of no kind is found", () => {
  const planted = new Map([["x.ts", 'db.query("select kw from telemetry_hours where hour > 5")']]);
  expect(unclassed(planted)).toEqual(["x.ts: from telemetry_hours where hour > 5"]);
});

/** Files that write to shards, and how their transactions are committed. */
const WRITERS: Readonly<Record<string, "shards alone" | "telemetry_archives" | "commitInTwoPhases">> = {
  "telemetry/storage/upload-lanes.ts": "shards alone",
  "telemetry/storage/controllable-load-store.ts": "shards alone",
  "telemetry/storage/day-store.ts": "shards alone",
  "telemetry/storage/archive-store.ts": "telemetry_archives",
  "telemetry/storage/upsert-hours.ts": "commitInTwoPhases",
  "demo/storage/demo-remains.ts": "commitInTwoPhases",
  "demo/storage/simulated-site-remains.ts": "telemetry_archives",
};
/** Through what readings are written, and statements that delete them or are made for a table of any name. */
const WRITES = new RegExp(
  `\\b(?:insertRows|upsertPasses)\\(|\\bof ownedRows\\b|\\b(?:delete from|insert into|update) (?:\\$\\{table\\} as stored|${SHARDED_TABLES.join("|")})\\b`,
);

const writersIn = (given: ReadonlyMap<string, string>): string[] =>
  [...given]
    .filter(([name, source]) => WRITES.test(source) && name !== "platform/database/inserted-rows.ts")
    .map(([name]) => name);

test("no transaction writes to shards and to ordinary tables, unless it is committed in two phases", () => {
  expect(writersIn(files).toSorted()).toEqual(Object.keys(WRITERS).toSorted());
  for (const [name, how] of Object.entries(WRITERS))
    if (how !== "shards alone")
      expect(files.get(name), name).toMatch(new RegExp(`(?:into|from|update) ${how}|${how}\\(`));
});

test("another writer is found, whose transactions somebody has to look at", () => {
  const planted = [
    "await upsertPasses(rows, oid)",
    "`delete from telemetry_hours where site = $1`",
    "for (const { table } of ownedRows) await x(table)",
  ];
  for (const source of planted) expect(writersIn(new Map([["x.ts", source]]))).toEqual(["x.ts"]);
});

test("keys of sharded tables have the site; there are no foreign keys and no triggers", async () => {
  const { rows } = await database.pool.query<{ fault: string }>(
    `select relname || ': a unique index without the site' as fault
     from pg_index join pg_class on pg_class.oid = indrelid
     where indrelid = any($1::regclass[]) and indisunique and not (
       (select attnum from pg_attribute where attrelid = indrelid and attname = 'site') = any(indkey))
     union all
     select conname from pg_constraint where contype = 'f' and (conrelid = any($1::regclass[]) or confrelid = any($1::regclass[]))
     union all
     select tgname from pg_trigger where tgrelid = any($1::regclass[]) and not tgisinternal`,
    [SHARDED_TABLES],
  );
  expect(rows).toEqual([]);
});

test("later migrations do nothing to sharded tables that Citus refuses", async () => {
  const later = (await readMigrations()).filter(({ version }) => version > DISTRIBUTABLE);
  expect(later.flatMap(({ name, sql }) => migrationFaults(sql).map((what) => `${name}: ${what}`))).toEqual([]);
});

test("a migration that does is found", () => {
  const plants = [
    "create trigger t after insert on telemetry_days for each row execute function f();",
    "alter table telemetry_hours alter column kw set statistics 0;",
    "alter table charge_hours add foreign key (meter) references meters (key);",
    "create unique index on controllable_load (at);",
  ];
  expect(plants.map((sql) => migrationFaults(sql).length)).toEqual([1, 1, 1, 1]);
  expect(
    migrationFaults("alter table telemetry_hours add column a int; create index on telemetry_days (day);"),
  ).toEqual([]);
});
