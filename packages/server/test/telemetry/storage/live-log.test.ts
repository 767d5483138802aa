import { setTimeout as sleep } from "node:timers/promises";
import { CELLS_PER_HOUR, firstCellOfHour, hourOf, type MeterKey } from "@curtail/measure";
import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPool } from "../../../src/platform/database/database.js";
import { adoptJournal } from "../../../src/platform/database/journal-upkeep.js";
import { MOST_AT_ONCE } from "../../../src/platform/in-pieces.js";
import { foldAll } from "../../../src/telemetry/operations/fold-log.js";
import type { GridReadings } from "../../../src/telemetry/operations/grid-readings.js";
import { changedHours } from "../../../src/telemetry/storage/changed-hours.js";
import { chargeHours } from "../../../src/telemetry/storage/charge-reader.js";
import { logStore } from "../../../src/telemetry/storage/fold-store.js";
import { firstHours, newestHours } from "../../../src/telemetry/storage/hour-ends.js";
import { appendToLog } from "../../../src/telemetry/storage/log-append.js";
import { encodeColumns } from "../../../src/telemetry/storage/log-batch.js";
import { MOST_BATCHES, MOST_READINGS } from "../../../src/telemetry/storage/log-page.js";
import { newestCharges, newestPowers } from "../../../src/telemetry/storage/newest-cells.js";
import { storedHours } from "../../../src/telemetry/storage/stored-hours.js";
import { TelemetryWriter } from "../../../src/telemetry/storage/telemetry-writer.js";
import { bareMeter, bareMeters } from "../../support/bare-meters.js";
import { cloneDatabase, type TestDatabase } from "../../support/database.js";

const HOUR = 480_000;
const FLOOD = MOST_BATCHES + 2;
const HOURS = { from: HOUR - 1, to: HOUR + 3 };

let database: TestDatabase;
let processes: Process[];

/** Two with connections of their own know of the log by themselves. */
interface Process {
  readonly pool: pg.Pool;
  readonly writer: TelemetryWriter;
}

beforeAll(async () => {
  database = await cloneDatabase();
  processes = [1, 2].map(() => {
    const pool = openPool(database.connection, () => {});
    return { pool, writer: new TelemetryWriter(pool, true) };
  });
});
afterAll(async () => {
  for (const { pool } of processes) await pool.end();
  await database.drop();
});

/** A reading of one of the meters: where its last cell is, how many it fills, its power. */
type Sent = readonly [meter: number, place: number, cells: number, kw: number];

const gridOf = (keys: readonly MeterKey[], sent: readonly Sent[]): GridReadings => ({
  count: sent.length,
  keys,
  source: Int32Array.from(sent, ([meter]) => meter),
  lastCell: Int32Array.from(sent, ([, place]) => firstCellOfHour(HOUR) + place),
  cellCount: Int32Array.from(sent, ([, , cells]) => cells),
  powerKw: Float64Array.from(sent, ([, , , kw]) => kw),
});

type Cells = Map<number, number>;

const fill = (cells: Cells, [, place, count, kw]: Sent): void => {
  const last = firstCellOfHour(HOUR) + place;
  for (let cell = last - count + 1; cell <= last; cell++) cells.set(cell, kw);
};

const cellsOf = (rows: ReadonlyArray<{ meter: number; hour: number; cells: Float64Array }>, meter: number): Cells => {
  const cells: Cells = new Map();
  for (const row of rows)
    if (row.meter === meter)
      for (const [place, kw] of row.cells.entries())
        if (!Number.isNaN(kw)) cells.set(firstCellOfHour(row.hour) + place, kw);
  return cells;
};

const sorted = (cells: Cells): Array<[number, number]> => [...cells].toSorted(([a], [b]) => a - b);

/** What a reader who asks for changes knows. */
type Known = Map<string, { site: number; meter: number; hour: number; rowVersion: string | null; cells: Float64Array }>;

const hourList = Array.from({ length: HOURS.to - HOURS.from + 1 }, (_, nth) => HOURS.from + nth);

const follow = async (pool: pg.Pool, keys: readonly MeterKey[], known: Known): Promise<void> => {
  const asked = keys.flatMap((key) =>
    hourList.map((hour) => ({ ...key, hour, rowVersion: known.get(`${key.meter} ${hour}`)?.rowVersion ?? null })),
  );
  for (const row of await changedHours(pool, asked)) known.set(`${row.meter} ${row.hour}`, row);
};

