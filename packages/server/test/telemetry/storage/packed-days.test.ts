import { CELLS_PER_HOUR, type MeterKey } from "@curtail/measure";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { inTransaction } from "../../../src/platform/database/database.js";
import { migrate } from "../../../src/platform/database/migrate.js";
import { readMigrations } from "../../../src/platform/database/migration.js";
import { Packing } from "../../../src/telemetry/operations/pack-days.js";
import { dayStore } from "../../../src/telemetry/storage/day-store.js";
import { storedHours } from "../../../src/telemetry/storage/stored-hours.js";
import { energyReader, telemetryReader } from "../../../src/telemetry/storage/telemetry-reader.js";
import { TelemetryWriter } from "../../../src/telemetry/storage/telemetry-writer.js";
import { bareMeter, cellReadings } from "../../support/bare-meters.js";
import { cloneDatabase, type TestDatabase } from "../../support/database.js";

let database: TestDatabase;
let writer: TelemetryWriter;

beforeAll(async () => {
  database = await cloneDatabase();
  writer = new TelemetryWriter(database.servicePool);
});
afterAll(() => database.drop());

const DAY = 20_600;
const NOW = new Date((DAY + 10) * 86_400_000);
const write = (key: MeterKey, day: number, powers: Readonly<Record<number, number>>): Promise<void> =>
  writer.write(cellReadings(key, day, powers));

/** The powers of some days, by cell from the first. */
const read = async (key: MeterKey, day = DAY, days = 1): Promise<Record<number, number>> => {
  const rows = await telemetryReader(database.servicePool).rows([key], day * 24, (day + days) * 24 - 1);
  expect(new Set(rows.map(({ hour }) => hour)).size).toBe(rows.length);
  const cells = rows.flatMap((row) =>
    Array.from(row.cells, (kw, place) => [(row.hour - day * 24) * CELLS_PER_HOUR + place, kw] as const),
  );
  return Object.fromEntries(cells.filter(([, kw]) => !Number.isNaN(kw)));
};

/** Packs everything that ended a day ago; answers the number of days. */
const packAll = async (now = NOW): Promise<number> => {
  const packing = new Packing({ store: dayStore(database.servicePool), now: () => now, afterDays: 1 });
  let days = 0;
  for (let step = await packing.step(); !step.isDone; step = await packing.step()) days += step.days;
  return days;
};

const counts = async ({ meter }: MeterKey): Promise<{ hours: number; days: number }> => {
  const { rows } = await database.pool.query<{ hours: number; days: number }>(
    `select (select count(*)::int from telemetry_hours where meter = $1) as hours,
       (select count(*)::int from telemetry_days where meter = $1) as days`,
    [meter],
  );
  return rows[0] ?? { hours: 0, days: 0 };
};

test("an hour is read by itself, however many are stored of its meter", async () => {
  const hours = 1000;
  const keys: MeterKey[] = [];
  while (keys.length < 50) keys.push(await bareMeter(database));
  await database.pool.query(
    `insert into telemetry_hours (site, meter, hour, kw)
     select sites.key, meters.key, $1::int + nth, '{1}' from meters join sites on sites.id = site_id
     cross join generate_series(1, $2::int) as nth on conflict do nothing`,
    [DAY * 24, hours],
  );
  await database.pool.query("vacuum analyze telemetry_hours");
  await inTransaction(database.servicePool, async (client) => {
    const fetched = async (): Promise<number> => {
      const { rows } = await client.query<{ count: number }>(
        "select idx_tup_fetch as count from pg_stat_xact_user_tables where relname = 'telemetry_hours'",
      );
      return rows[0]?.count ?? 0;
    };
    for (const plan of ["force_custom_plan", "force_generic_plan"]) {
      await client.query(`set local plan_cache_mode = ${plan}`);
      const before = await fetched();
      const asked = [
        { from: DAY * 24 + 10, to: DAY * 24 + 10 },
        { from: DAY * 24 + hours - 10, to: DAY * 24 + hours - 10 },
      ];
      expect(await storedHours(client, { meters: keys.slice(0, 2), periods: asked })).toHaveLength(4);
      expect((await fetched()) - before).toBe(4);
    }
  });
});

/** A packed day with powers in the first, second and last hour, and a newer day that is not packed. */
const packedMeter = async (): Promise<MeterKey> => {
  const key = await bareMeter(database);
  await write(key, DAY, { 0: 1.5, 1: 2.5, 120: -3, 2879: 4 });
  await write(key, DAY + 9, { 5: 5 });
  await packAll();
  expect(await counts(key)).toEqual({ hours: 1, days: 1 });
  return key;
};

