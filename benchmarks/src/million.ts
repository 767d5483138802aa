import { setTimeout as sleep } from "node:timers/promises";
import { ErrorResponse } from "@curtail/client";
import { residentKb } from "./cpu.js";
import type { BenchCluster, BenchDatabase } from "./database.js";
import { askUntilThere, newDispatch } from "./measure.js";
import { MillionLoad } from "./million-load.js";
import { OpenPages } from "./million-pages.js";
import { ACCOUNTS, METERS_PER_SITE, type MillionAccount, millionPortfolio, SITES_EACH } from "./million-portfolio.js";
import { counting, type Spent } from "./parts.js";
import { figure, percentile, report } from "./report.js";
import { startService } from "./service.js";

const MINUTES = Number(process.env["BENCH_MILLION_MINUTES"] ?? 60);
/** So long no worker folds the log of readings (with `BENCH_FOLD_AFTER`). */
const STOP_MINUTES = Number(process.env["BENCH_MILLION_STOP_MINUTES"] ?? 0);
const SAMPLE_MS = 60_000;
const DISPATCHED_ACCOUNTS = 200;
/** Minutes from the beginning. */
const DISPATCHED = Math.floor(MINUTES / 3);
const STOPPED = DISPATCHED + 2;

interface Sample {
  readonly readings: number;
  readonly uploadsMs: readonly number[];
  readonly pollsMs: readonly number[];
  readonly readsMs: readonly number[];
  readonly behind: number;
  readonly memoryMb: number;
  /** Of the process that folds. */
  readonly workerMb: number;
  readonly spent: Spent;
  readonly databaseBytes: number;
  readonly logBytes: number;
  readonly deadRows: number;
  /** Of the log of readings. */
  readonly unfolded: number;
  readonly unfoldedBytes: number;
}

/**
 * A million meters that send once a minute, accounts that poll, pages that are open, and a dispatch of 10,000 sites after a third of the time. A process of
 * its own folds the log of readings; two minutes after the dispatch it is killed, if the settings say for how long.
 */
export const million = async (cluster: BenchCluster): Promise<void> => {
  const database = await cluster.fresh("bench_million");
  const service = await startService(database, { log: "ignore", settings: { CURTAIL_ROLES: "api,vtn" } });
  const startWorker = () =>
    startService(database, { settings: { CURTAIL_ROLES: "worker", CURTAIL_DATA_DIR: service.dataDir } });
  let worker = await startWorker();
  const began = performance.now();
  const accounts = await millionPortfolio(service, database);
  const meters = ACCOUNTS * SITES_EACH * METERS_PER_SITE;
  report(`${meters} meters of ${ACCOUNTS * SITES_EACH} sites in ${ACCOUNTS} accounts`, {
    "prepared in s": figure((performance.now() - began) / 1000),
  });
  const load = new MillionLoad(service.url, accounts);
  const pages = new OpenPages(service);
  const samples: Sample[] = [];
  let dispatching: Promise<void> | null = null;
  for (let minute = 0; minute < MINUTES; minute++) {
    const before = await sizesOf(database);
    const spent = counting({ service: service.pid, database: cluster.pid });
    if (minute === DISPATCHED) dispatching = dispatch(service, accounts);
    if (minute === STOPPED && STOP_MINUTES > 0) process.kill(worker.pid, "SIGKILL");
    if (minute === STOPPED + STOP_MINUTES && STOP_MINUTES > 0) {
      await worker.stop();
      worker = await startWorker();
    }
    await sleep(SAMPLE_MS);
    const after = await sizesOf(database);
    const memoryMb = residentKb(service.pid) / 1024;
    const workerMb = worker.isAlive() ? residentKb(worker.pid) / 1024 : 0;
    const sample = {
      ...load.taken(),
      memoryMb,
      workerMb,
      spent: spent(),
      ...after,
      logBytes: after.logBytes - before.logBytes,
    };
    samples.push(sample);
    tellMinute(minute, sample);
    process.stdout.write(`    pages: ${pages.taken()}\n`);
  }
  await pages.stop();
  await load.stop();
  await dispatching;
  tell(samples);
  await worker.stop();
  await service.stop();
  await database.drop();
};