const meterOfThree = fc.integer({ min: 0, max: 2 });
const kw = fc.integer({ min: -50, max: 50 });
const few: fc.Arbitrary<Sent> = fc.tuple(
  meterOfThree,
  fc.integer({ min: 0, max: 3 * CELLS_PER_HOUR - 1 }),
  fc.constantFrom(1, 2, 10),
  kw,
);
const command = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("few"),
      by: fc.nat(1),
      sent: fc.array(few, { minLength: 1, maxLength: 4 }),
      charges: fc.array(few, { maxLength: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("many"),
      by: fc.nat(1),
      meter: meterOfThree,
      from: fc.nat(200),
      kw,
      of: fc.constantFrom("powers", "charges", "both"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("fold"),
      by: fc.nat(1),
      agoMs: fc.constantFrom(Number.NEGATIVE_INFINITY, 0, 5, 20, 100),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("hold") }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("flood"), meter: meterOfThree, place: fc.nat(200), kw }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("read"), by: fc.nat(1) }) },
);

/** Batches of one transaction, each with readings of one cell of a meter. */
const append = (meter: number, place: number, batches: readonly (readonly number[])[]) =>
  database.pool.query(
    `insert into telemetry_log (first_hour, last_hour, hours, count, readings)
     select $1::int, $1::int + 2, int4multirange(int4range($1::int, $1::int + 2, '[]')), count, readings from unnest($2::int[], $3::bytea[]) as batch (count, readings)`,
    [
      HOUR,
      batches.map(({ length }) => length),
      batches.map((powers) => bytesOf(meter, firstCellOfHour(HOUR) + place, powers)),
    ],
  );

const bytesOf = (meter: number, cell: number, powers: readonly number[]): Buffer => {
  const count = powers.length;
  const cells = (value: number) => new Int32Array(count).fill(value);
  return encodeColumns({
    count,
    series: cells(meter),
    lastCells: cells(cell),
    cellCounts: cells(1),
    values: Float64Array.from(powers),
  });
};

/** More batches than a statement returns, in two transactions, each reading in place of the one before. */
const flood = async ({ meter }: MeterKey, place: number, kw: number): Promise<void> => {
  for (const from of [0, FLOOD / 2])
    await append(
      meter,
      place,
      Array.from({ length: FLOOD / 2 }, (_, nth) => [kw + from + nth + 1]),
    );
};

describe("readings in the log and in rows", () => {
  test("read as they were committed, whoever reads, writes and folds", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 3, maxLength: 25 }), async (commands) => {
        const keys = [await bareMeter(database), await bareMeter(database), await bareMeter(database)];
        const [model, charged] = [keys.map((): Cells => new Map()), keys.map((): Cells => new Map())];
        const known = processes.map((): Known => new Map());
        const holder = await database.pool.connect();
        let isHeld = false;
        try {
          for (const each of commands) {
            const { pool, writer } = processes["by" in each ? each.by : 0] ?? fail();
            if (each.kind === "few" && "sent" in each) {
              await writer.write(gridOf(keys, each.sent), each.charges.length > 0 ? gridOf(keys, each.charges) : null);
              for (const sent of each.sent) fill(model[sent[0]] ?? fail(), sent);
              for (const sent of each.charges) fill(charged[sent[0]] ?? fail(), sent);
            } else if (each.kind === "many" && "from" in each) {
              const sent = Array.from({ length: 100 }, (_, nth): Sent => [0, each.from + nth, 1, each.kw + nth]);
              const own = [keys[each.meter] ?? fail()];
              const [isOfPowers, isOfCharges] = [each.of !== "charges", each.of !== "powers"];
              await writer.write(gridOf(own, isOfPowers ? sent : []), isOfCharges ? gridOf(own, sent) : null);
              for (const one of isOfPowers ? sent : []) fill(model[each.meter] ?? fail(), one);
              for (const one of isOfCharges ? sent : []) fill(charged[each.meter] ?? fail(), one);
            } else if (each.kind === "flood" && "place" in each) {
              await flood(keys[each.meter] ?? fail(), each.place, each.kw);
              model[each.meter]?.set(firstCellOfHour(HOUR) + each.place, each.kw + FLOOD);
            } else if (each.kind === "fold" && "agoMs" in each) {
              await logStore(pool).fold(Date.now() - each.agoMs);
            } else if (each.kind === "hold") {
              // Nothing that is appended from here on can be folded until it ends.
              await holder.query(isHeld ? "commit" : "begin; create temporary table held () on commit drop");
              isHeld = !isHeld;
            } else {
              await agree(pool, keys, model, known["by" in each ? each.by : 0] ?? fail());
              await agreeOnCharges(pool, keys, charged);
            }
          }
          for (const [nth, { pool }] of processes.entries()) {
            await agree(pool, keys, model, known[nth] ?? fail());
            await agreeOnCharges(pool, keys, charged);
          }
        } finally {
          await holder.query("rollback");
          holder.release();
        }
      }),
      { numRuns: propertyRuns(25, { atMost: 200 }) },
    );
  }, 120_000);
});

