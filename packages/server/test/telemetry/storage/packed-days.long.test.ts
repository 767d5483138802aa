import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { storedHours } from "../../../src/telemetry/storage/stored-hours.js";
import { energyReader, telemetryReader } from "../../../src/telemetry/storage/telemetry-reader.js";
import { bareMeter } from "../../support/bare-meters.js";
import { clear, counts, DAY, database, packAll, packedMeter, prepare, read, write } from "../../support/days-packed.js";

beforeAll(prepare);

afterAll(clear);

describe("a packed day", () => {
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
});