describe("a packed day", () => {
  test("reads like its hour rows", async () => {
    const key = await packedMeter();
    expect(await read(key)).toEqual({ 0: 1.5, 1: 2.5, 120: -3, 2879: 4 });
    expect(await read(key, DAY, 10)).toEqual({ 0: 1.5, 1: 2.5, 120: -3, 2879: 4, [9 * 2880 + 5]: 5 });
  });

  test("has only the hours asked for, and those with readings", async () => {
    const key = await packedMeter();
    const hours = async (from: number, to: number) =>
      (await telemetryReader(database.servicePool).rows([key], from, to)).map(({ hour }) => hour - DAY * 24);
    expect(await hours(DAY * 24, DAY * 24 + 23)).toEqual([0, 1, 23]);
    expect(await hours(DAY * 24 + 1, DAY * 24 + 22)).toEqual([1]);
    expect(await hours(DAY * 24 + 2, DAY * 24 + 22)).toEqual([]);
  });

  test("is read once for two periods that share it", async () => {
    const key = await packedMeter();
    const hours = async (...periods: ReadonlyArray<readonly [from: number, to: number]>) => {
      const asked = periods.map(([from, to]) => ({ from: DAY * 24 + from, to: DAY * 24 + to }));
      return (await storedHours(database.servicePool, { meters: [key], periods: asked })).map(
        ({ hour }) => hour - DAY * 24,
      );
    };
    expect(await hours([-30, 0], [23, 300])).toEqual([9 * 24, 0, 23]);
    expect(await hours([0, 0], [1, 1], [2, 22])).toEqual([0, 1]);
    expect(await hours([24, 9 * 24 - 1], [9 * 24, 9 * 24])).toEqual([9 * 24]);
    expect(await hours()).toEqual([]);
  });

  test("answers the newest hour of a period", async () => {
    const key = await packedMeter();
    const newest = async (from: number, to: number) =>
      (await energyReader(database.servicePool).newestHours([key], DAY * 24 + from, DAY * 24 + to)).get(key.meter);
    expect(await newest(-100, 300)).toBe((DAY + 9) * 24);
    expect(await newest(-100, 100)).toBe(DAY * 24 + 23);
    expect(await newest(-100, 22)).toBe(DAY * 24 + 1);
    expect(await newest(1, 22)).toBe(DAY * 24 + 1);
    expect(await newest(2, 22)).toBeUndefined();
    expect(await newest(-100, 0)).toBe(DAY * 24);
    expect(await newest(-100, -1)).toBeUndefined();
  });

  test("takes in late readings and corrections at once, and for good when it is packed again", async () => {
    const key = await packedMeter();
    await write(key, DAY, { 1: 7, 2: 8, 1000: 9 });
    const whole = { 0: 1.5, 1: 7, 2: 8, 120: -3, 1000: 9, 2879: 4 };
    expect(await read(key)).toEqual(whole);
    expect(await counts(key)).toEqual({ hours: 3, days: 1 });
    expect(await packAll()).toBe(1);
    expect(await counts(key)).toEqual({ hours: 1, days: 1 });
    expect(await read(key)).toEqual(whole);
    const { rows } = await database.pool.query("select hours from telemetry_days where meter = $1", [key.meter]);
    expect(rows).toEqual([{ hours: (1 << 0) | (1 << 1) | (1 << 8) | (1 << 23) }]);
  });

  test("is damaged: reading it fails, and it is not packed again", async () => {
    const key = await packedMeter();
    await database.pool.query(
      "update telemetry_days set block = set_byte(block, 9, get_byte(block, 9) # 4) where meter = $1",
      [key.meter],
    );
    await expect(read(key)).rejects.toThrow(
      `a packed day of telemetry is damaged (meter ${key.meter}, day ${DAY}); restore telemetry_days from a backup`,
    );
    await write(key, DAY, { 7: 7 });
    // The connection of a failed transaction is closed, and holds its lock until the database notices.
    await vi.waitFor(() => expect(packAll()).rejects.toThrow("a packed day of telemetry is damaged"));
    await vi.waitUntil(async () => (await dayStore(database.servicePool).pack([])) !== null);
    expect(await counts(key)).toEqual({ hours: 2, days: 1 });
    await database.pool.query("delete from telemetry_hours where meter = $1", [key.meter]);
  });

  test("before 1970 is packed, too", async () => {
    const key = await bareMeter(database);
    await write(key, -1, { 2879: 1 });
    await write(key, 0, { 0: 2 });
    await packAll();
    expect(await counts(key)).toEqual({ hours: 1, days: 1 });
    expect(await read(key, -1, 2)).toEqual({ 2879: 1, 2880: 2 });
  });
});