/** Readings of the first cells of an hour, more than the log takes. */
const denseFrom = (hours: number): Sent[] =>
  Array.from({ length: 40 }, (_, nth) => [0, hours * CELLS_PER_HOUR + nth, 1, nth]);

const writeOne = (nth: number, key: MeterKey, kw: number): Promise<void> =>
  (processes[nth] ?? fail()).writer.write(gridOf([key], [[0, 5, 1, kw]]));
const readOne = async (nth: number, key: MeterKey): Promise<number | undefined> => {
  const { pool } = processes[nth] ?? fail();
  const [row] = await storedHours(pool, { meters: [key], periods: [{ from: HOUR, to: HOUR }] });
  return row?.cells[5];
};

describe("the log", () => {
  test("that a younger cluster takes over is read as it was, and folded in its order", async () => {
    const key = await bareMeter(database);
    await writeOne(0, key, 1);
    await writeOne(0, key, 2);
    // As of a cluster that has given out many more numbers.
    await database.pool.query("update telemetry_log set xid = (xid::text::bigint + 4000000000)::text::xid8");
    await database.pool.query("update telemetry_log_state set folded_below = '4000000001'");
    expect(await adoptJournal(database.pool)).toBe(true);
    expect(await adoptJournal(database.pool)).toBe(false);
    // Else the oldest would be due, and wait for the newest.
    expect((await database.pool.query("select count(distinct at)::int from telemetry_log")).rows).toEqual([
      { count: 1 },
    ]);
    const restarted = openPool(database.connection, () => {});
    processes[2] = { pool: restarted, writer: new TelemetryWriter(restarted, true) };
    expect(await readOne(2, key)).toBe(2);
    await writeOne(2, key, 3);
    expect(await readOne(2, key)).toBe(3);
    expect(await foldAll(logStore(restarted), { sleep })).toBe(true);
    expect(await readOne(2, key)).toBe(3);
    // Those that knew the other cluster begin anew, as they would with its server.
    for (const nth of [0, 1]) {
      await processes[nth]?.pool.end();
      const pool = openPool(database.connection, () => {});
      processes[nth] = { pool, writer: new TelemetryWriter(pool, true) };
    }
  });

  test("that is large is taken in by pages by a process that begins, once for all that it is asked for", async () => {
    const keys = [await bareMeter(database), await bareMeter(database), await bareMeter(database)];
    for (const [nth, key] of keys.entries()) await flood(key, nth, nth);
    for (const kw of [7, 8, 9])
      await append(keys[0]?.meter ?? 0, 50, [Array.from({ length: MOST_READINGS * 0.7 }, () => kw)]);
    const begun = openPool(database.connection, () => {});
    const statements = counted(begun);
    const rows = await Promise.all(
      keys.map((key) => storedHours(begun, { meters: [key], periods: [{ from: HOUR, to: HOUR }] })),
    );
    await begun.end();
    expect(rows.map(([row], nth) => row?.cells[nth])).toEqual([0, 1, 2].map((nth) => nth + FLOOD));
    expect(rows[0]?.[0]?.cells[50]).toBe(9);
    const batches = keys.length * FLOOD;
    expect(Math.max(...statements.map(({ rows }) => rows))).toBeLessThan(MOST_BATCHES + 10);
    const pages = statements.filter(({ name }) => name === "log-page");
    expect(pages.length).toBeLessThan(batches / MOST_BATCHES + 4);
    expect(pages.length).toBeGreaterThan(batches / MOST_BATCHES + 1);
  });

  test("that is folded between two pages is read as before by a transaction that began before", async () => {
    const key = await bareMeter(database);
    await flood(key, 5, 0);
    const begun = openPool(database.connection, () => {});
    const client = await begun.connect();
    await client.query("begin isolation level repeatable read");
    await client.query("select 1 from telemetry_log");
    const asked = { meters: [key], periods: [{ from: HOUR, to: HOUR }] };
    const [isPaged, mayGoOn] = [promised(), promised()];
    const query = begun.query.bind(begun);
    let [pages, questions] = [0, 0];
    begun.query = (async (config: pg.QueryConfig) => {
      if (config.name === "stored-hours" && ++questions === 2) {
        isPaged.resolve();
        await mayGoOn.promise;
      }
      const answer = await query(config);
      if (config.name === "log-page" && ++pages === 1)
        expect(await foldAll(logStore((processes[0] ?? fail()).pool), { sleep })).toBe(true);
      return answer;
    }) as typeof begun.query;
    const reading = storedHours(begun, asked);
    await isPaged.promise;
    expect((await storedHours(client, asked))[0]?.cells[5]).toBe(FLOOD);
    mayGoOn.resolve();
    expect((await reading)[0]?.cells[5]).toBe(FLOOD);
    await client.query("commit");
    client.release();
    await begun.end();
  });

  test("gives what was appended of many meters in pieces to who looks for changes, and nothing where nothing was", async () => {
    const keys = await bareMeters(database, 2 * MOST_AT_ONCE + 1);
    const { pool, writer } = processes[0] ?? fail();
    const looked = openPool(database.connection, () => {});
    const known = keys.map((key) => ({ ...key, hour: HOUR, rowVersion: null as string | null }));
    const statements = counted(looked);
    for (const kw of [1, 2]) {
      await writer.write(
        gridOf(
          keys,
          keys.map((_, nth): Sent => [nth, 5, 1, kw + nth]),
        ),
      );
      const rows = new Map((await changedHours(looked, known)).map((row) => [row.meter, row]));
      expect(keys.map(({ meter }) => rows.get(meter)?.cells[5])).toEqual(keys.map((_, nth) => kw + nth));
      for (const each of known) each.rowVersion = rows.get(each.meter)?.rowVersion ?? null;
      expect(await changedHours(looked, known)).toEqual([]);
    }
    expect(statements.filter(({ name }) => name === "stored-hours")).toHaveLength(6);
    expect(await foldAll(logStore(pool), { sleep })).toBe(true);
    expect(await changedHours(looked, known)).toHaveLength(keys.length);
    await looked.end();
  });

  test("has nothing of the days between a reading of last week and one of now, which are written into rows", async () => {
    const key = await bareMeter(database);
    const { writer, pool } = processes[0] ?? fail();
    expect(await foldAll(logStore(pool), { sleep })).toBe(true);
    await writer.write(
      gridOf(
        [key],
        [
          [0, -168 * CELLS_PER_HOUR, 1, 1],
          [0, 5, 1, 2],
        ],
      ),
    );
    const waiting = async () => (await pool.query("select sum(count)::int from telemetry_log")).rows[0];
    for (const [hours, sum] of [
      [-100, 2],
      [-168, 42],
      [0, 82],
    ] as const) {
      await writer.write(gridOf([key], denseFrom(hours)));
      expect([hours, await waiting()]).toEqual([hours, { sum }]);
    }
    expect(await logStore(pool).fold(0)).toEqual({ readings: 0, leavesMore: false });
    expect(await foldAll(logStore(pool), { sleep })).toBe(true);
    expect(await readOne(0, key)).toBe(5);
  });

  test("keeps what a transaction appended to itself until its end, also where it reads it before", async () => {
    const key = await bareMeter(database);
    await writeOne(0, key, 1);
    const { pool } = processes[0] ?? fail();
    const client = await pool.connect();
    await client.query("begin");
    await appendToLog(client, { powers: [gridOf([key], [[0, 5, 1, 2]])], charges: [] });
    const own = await storedHours(client, { meters: [key], periods: [{ from: HOUR, to: HOUR }] });
    expect([own[0]?.cells[5], await readOne(0, key), await readOne(1, key)]).toEqual([2, 1, 1]);
    await client.query("rollback");
    client.release();
    expect([await readOne(0, key), await readOne(1, key)]).toEqual([1, 1]);
  });

  test("is read as before by a transaction that began before it was folded", async () => {
    const key = await bareMeter(database);
    await writeOne(0, key, 1);
    const { pool } = processes[0] ?? fail();
    const client = await pool.connect();
    await client.query("begin isolation level repeatable read");
    await client.query("select 1 from telemetry_log");
    await writeOne(1, key, 2);
    await logStore(pool).fold(Number.POSITIVE_INFINITY);
    expect(await readOne(0, key)).toBe(2);
    const own = await storedHours(client, { meters: [key], periods: [{ from: HOUR, to: HOUR }] });
    expect(own[0]?.cells[5]).toBe(1);
    await client.query("commit");
    client.release();
  });

  test("has the states of charge of an upload in which powers have rows, and the other way round", async () => {
    const key = await bareMeter(database);
    const dense = Array.from({ length: 40 }, (_, nth): Sent => [0, nth, 1, nth]);
    const { writer, pool } = processes[0] ?? fail();
    expect(await foldAll(logStore(pool), { sleep })).toBe(true);
    await writer.write(gridOf([key], dense), gridOf([key], [[0, 5, 1, 500]]));
    expect((await newestCharges(pool, [key]))[0]?.value).toBe(500);
    await writer.write(gridOf([key], [[0, 6, 1, -1]]), gridOf([key], [[0, 6, 1, 510]]));
    // In rows, these would be older than what the log has of their hour.
    await writer.write(gridOf([key], []), gridOf([key], dense));
    expect((await chargeHours(pool, [key], HOURS))[0]?.cells.slice(4, 8)).toEqual(Float64Array.of(4, 5, 6, 7));
    expect(await readOne(0, key)).toBe(5);
    expect(await foldAll(logStore(pool), { sleep })).toBe(true);
    expect((await chargeHours(pool, [key], HOURS))[0]?.cells.slice(4, 8)).toEqual(Float64Array.of(4, 5, 6, 7));
    const { rows } = await pool.query("select count(*)::int from charge_hours where meter = $1", [key.meter]);
    expect(rows).toEqual([{ count: 1 }]);
  });

  test("has no readings of meters that are gone after a fold", async () => {
    const key = await bareMeter(database);
    await writeOne(0, key, 1);
    await database.pool.query("delete from meters where key = $1", [key.meter]);
    expect(await foldAll(logStore((processes[0] ?? fail()).pool), { sleep })).toBe(true);
    expect(await readOne(0, key)).toBeUndefined();
  });
});

