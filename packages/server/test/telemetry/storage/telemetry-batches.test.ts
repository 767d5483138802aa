import type { MeterKey } from "@curtail/measure";
import type pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { TelemetryWriter } from "../../../src/telemetry/storage/telemetry-writer.js";
import type { TestDatabase } from "../../support/database.js";
import { type Cell, failingDatabase, newMeter, REFUSED_KW, readings, stored } from "../../support/hour-readings.js";

let database: TestDatabase;
let writer: TelemetryWriter;

beforeAll(async () => {
  database = await failingDatabase();
});
afterAll(() => database.drop());
beforeEach(() => {
  writer = new TelemetryWriter(database.pool);
});

/** Locks a meter's rows until released, at the latest at the test's end, so that writers of them wait. */
const holding = async ({ meter }: MeterKey): Promise<{ release(): Promise<void> }> => {
  const client: pg.PoolClient = await database.pool.connect();
  await client.query("begin");
  await client.query("select from telemetry_hours where meter = $1 for update", [meter]);
  let released: Promise<void> | undefined;
  const release = (): Promise<void> => (released ??= client.query("rollback").then(() => client.release()));
  onTestFinished(release);
  return { release };
};

const waitingStatements = async (): Promise<number> => {
  const { rows } = await database.pool.query<{ count: number }>(
    "select count(*) as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows[0]?.count ?? 0;
};

/** Starts a write of each locked meter, one after the other, so that each has its own lane. */
const occupyLanes = async (...held: MeterKey[]): Promise<Promise<void>[]> => {
  const lanes: Promise<void>[] = [];
  for (const meter of held) {
    lanes.push(writer.write(readings([meter, 0, 1])));
    await expect.poll(waitingStatements).toBe(lanes.length);
  }
  return lanes;
};

const upload = (order: readonly MeterKey[], kw: number) => readings(...order.map((key): Cell => [key, kw % 120, kw]));

describe("uploads that arrive while others are written", () => {
  test("of one meter wait for each other in this process, never in the database, and keep their order", async () => {
    const [busy, other] = [newMeter(), newMeter()];
    await writer.write(readings([busy, 0, 0]));
    const held = await holding(busy);
    const done: number[] = [];
    const writes = [1, 2, 3, 4].map((kw) =>
      writer.write(readings([busy, 0, kw], [busy, kw, kw])).then(() => done.push(kw)),
    );
    await expect.poll(waitingStatements).toBe(1);
    await writer.write(readings([other, 0, 9]));
    expect(await stored(database, other)).toEqual({ 0: 9 });
    expect([await waitingStatements(), done]).toEqual([1, []]);
    await held.release();
    await Promise.all(writes);
    expect(await stored(database, busy)).toEqual({ 0: 4, 1: 1, 2: 2, 3: 3, 4: 4 });
    expect(done).toEqual([1, 2, 3, 4]);
  });

  test("share one transaction: fifty of them become one", async () => {
    const [busy, second] = [newMeter(), newMeter()];
    await writer.write(readings([busy, 0, 0], [second, 0, 0]));
    const [one, two] = [await holding(busy), await holding(second)];
    const lanes = await occupyLanes(busy, second);
    const fresh = Array.from({ length: 50 }, newMeter);
    const writes = fresh.map((meter) => writer.write(readings([meter, 0, 1])));
    await one.release();
    await Promise.all(writes);
    const { rows } = await database.pool.query(
      "select distinct xmin::text from telemetry_hours where meter = any($1)",
      [fresh.map(({ meter }) => meter)],
    );
    expect(rows).toHaveLength(1);
    await two.release();
    await Promise.all(lanes);
  });

  test("are answered together when their transaction fails, and none of them is stored", async () => {
    const [busy, second, innocent] = [newMeter(), newMeter(), newMeter()];
    await writer.write(readings([busy, 0, 0], [second, 0, 0]));
    const [one, two] = [await holding(busy), await holding(second)];
    const lanes = await occupyLanes(busy, second);
    const together = Promise.allSettled([
      writer.write(readings([innocent, 0, 1])),
      writer.write(readings([newMeter(), 0, REFUSED_KW])),
    ]);
    await one.release();
    expect((await together).map((each) => each.status)).toEqual(["rejected", "rejected"]);
    expect(await stored(database, innocent)).toEqual({});
    await two.release();
    await Promise.all(lanes);
    await writer.write(readings([innocent, 0, 1]));
    expect(await stored(database, innocent)).toEqual({ 0: 1 });
  });

  test("of the same meters from two processes do not deadlock", async () => {
    const twin = new TelemetryWriter(database.pool);
    const keys = Array.from({ length: 30 }, newMeter);
    const writes = Array.from({ length: 40 }, (_, kw) =>
      kw % 2 === 0 ? writer.write(upload(keys, kw)) : twin.write(upload(keys.toReversed(), kw)),
    );
    await Promise.all(writes);
    for (const key of keys) expect(Object.keys(await stored(database, key))).toHaveLength(40);
  });
});