describe("packing", () => {
  test("leaves the days that have not ended long enough ago", async () => {
    const key = await bareMeter(database);
    for (const day of [DAY, DAY + 1, DAY + 2, DAY + 3]) await write(key, day, { 0: day });
    // Day DAY + 1 ended a day before; a millisecond earlier it had not.
    const now = new Date((DAY + 3) * 86_400_000);
    await packAll(new Date(now.getTime() - 1));
    expect(await counts(key)).toEqual({ hours: 3, days: 1 });
    await packAll(now);
    expect(await counts(key)).toEqual({ hours: 2, days: 2 });
  });

  test("leaves the newest day of a meter, however old it is", async () => {
    const key = await bareMeter(database);
    await write(key, DAY, { 0: 1, 2000: 2 });
    await packAll();
    expect(await counts(key)).toEqual({ hours: 2, days: 0 });
  });

  test("reaches every day of a meter, over gaps of years", async () => {
    const key = await bareMeter(database);
    const days = [3, 4, 5000, 5001, ...Array.from({ length: 40 }, (_, nth) => DAY - 40 + nth), DAY];
    for (const day of days) await write(key, day, { 0: day, 130: day + 0.5 });
    expect(await packAll()).toBe(days.length - 1);
    expect(await counts(key)).toEqual({ hours: 2, days: days.length - 1 });
    for (const day of days) expect(await read(key, day)).toEqual({ 0: day, 130: day + 0.5 });
  });

  test("is done by one process at a time", async () => {
    const key = await bareMeter(database);
    await write(key, DAY, { 0: 1 });
    await write(key, DAY + 1, { 0: 1 });
    await inTransaction(database.pool, async (client) => {
      await client.query("select pg_advisory_xact_lock(7283474)");
      expect(await dayStore(database.servicePool).pack([{ ...key, day: DAY }])).toBeNull();
    });
    expect(await dayStore(database.servicePool).pack([{ ...key, day: DAY }])).toMatchObject({ days: 1 });
  });

  test("neither loses nor doubles what is uploaded, corrected and read meanwhile", async () => {
    const key = await bareMeter(database);
    const expected: Record<number, number> = {};
    const put = async (round: number): Promise<void> => {
      const powers = Object.fromEntries(
        Array.from({ length: 40 }, (_, nth) => [(round * 997 + nth * 71) % (3 * 2880), round + nth / 100]),
      );
      for (const day of [0, 1, 2]) {
        const ofDay = Object.entries(powers).flatMap(([place, kw]) =>
          Math.floor(Number(place) / 2880) === day ? [[Number(place) % 2880, kw] as const] : [],
        );
        await write(key, DAY + day, Object.fromEntries(ofDay));
        for (const [place, kw] of ofDay) expected[day * 2880 + place] = kw;
      }
      // What was answered is there.
      expect(await read(key, DAY, 3)).toEqual(expected);
    };
    await write(key, DAY + 9, { 0: 1 });
    const over = new AbortController();
    const packer = (async () => {
      let days = 0;
      while (!over.signal.aborted) days += await packAll();
      return days;
    })();
    for (let round = 0; round < 60; round++) await put(round);
    over.abort();
    expect(await packer).toBeGreaterThan(10);
    await packAll();
    expect(await counts(key)).toEqual({ hours: 1, days: 3 });
    expect(await read(key, DAY, 3)).toEqual(expected);
  });
});

test("versions that do not read packed days may not start from the first of them on", async () => {
  const fresh = await cloneDatabase();
  // Later ones break them, too.
  await fresh.pool.query("update schema_migrations set breaking = false where version > 21");
  const older = (await readMigrations()).slice(0, 20);
  const breaking = async () =>
    (await fresh.pool.query<{ breaking: boolean }>("select breaking from schema_migrations where version = 21")).rows[0]
      ?.breaking;
  expect(await breaking()).toBe(false);
  expect((await migrate(fresh.pool, { known: older })).newer).toContain("0021_packed_days.sql");
  await fresh.servicePool.query("insert into telemetry_days values (1, 1, 1, 1, '')");
  expect(await breaking()).toBe(true);
  await expect(migrate(fresh.pool, { known: older })).rejects.toThrow("0021_packed_days.sql breaks older versions");
  expect((await migrate(fresh.pool)).applied).toEqual([]);
  await fresh.drop();
});
