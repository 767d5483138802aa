import { CELLS_PER_HOUR, type MeterKey } from "@curtail/measure";
import { expect } from "vitest";
import { Packing } from "../../src/telemetry/operations/pack-days.js";
import { dayStore } from "../../src/telemetry/storage/day-store.js";
import { telemetryReader } from "../../src/telemetry/storage/telemetry-reader.js";
import { TelemetryWriter } from "../../src/telemetry/storage/telemetry-writer.js";
import { bareMeter, cellReadings } from "./bare-meters.js";
import { cloneDatabase, type TestDatabase } from "./database.js";

export let database: TestDatabase;
let writer: TelemetryWriter;

export const prepare = async () => {
  database = await cloneDatabase();
  writer = new TelemetryWriter(database.servicePool);
};
export const clear = () => database.drop();

export const DAY = 20_600;
const NOW = new Date((DAY + 10) * 86_400_000);
export const write = (key: MeterKey, day: number, powers: Readonly<Record<number, number>>): Promise<void> =>
  writer.write(cellReadings(key, day, powers));

/** The powers of some days, by cell from the first. */
export const read = async (key: MeterKey, day = DAY, days = 1): Promise<Record<number, number>> => {
  const rows = await telemetryReader(database.servicePool).rows([key], day * 24, (day + days) * 24 - 1);
  expect(new Set(rows.map(({ hour }) => hour)).size).toBe(rows.length);
  const cells = rows.flatMap((row) =>
    Array.from(row.cells, (kw, place) => [(row.hour - day * 24) * CELLS_PER_HOUR + place, kw] as const),
  );
  return Object.fromEntries(cells.filter(([, kw]) => !Number.isNaN(kw)));
};

/** Packs everything that ended a day ago; answers the number of days. */
export const packAll = async (now = NOW): Promise<number> => {
  const packing = new Packing({ store: dayStore(database.servicePool), now: () => now, afterDays: 1 });
  let days = 0;
  for (let step = await packing.step(); !step.isDone; step = await packing.step()) days += step.days;
  return days;
};

export const counts = async ({ meter }: MeterKey): Promise<{ hours: number; days: number }> => {
  const { rows } = await database.pool.query<{ hours: number; days: number }>(
    `select (select count(*)::int from telemetry_hours where meter = $1) as hours,
       (select count(*)::int from telemetry_days where meter = $1) as days`,
    [meter],
  );
  return rows[0] ?? { hours: 0, days: 0 };
};

/** A packed day with powers in the first, second and last hour, and a newer day that is not packed. */
export const packedMeter = async (): Promise<MeterKey> => {
  const key = await bareMeter(database);
  await write(key, DAY, { 0: 1.5, 1: 2.5, 120: -3, 2879: 4 });
  await write(key, DAY + 9, { 5: 5 });
  await packAll();
  expect(await counts(key)).toEqual({ hours: 1, days: 1 });
  return key;
};