const promised = (): { readonly promise: Promise<void>; readonly resolve: () => void } => {
  const resolved: Array<() => void> = [];
  const promise = new Promise<void>((done) => void resolved.push(done));
  return { promise, resolve: () => resolved[0]?.() };
};

/** Statements of a pool with how many rows each returned. */
const counted = (pool: pg.Pool): ReadonlyArray<{ readonly name: string; readonly rows: number }> => {
  const statements: Array<{ name: string; rows: number }> = [];
  const query = pool.query.bind(pool);
  pool.query = (async (config: pg.QueryConfig) => {
    const answer = await query(config);
    statements.push({ name: config.name ?? "", rows: answer.rows.length });
    return answer;
  }) as typeof pool.query;
  return statements;
};

const agree = async (pool: pg.Pool, keys: readonly MeterKey[], model: readonly Cells[], known: Known) => {
  const rows = await storedHours(pool, { meters: keys, periods: [HOURS] });
  await follow(pool, keys, known);
  const newest = await newestPowers(pool, keys);
  const first = await firstHours(pool, keys);
  const last = await newestHours(pool, keys, HOURS.from, HOURS.to);
  for (const [nth, { meter }] of keys.entries()) {
    const cells = sorted(model[nth] ?? fail());
    expect(sorted(cellsOf(rows, meter))).toEqual(cells);
    expect(sorted(cellsOf([...known.values()], meter))).toEqual(cells);
    const [end] = cells.slice(-1);
    const found = newest.find((each) => each.meter === meter);
    expect([found && found.at.getTime() / 30_000, found?.value]).toEqual([end?.[0], end?.[1]]);
    expect([first.get(meter), last.get(meter)]).toEqual([cells[0] && hourOf(cells[0][0]), end && hourOf(end[0])]);
  }
};

const agreeOnCharges = async (pool: pg.Pool, keys: readonly MeterKey[], charged: readonly Cells[]): Promise<void> => {
  const rows = await chargeHours(pool, keys, HOURS);
  const newest = await newestCharges(pool, keys);
  for (const [nth, { meter }] of keys.entries()) {
    const cells = sorted(charged[nth] ?? fail());
    expect(sorted(cellsOf(rows, meter))).toEqual(cells);
    const found = newest.find((each) => each.meter === meter);
    expect([found && found.at.getTime() / 30_000, found?.value]).toEqual(cells.at(-1) ?? [undefined, undefined]);
  }
};

const fail = (): never => {
  throw new Error("the test asks for what is not there");
};
