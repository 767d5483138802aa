import type { MeterKey } from "@curtail/measure";
import { testOffCitus } from "@curtail/testing/on-citus";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { inTransaction } from "../../../src/platform/database/database.js";
import { dayStore } from "../../../src/telemetry/storage/day-store.js";
import { storedHours } from "../../../src/telemetry/storage/stored-hours.js";
import { bareMeter } from "../../support/bare-meters.js";
import { clear, counts, DAY, database, packAll, packedMeter, prepare, read, write } from "../../support/days-packed.js";

beforeAll(prepare);

afterAll(clear);

testOffCitus("counts rows that were fetched by this server")(
  "an hour is read by itself, however many are stored of its meter",
  async () => {
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
  },
);

describe("a packed day", () => {
  test("reads like its hour rows", async () => {
    const key = await packedMeter();
    expect(await read(key)).toEqual({ 0: 1.5, 1: 2.5, 120: -3, 2879: 4 });
    expect(await read(key, DAY, 10)).toEqual({ 0: 1.5, 1: 2.5, 120: -3, 2879: 4, [9 * 2880 + 5]: 5 });
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
    await vi.waitUntil(async () => (await dayStore(database.servicePool).pack([{ ...key, day: DAY - 9 }])) !== null);
    expect(await counts(key)).toEqual({ hours: 2, days: 1 });
    await database.pool.query("delete from telemetry_hours where meter = $1", [key.meter]);
  });
});

describe("packing", () => {
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
