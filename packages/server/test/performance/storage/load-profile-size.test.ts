import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ProfileSource } from "../../../src/performance/operations/profile-ports.js";
import {
  forgetProfiles,
  loadProfiles,
  missingProfiles,
  saveProfiles,
} from "../../../src/performance/storage/load-profile-store.js";
import type { Queryable } from "../../../src/platform/database/database.js";
import { cloneDatabase, type TestDatabase } from "../../support/database.js";

// What profiles cost: space, and what their statements touch, where 1,000 sites have those of 45 days.
const SITES = 1000;
const FIRST_DAY = 20_600;
const DAYS = 45;
const AT_ONCE = 48;

let database: TestDatabase;

const sourceOf = (site: number): ProfileSource => ({ site, meters: [site], timezone: "UTC", intervalSeconds: 3600 });
const profileOf = (site: number, day: number) => ({
  kw: Float64Array.from({ length: 24 }, (_, hour) => Math.sqrt(site * day + hour)),
  hasReading: true,
});
const sites = Array.from({ length: SITES }, (_, nth) => nth + 1);
const days = Array.from({ length: DAYS }, (_, nth) => FIRST_DAY + nth);

beforeAll(async () => {
  database = await cloneDatabase();
  // Day by day, as they are made.
  for (const day of days)
    await saveProfiles(
      database.servicePool,
      sites.map((site) => ({ source: sourceOf(site), day, profile: profileOf(site, day) })),
    );
  await database.pool.query("vacuum analyze load_profiles");
}, 60_000);

afterAll(() => database.drop());

test("a day of a site takes less than 300 bytes with its index", async () => {
  const { rows } = await database.pool.query<{ bytes: number }>(
    "select pg_total_relation_size('load_profiles') as bytes",
  );
  expect(Number(rows[0]?.bytes) / SITES / DAYS).toBeLessThan(300);
});

interface Explained {
  readonly "QUERY PLAN": ReadonlyArray<{
    readonly Plan: Readonly<Record<"Shared Hit Blocks" | "Shared Read Blocks", number>>;
  }>;
}

/** Buffers of the statements of some work, with what the work returns. */
const touching = async <T>(
  work: (db: Queryable) => Promise<T>,
): Promise<{ readonly buffers: number; readonly found: T }> => {
  let buffers = 0;
  const db = {
    async query({ text, values }: pg.QueryConfig<unknown[]>) {
      const { rows } = await database.servicePool.query<Explained>(
        `explain (analyze, buffers, format json) ${text}`,
        values,
      );
      const plan = rows[0]?.["QUERY PLAN"][0]?.Plan;
      buffers += (plan?.["Shared Hit Blocks"] ?? 0) + (plan?.["Shared Read Blocks"] ?? 0);
      return database.servicePool.query(text, values);
    },
  } as unknown as Queryable;
  return { found: await work(db), buffers };
};

const tenDays = days.slice(-14).filter((day) => day % 7 < 5);

test("ten days of 48 sites are one statement, and touch fourteen buffers a site", async () => {
  const asked = sites.slice(100, 100 + AT_ONCE).map((site) => ({ source: sourceOf(site), days: tenDays }));
  const { found, buffers } = await touching((db) => loadProfiles(db, ...asked));
  expect(found.map((profiles) => [...profiles.keys()].toSorted((a, b) => a - b))).toEqual(asked.map(() => tenDays));
  expect([...(found[3]?.get(tenDays[0] ?? 0)?.kw ?? [])]).toEqual([...profileOf(104, tenDays[0] ?? 0).kw]);
  expect(buffers / AT_ONCE).toBeLessThan(24);
});

test("what is missing of 500 sites is found by the index alone", async () => {
  const asked = sites.slice(0, 500);
  const span = { from: FIRST_DAY - 2, to: FIRST_DAY + DAYS };
  const { found, buffers } = await touching((db) => missingProfiles(db, asked, span));
  expect(found(sourceOf(7), span)).toEqual([FIRST_DAY - 2, FIRST_DAY - 1, FIRST_DAY + DAYS]);
  expect(buffers).toBeLessThan(500 * 60);
});

test("without days that are too old, looking for them touches three buffers a site", async () => {
  const { buffers } = await touching((db) => forgetProfiles(db, sites.slice(0, 500), FIRST_DAY));
  expect(buffers).toBeLessThan(500 * 4);
});
