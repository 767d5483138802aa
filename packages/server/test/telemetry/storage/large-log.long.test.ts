import { firstCellOfHour, hourOf, type MeterKey } from "@curtail/measure";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPool } from "../../../src/platform/database/database.js";
import { logStore } from "../../../src/telemetry/storage/fold-store.js";
import { appendToLog } from "../../../src/telemetry/storage/log-append.js";
import { newestPowers } from "../../../src/telemetry/storage/newest-cells.js";
import { storedHours } from "../../../src/telemetry/storage/stored-hours.js";
import { bareMeters } from "../../support/bare-meters.js";
import { cloneDatabase, type TestDatabase } from "../../support/database.js";

const HOUR = 480_000;
const METERS = 1000;
/** More than a fold takes. */
const STEPS = 4100;

let database: TestDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());

/** One reading of each meter at each step, as many transactions as steps: its number, and a thousand for each meter. */
const append = async (keys: readonly MeterKey[]): Promise<void> => {
  const client = await database.pool.connect();
  await client.query("set synchronous_commit = off");
  for (let step = 0; step < STEPS; step++)
    await appendToLog(client, {
      powers: [
        {
          count: METERS,
          keys,
          source: Int32Array.from(keys, (_, nth) => nth),
          lastCell: new Int32Array(METERS).fill(firstCellOfHour(HOUR) + step),
          cellCount: new Int32Array(METERS).fill(1),
          powerKw: Float64Array.from(keys, (_, nth) => step + 1000 * nth),
        },
      ],
      charges: [],
    });
  client.release(true);
};

test("a log that is larger than a fold is folded in parts, and read as it was by processes that begin meanwhile", async () => {
  const keys = await bareMeters(database, METERS);
  await append(keys);
  const worker = openPool(database.connection, () => {});
  const period = { from: HOUR, to: HOUR + hourOf(STEPS) };
  const expectAll = async (): Promise<void> => {
    const begun = openPool(database.connection, () => {});
    try {
      for (const nth of [0, METERS / 2, METERS - 1]) {
        const meters = keys.slice(nth, nth + 1);
        const cells = (await storedHours(begun, { meters, periods: [period] }))
          .toSorted((a, b) => a.hour - b.hour)
          .flatMap((row) => [...row.cells].filter((kw) => !Number.isNaN(kw)));
        expect(cells).toEqual(Array.from({ length: STEPS }, (_, step) => step + 1000 * nth));
        expect((await newestPowers(begun, meters)).map(({ value }) => value)).toEqual([STEPS - 1 + 1000 * nth]);
      }
    } finally {
      await begun.end();
    }
  };
  await expectAll();
  const [first] = await Promise.all([logStore(worker).fold(Number.POSITIVE_INFINITY), expectAll()]);
  expect(first).toEqual({ readings: 4_000_000, leavesMore: true });
  await expectAll();
  expect(await logStore(worker).fold(Number.POSITIVE_INFINITY)).toEqual({
    readings: (STEPS - 4000) * METERS,
    leavesMore: false,
  });
  await expectAll();
  expect((await database.pool.query("select from telemetry_log")).rowCount).toBe(0);
  await worker.end();
}, 120_000);