const dispatch = async (service: Awaited<ReturnType<typeof startService>>, accounts: readonly MillionAccount[]) => {
  const siteIds = accounts.slice(0, DISPATCHED_ACCOUNTS).flatMap((account) => account.siteIds);
  const began = performance.now();
  const id = await newDispatch(service, { siteIds });
  const issuedMs = performance.now() - began;
  const measured = await askUntilThere(service, id).then(
    () => `after ${figure((performance.now() - began) / 1000)} s`,
    // Meters that are many need more memory than live measurement may take.
    (error: unknown) => (error instanceof ErrorResponse ? `refused: ${error.reason}` : String(error)),
  );
  report(`a dispatch of ${siteIds.length} sites meanwhile`, {
    "issued in ms": figure(issuedMs),
    "numbers of all sites": measured,
  });
};

const sizesOf = async ({ pool }: BenchDatabase) => {
  const { rows } = await pool.query<Record<"database" | "log" | "dead" | "unfolded" | "bytes", string>>(
    `select pg_database_size(current_database()) as database, pg_current_wal_lsn() - '0/0'::pg_lsn as log,
       (select n_dead_tup from pg_stat_user_tables where relname = 'telemetry_hours') as dead,
       (select sum(count) from telemetry_log) as unfolded, pg_total_relation_size('telemetry_log') as bytes`,
  );
  const [row] = rows;
  return {
    databaseBytes: Number(row?.database),
    logBytes: Number(row?.log),
    deadRows: Number(row?.dead),
    unfolded: Math.round(Number(row?.unfolded)),
    unfoldedBytes: Number(row?.bytes),
  };
};

const tellMinute = (minute: number, sample: Sample): void => {
  const cores = (seconds: number) => figure(seconds / (SAMPLE_MS / 1000));
  process.stdout.write(
    `  minute ${minute + 1}: ${Math.round(sample.readings / (SAMPLE_MS / 1000))} readings/s, uploads p50 ${figure(percentile(sample.uploadsMs, 0.5))} p99 ${figure(percentile(sample.uploadsMs, 0.99))} ms, polls p50 ${figure(percentile(sample.pollsMs, 0.5))} p99 ${figure(percentile(sample.pollsMs, 0.99))} ms, reads p50 ${figure(percentile(sample.readsMs, 0.5))} p99 ${figure(percentile(sample.readsMs, 0.99))} ms, behind ${sample.behind}, service ${Math.round(sample.memoryMb)} MB, worker ${Math.round(sample.workerMb)} MB, cores ${cores(sample.spent.service)} + ${cores(sample.spent.database)} database + ${cores(sample.spent.load)} load, log ${figure(sample.logBytes / sample.readings)} bytes a reading, database ${Math.round(sample.databaseBytes / 1e6)} MB, dead rows ${sample.deadRows}, unfolded ${sample.unfolded} in ${Math.round(sample.unfoldedBytes / 1e6)} MB\n`,
  );
};

const tell = (samples: readonly Sample[]): void => {
  const third = Math.ceil(samples.length / 3);
  const [first, last] = [samples.slice(0, third), samples.slice(-third)];
  const both = (of: (part: readonly Sample[]) => number) => `${figure(of(first))}, ${figure(of(last))}`;
  const sum = (part: readonly Sample[], of: (sample: Sample) => number) =>
    part.reduce((all, each) => all + of(each), 0);
  report(`${samples.length} minutes, first and last third`, {
    "readings a second": both((part) => sum(part, ({ readings }) => readings) / ((part.length * SAMPLE_MS) / 1000)),
    "uploads, p99 in ms": both((part) =>
      percentile(
        part.flatMap(({ uploadsMs }) => uploadsMs),
        0.99,
      ),
    ),
    "polls, p99 in ms": both((part) =>
      percentile(
        part.flatMap(({ pollsMs }) => pollsMs),
        0.99,
      ),
    ),
    "reads, p99 in ms": both((part) =>
      percentile(
        part.flatMap(({ readsMs }) => readsMs),
        0.99,
      ),
    ),
    "most unfolded readings": both((part) => Math.max(...part.map(({ unfolded }) => unfolded))),
    "log of readings, MB": both((part) => Math.max(...part.map(({ unfoldedBytes }) => unfoldedBytes)) / 1e6),
    "memory of the service, MB": both((part) => Math.max(...part.map(({ memoryMb }) => memoryMb))),
    "cores of the service": both(
      (part) => sum(part, ({ spent }) => spent.service) / ((part.length * SAMPLE_MS) / 1000),
    ),
    "cores of the database": both(
      (part) => sum(part, ({ spent }) => spent.database) / ((part.length * SAMPLE_MS) / 1000),
    ),
    "bytes of the log a reading": both(
      (part) => sum(part, ({ logBytes }) => logBytes) / sum(part, ({ readings }) => readings),
    ),
    "most dead rows": both((part) => Math.max(...part.map(({ deadRows }) => deadRows))),
  });
};
