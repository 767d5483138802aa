import { setTimeout as sleep } from "node:timers/promises";
import type { BenchCluster, BenchDatabase } from "./database.js";
import { copyFloor } from "./floor.js";
import { type LoadResult, upload } from "./load.js";
import { counting, type Spent, spentLines } from "./parts.js";
import { bodiesOf, type ReadingOrder, type ReadingSet } from "./readings.js";
import { atMost, figure, median, percentile, ratio, report, spread } from "./report.js";
import { startService } from "./service.js";

export interface Ingest {
  readonly name: string;
  readonly set: ReadingSet;
  readonly order: ReadingOrder;
  readonly connections: number;
  readonly target: number;
  readonly maxBytes: number;
}

/** Few meters, many readings: a back-fill, 10,000 readings in each request. */
export const bulk: Ingest = {
  name: "bulk ingest",
  set: { meters: 10, steps: 100_000, intervalSeconds: 30 },
  order: "by meter",
  connections: 4,
  target: 1.5,
  maxBytes: 16,
};

/** Many meters, one reading each: every request has 1,000 meters, and four are sent at once. */
export const live: Ingest = {
  name: "live ingest",
  set: { meters: 1000, steps: 1440, intervalSeconds: 30 },
  order: "by time",
  connections: 4,
  target: 0.4,
  maxBytes: 24,
};

/** Readings a second. */
export interface Rates {
  readonly perSecond: number;
  /** Of the first half, which a service gets that has just started. */
  readonly cold: number;
  /** Of the second half. */
  readonly warm: number;
}

export interface IngestRound extends Rates {
  readonly floorPerSecond: number;
  readonly bytesPerReading: number;
  readonly latenciesMs: readonly number[];
  readonly spent: Spent;
}

const ROUNDS = 5;

/** Uploads over HTTP after COPY of the same readings, repeated; reports medians. */
export const ingest = async (cluster: BenchCluster, each: Ingest): Promise<void> => {
  const rounds: IngestRound[] = [];
  for (let index = 0; index < ROUNDS; index++) rounds.push(await ingestOnce(cluster, each));
  const of = (pick: (round: IngestRound) => number): number => median(rounds.map(pick));
  const latenciesMs = rounds.flatMap((one) => one.latenciesMs);
  const bytes = of((one) => one.bytesPerReading);
  report(each.name, {
    "readings/s": Math.round(of((one) => one.perSecond)),
    "COPY floor, rows/s": Math.round(of((one) => one.floorPerSecond)),
    ratio: ratio(
      of((one) => one.perSecond / one.floorPerSecond),
      each.target,
    ),
    "ratio of each round": spread(rounds.map((one) => one.perSecond / one.floorPerSecond)),
    "ratio, first half after the start": spread(rounds.map((one) => one.cold / one.floorPerSecond)),
    "ratio, second half": spread(rounds.map((one) => one.warm / one.floorPerSecond)),
    "p50 ms": figure(median(latenciesMs)),
    "p99 ms": figure(percentile(latenciesMs, 0.99)),
    "bytes per reading": atMost(bytes, each.maxBytes),
    ...spentLines(rounds, readingsOf(each.set), "reading"),
  });
};

export const readingsOf = (set: ReadingSet): number => set.meters * set.steps;

/** Sends bodies of so many readings, and tells of each half. */
export const inHalves = async (
  bodies: readonly Buffer[],
  readings: number,
  send: (half: readonly Buffer[]) => Promise<LoadResult>,
): Promise<{ readonly rates: Rates; readonly latenciesMs: readonly number[] }> => {
  const middle = bodies.length / 2;
  const cold = await send(bodies.slice(0, middle));
  const warm = await send(bodies.slice(middle));
  return {
    rates: {
      perSecond: readings / (cold.seconds + warm.seconds),
      cold: readings / 2 / cold.seconds,
      warm: readings / 2 / warm.seconds,
    },
    latenciesMs: [...cold.latenciesMs, ...warm.latenciesMs],
  };
};

/** Uploads over HTTP after COPY of the same readings, once. */
export const ingestOnce = async (cluster: BenchCluster, { set, order, connections }: Ingest): Promise<IngestRound> => {
  const database = await cluster.fresh("bench_ingest");
  const floor = await copyFloor(cluster, database, set, order);
  const service = await startService(database);
  const participant = await service.newParticipant(set.meters);
  const bodies = bodiesOf(set, participant.meterIds, order);
  await database.pool.query("checkpoint");
  const spent = counting({ service: service.pid, database: cluster.pid });
  const { rates, latenciesMs } = await inHalves(bodies, readingsOf(set), (half) =>
    upload(service.url, participant.key, half, connections),
  );
  await untilFolded(database);
  const spentUploading = spent();
  const result = {
    ...rates,
    floorPerSecond: floor.perSecond,
    bytesPerReading: await bytesPerReading(database, readingsOf(set)),
    latenciesMs,
    spent: spentUploading,
  };
  await service.stop();
  await database.drop();
  return result;
};

/** How much PostgreSQL has written to its own log, in bytes. */
export const walOf = async ({ pool }: BenchDatabase): Promise<number> => {
  const { rows } = await pool.query<{ wal: string }>("select pg_current_wal_lsn() - '0/0' as wal");
  return Number(rows[0]?.wal);
};

/** Until all that the log has is in rows, so that the time of the processor has its fold. */
export const untilFolded = async ({ pool }: BenchDatabase): Promise<void> => {
  for (;;) {
    const { rows } = await pool.query<{ count: string }>("select count(*) from telemetry_log");
    if (rows[0]?.count === "0") return;
    await sleep(100);
  }
};

/** Fails unless so many cells are in rows. */
export const expectCells = async ({ pool }: BenchDatabase, cells: number): Promise<void> => {
  const { rows } = await pool.query<{ cells: string }>("select sum(cardinality(kw)) as cells from telemetry_hours");
  if (Number(rows[0]?.cells) !== cells) throw new Error(`${rows[0]?.cells} of ${cells} cells are stored`);
};

/** Table, index and dead rows; fails unless every reading is stored. */
const bytesPerReading = async (database: BenchDatabase, readings: number): Promise<number> => {
  await expectCells(database, readings);
  const { rows } = await database.pool.query<{ bytes: string }>(
    "select pg_total_relation_size('telemetry_hours') as bytes",
  );
  return Number(rows[0]?.bytes) / readings;
};
