import { setTimeout as sleep } from "node:timers/promises";
import { Agent } from "undici";
import { type BenchCluster, type BenchDatabase } from "./database.js";
import { copyFloor } from "./floor.js";
import { expectCells, untilFolded } from "./ingest.js";
import { postReadings } from "./load.js";
import { counting, PARTS, type Spent } from "./parts.js";
import { type ReadingSet, timeAt, uploadBody } from "./readings.js";
import { figure, median, percentile, ratio, report, spread } from "./report.js";
import { startService } from "./service.js";

const SECONDS = Number(process.env["BENCH_SUSTAINED_SECONDS"] ?? 600);
const METERS = Number(process.env["BENCH_SUSTAINED_METERS"] ?? 1000);
const SAMPLES = 20;
const CONNECTIONS = 4;
/** Bodies of different powers, whose times are replaced. */
const BODIES = 64;
const set: ReadingSet = { meters: METERS, steps: Number.MAX_SAFE_INTEGER, intervalSeconds: 30 };
const floorSet: ReadingSet = { meters: 1000, steps: 720, intervalSeconds: 30 };

interface Sample {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly spent: Spent;
  readonly readings: number;
  /** Of the log of PostgreSQL. */
  readonly walBytes: number;
  /** Of the log of readings, with the room that deleted rows leave. */
  readonly logBytes: number;
  readonly rowBytes: number;
  readonly deadRows: number;
}

/** Live uploads as fast as they are answered for ten minutes, with the fold on (`BENCH_FOLD_AFTER`), from the first request on. */
export const sustained = async (cluster: BenchCluster): Promise<void> => {
  const floorDatabase = await cluster.fresh("bench_floor");
  const floor = await copyFloor(cluster, floorDatabase, floorSet, "by time");
  await floorDatabase.drop();
  const database = await cluster.fresh("bench_sustained");
  const service = await startService(database, {
    settings: { CURTAIL_FOLD_AFTER: process.env["BENCH_FOLD_AFTER"] ?? "60" },
  });
  const { key, meterIds } = await service.newParticipant(set.meters);
  const bodies = new Bodies(meterIds);
  const dispatcher = new Agent({ connections: CONNECTIONS, pipelining: 1 });
  const samples: Sample[] = [];
  const over = new AbortController();
  let latencies: number[] = [];
  const uploading = Array.from({ length: CONNECTIONS }, async () => {
    while (!over.signal.aborted) latencies.push(await postReadings(service.url, key, bodies.next(), dispatcher));
  });
  const pids = { service: service.pid, database: cluster.pid };
  for (let nth = 0; nth < SAMPLES; nth++) {
    const [spent, startedMs, before] = [counting(pids), performance.now(), await stateOf(database)];
    latencies = [];
    await sleep((SECONDS / SAMPLES) * 1000);
    const seconds = (performance.now() - startedMs) / 1000;
    const readings = latencies.length * METERS;
    const { wal, ...state } = await stateOf(database);
    samples.push({
      perSecond: readings / seconds,
      p50Ms: median(latencies),
      p99Ms: percentile(latencies, 0.99),
      spent: spent(),
      readings,
      walBytes: wal - before.wal,
      ...state,
    });
  }
  over.abort();
  await Promise.all(uploading);
  const overMs = performance.now();
  await untilFolded(database);
  const foldedSeconds = (performance.now() - overMs) / 1000;
  await expectCells(database, bodies.sent * METERS);
  tell(samples, floor.perSecond, foldedSeconds);
  await dispatcher.close();
  await service.stop();
  await database.drop();
};

/** The next moment's readings of all meters: a few bodies, into which the time is written. */
class Bodies {
  sent = 0;
  private readonly bodies: readonly Buffer[];
  private readonly places: readonly (readonly number[])[];

  constructor(meterIds: readonly string[]) {
    this.bodies = Array.from({ length: BODIES }, (_, step) => uploadBody(set, meterIds, step));
    this.places = this.bodies.map((body, step) => placesOf(body, timeAt(set, step)));
  }

  next(): Buffer {
    const at = this.sent % BODIES;
    const time = timeAt(set, this.sent++);
    const body = Buffer.from(this.bodies[at] ?? "");
    for (const place of this.places[at] ?? []) body.write(time, place, "latin1");
    return body;
  }
}

const placesOf = (body: Buffer, time: string): number[] => {
  const places: number[] = [];
  for (let at = body.indexOf(time); at >= 0; at = body.indexOf(time, at + 1)) places.push(at);
  return places;
};

const stateOf = async ({ pool }: BenchDatabase) => {
  const { rows } = await pool.query<Record<"wal" | "log" | "rows" | "dead", string>>(
    `select pg_current_wal_lsn() - '0/0' as wal, pg_total_relation_size('telemetry_log') as log,
       pg_total_relation_size('telemetry_hours') as rows,
       (select n_dead_tup from pg_stat_user_tables where relname = 'telemetry_hours') as dead`,
  );
  const [row] = rows;
  return {
    wal: Number(row?.wal),
    logBytes: Number(row?.log),
    rowBytes: Number(row?.rows),
    deadRows: Number(row?.dead),
  };
};

const tell = (samples: readonly Sample[], floor: number, foldedSeconds: number): void => {
  const of = (pick: (sample: Sample) => number): string => spread(samples.map(pick));
  const readings = samples.reduce((sum, each) => sum + each.readings, 0);
  const perReading = (part: (typeof PARTS)[number]): string =>
    figure((samples.reduce((sum, { spent }) => sum + spent[part], 0) / readings) * 1e6);
  report(`live uploads for ${SECONDS} s, ${METERS} meters a request`, {
    readings,
    "readings/s, median": Math.round(median(samples.map(({ perSecond }) => perSecond))),
    "COPY floor, rows/s": Math.round(floor),
    ratio: ratio(median(samples.map(({ perSecond }) => perSecond)) / floor, 0.8),
    "ratio over time": of(({ perSecond }) => perSecond / floor),
    "p50 ms over time": of(({ p50Ms }) => p50Ms),
    "p99 ms over time": of(({ p99Ms }) => p99Ms),
    "bytes of PostgreSQL's log a reading": of(({ walBytes, readings: own }) => walBytes / own),
    "MB of the log of readings over time": of(({ logBytes }) => logBytes / 1e6),
    "MB of rows over time": of(({ rowBytes }) => rowBytes / 1e6),
    "dead rows over time": of(({ deadRows }) => deadRows),
    "s until all was folded": figure(foldedSeconds),
    ...Object.fromEntries(PARTS.map((part) => [`CPU µs per reading, ${part}`, perReading(part)])),
  });
};
