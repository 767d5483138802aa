import { setTimeout as sleep } from "node:timers/promises";
import { residentKb } from "./cpu.js";
import type { BenchCluster, BenchDatabase } from "./database.js";
import { expectCells, untilFolded, walOf } from "./ingest.js";
import { counting, type Spent } from "./parts.js";
import type { ReadingSet } from "./readings.js";
import { figure, percentile, report } from "./report.js";
import { startService } from "./service.js";
import { SoakLoad } from "./soak-load.js";

const MINUTES = Number(process.env["BENCH_SOAK_MINUTES"] ?? 60);
/** The process that folds is killed after a quarter of the time, and is away for half of it. */
const KILLED = Math.floor(MINUTES / 4);
const STARTED = Math.floor((MINUTES * 3) / 4);
const SAMPLE_MS = 60_000;
const set: ReadingSet = { meters: 1000, steps: Number.MAX_SAFE_INTEGER, intervalSeconds: 30 };

interface Sample {
  readonly readings: number;
  readonly uploadsMs: readonly number[];
  readonly readsMs: readonly number[];
  readonly spent: Spent;
  readonly walBytes: number;
  readonly memoryMb: number;
  readonly unfolded: number;
  /** Of the log of readings, with the room of deleted rows. */
  readonly logMb: number;
  readonly rows: number;
  readonly rowMb: number;
  readonly deadRows: number;
  readonly vacuums: number;
}

/**
 * The live pattern for an hour: 1,000 meters in each request, 20 requests a second, so that ten minutes of readings pass in a second. A process of its own
 * folds the log (`BENCH_FOLD_AFTER`), and is away for half of the time. What is read all along must be what was sent.
 */
export const soak = async (cluster: BenchCluster): Promise<void> => {
  const database = await cluster.fresh("bench_soak");
  const folding = { CURTAIL_FOLD_AFTER: process.env["BENCH_FOLD_AFTER"] ?? "300" };
  const service = await startService(database, { settings: { ...folding, CURTAIL_ROLES: "api,vtn" } });
  const worker = () =>
    startService(database, { settings: { ...folding, CURTAIL_ROLES: "worker", CURTAIL_DATA_DIR: service.dataDir } });
  let folder = await worker();
  const load = new SoakLoad(service.url, set, await service.newParticipant(set.meters));
  const samples: Sample[] = [];
  const pids = { service: service.pid, database: cluster.pid };
  for (let minute = 0; minute < MINUTES; minute++) {
    if (minute === KILLED) process.kill(folder.pid, "SIGKILL");
    if (minute === STARTED) [, folder] = [await folder.stop(), await worker()];
    const [spent, wal] = [counting(pids), await walOf(database)];
    await sleep(SAMPLE_MS);
    const walBytes = (await walOf(database)) - wal;
    const memoryMb = residentKb(service.pid) / 1024;
    const sample = { ...load.taken(), spent: spent(), walBytes, memoryMb, ...(await stateOf(database)) };
    samples.push(sample);
    tellMinute(minute, sample);
  }
  await load.stop();
  await untilFolded(database);
  await expectCells(database, load.steps * set.meters);
  tell(samples, load.repeated);
  await folder.stop();
  await service.stop();
  await database.drop();
};

const stateOf = async ({ pool }: BenchDatabase) => {
  const { rows } = await pool.query<Record<"unfolded" | "log" | "rows" | "bytes" | "dead" | "vacuums", string>>(
    `select (select coalesce(sum(count), 0) from telemetry_log) as unfolded, pg_total_relation_size('telemetry_log') as log,
       pg_total_relation_size('telemetry_hours') as bytes, n_live_tup as rows, n_dead_tup as dead,
       (select sum(autovacuum_count) from pg_stat_user_tables where relname in ('telemetry_hours', 'telemetry_log')) as vacuums
     from pg_stat_user_tables where relname = 'telemetry_hours'`,
  );
  const [row] = rows;
  return {
    unfolded: Number(row?.unfolded),
    logMb: Number(row?.log) / 1e6,
    rows: Number(row?.rows),
    rowMb: Number(row?.bytes) / 1e6,
    deadRows: Number(row?.dead),
    vacuums: Number(row?.vacuums),
  };
};

const tellMinute = (minute: number, sample: Sample): void => {
  const { readings, uploadsMs, readsMs, spent, walBytes, memoryMb, unfolded } = sample;
  process.stdout.write(
    `  minute ${minute + 1}: ${readings} readings, uploads p50 ${figure(percentile(uploadsMs, 0.5))} p99 ${figure(percentile(uploadsMs, 0.99))} ms, ${readsMs.length} reads p50 ${figure(percentile(readsMs, 0.5))} p99 ${figure(percentile(readsMs, 0.99))} ms, µs a reading ${figure((spent.service / readings) * 1e6)} and ${figure((spent.database / readings) * 1e6)} database, ${figure(walBytes / readings)} bytes of PostgreSQL's log a reading, service ${Math.round(memoryMb)} MB, unfolded ${unfolded} in ${Math.round(sample.logMb)} MB, ${sample.rows} rows in ${Math.round(sample.rowMb)} MB, dead ${sample.deadRows}, vacuums ${sample.vacuums}\n`,
  );
};

const tell = (samples: readonly Sample[], repeated: number): void => {
  const parts = [samples.slice(0, KILLED), samples.slice(KILLED, STARTED), samples.slice(STARTED)];
  const each = (of: (part: readonly Sample[]) => number) => parts.map((part) => figure(of(part))).join(", ");
  const most = (of: (sample: Sample) => number) => each((part) => Math.max(...part.map(of)));
  const readings = samples.reduce((sum, sample) => sum + sample.readings, 0);
  report(`live pattern for ${MINUTES} minutes: before, while and after no process folds`, {
    readings,
    "uploads sent again": repeated,
    "reads, all right": samples.reduce((sum, { readsMs }) => sum + readsMs.length, 0),
    "uploads, p99 in ms": each((part) =>
      percentile(
        part.flatMap(({ uploadsMs }) => uploadsMs),
        0.99,
      ),
    ),
    "reads, p99 in ms": each((part) =>
      percentile(
        part.flatMap(({ readsMs }) => readsMs),
        0.99,
      ),
    ),
    "memory of the service, MB": most(({ memoryMb }) => memoryMb),
    "most unfolded readings": most(({ unfolded }) => unfolded),
    "log of readings, MB": most(({ logMb }) => logMb),
    "most dead rows": most(({ deadRows }) => deadRows),
    "bytes of PostgreSQL's log a reading": figure(samples.reduce((sum, { walBytes }) => sum + walBytes, 0) / readings),
    "bytes of rows a reading": figure(((samples.at(-1)?.rowMb ?? 0) * 1e6) / readings),
  });
};
