import { type Client, operatorClient } from "@curtail/client";
import { operator } from "@curtail/contract";
import { cpuSeconds, residentKb } from "./cpu.js";
import type { BenchCluster, BenchDatabase } from "./database.js";
import { figure, median, ratio, report } from "./report.js";
import { type BenchService, startService } from "./service.js";

const METERS = 3;
export const HOURS = 365 * 24;
const END_HOUR = Math.floor(Date.UTC(2026, 5, 1) / 3_600_000);
const ROUNDS = 15;
// Not measured: users do not meet a service that has just started.
const WARM_UP_ROUNDS = 5;
const TARGET = 0.5;

/**
 * The energy of a year of one site with three meters; the floor is fetching the same rows through `pg` without using
 * them.
 */
export const energy = async (cluster: BenchCluster): Promise<void> => {
  for (const seconds of [300, 30]) await energyAt(cluster, seconds);
};

const energyAt = async (cluster: BenchCluster, readingSeconds: number): Promise<void> => {
  const database = await cluster.fresh("bench_energy");
  const service = await startService(database);
  const { siteId } = await newSite(service);
  await fillYear(database, { readingSeconds, endHour: END_HOUR });
  const year = await inTurns(
    () => readRaw(database),
    () => read(service, yearOf(siteId)),
    () => cpuSeconds(service.pid) + cpuSeconds(cluster.pid),
  );
  const others = await whileReading(service, yearOf(siteId));
  const csv = await timed(() => read(service, downloadOf(siteId, "csv")));
  const parquet = await timed(() => read(service, downloadOf(siteId, "parquet")));
  report(`energy of a year, ${METERS} meters, readings of ${readingSeconds} s`, {
    "30-second cells": METERS * HOURS * 120,
    "HTTP p50 ms": figure(year.service),
    "processor ms a request, service and database": figure(year.cpuMs),
    "pg rows, not decoded (floor) p50 ms": figure(year.floor),
    ratio: ratio(year.floor / year.service, TARGET),
    "slowest answer to somebody else meanwhile, ms": figure(others),
    "download, CSV, 315,360 rows, ms": figure(csv),
    "download, Parquet, ms": figure(parquet),
    "memory of the service, MB": Math.round(residentKb(service.pid) / 1024),
  });
  await service.stop();
  await database.drop();
};

export const newSite = async (service: BenchService): Promise<{ siteId: string; accountId: string }> => {
  const account = await service.operate(operator.createAccount, { body: { name: "Benchmark" } });
  const meters = Array.from({ length: METERS }, (_, index) => ({ name: `Meter ${index}` }));
  const site = await service.operate(operator.createSite, {
    params: { id: account.id },
    body: { name: "Site", meters },
  });
  return { siteId: site.id, accountId: account.id };
};

/** Every reading differs in power; those longer than a cell fill several. */
export const fillYear = async (
  { pool }: BenchDatabase,
  { readingSeconds, endHour }: { readonly readingSeconds: number; readonly endHour: number },
): Promise<void> => {
  await pool.query(
    `insert into telemetry_hours (site, meter, hour, kw)
     select sites.key, meters.key, hour, (
       select array_agg(1000 * abs(sin(meters.key * 7 + hour * 131 + (cell - 1) / $3::int)) order by cell)
       from generate_series(1, 120) as cell)
     from sites join meters on meters.site_id = sites.id
     cross join generate_series($1::int - $2::int, $1::int - 1) as hour`,
    [endHour, HOURS, readingSeconds / 30],
  );
  await pool.query("vacuum analyze telemetry_hours");
};

const inTurns = async (floor: () => Promise<void>, service: () => Promise<void>, cpuOf: () => number) => {
  const [floors, services]: [number[], number[]] = [[], []];
  let cpu = 0;
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    const floorMs = await timed(floor);
    const before = cpuOf();
    const serviceMs = await timed(service);
    if (round < 0) continue;
    floors.push(floorMs);
    services.push(serviceMs);
    cpu += cpuOf() - before;
  }
  return { floor: median(floors), service: median(services), cpuMs: (cpu / ROUNDS) * 1000 };
};

const readRaw = async ({ pool }: BenchDatabase): Promise<void> => {
  const { rows } = await pool.query({
    name: "floor",
    text: `select site, meter, hour, encode(array_send(kw), 'base64') as kw from telemetry_hours
           where hour between $1 and $2`,
    values: [END_HOUR - HOURS, END_HOUR - 1],
  });
  if (rows.length !== METERS * HOURS) throw new Error(`the floor read ${rows.length} rows`);
};

const timeAt = (hour: number): string => new Date(hour * 3_600_000).toISOString();
const period = { start_time: timeAt(END_HOUR - HOURS), end_time: timeAt(END_HOUR) };

/** Sends one request to the operator API. */
type Ask = (client: Client) => Promise<Response>;

const yearOf =
  (id: string): Ask =>
  ({ send }) =>
    send(operator.getAnySiteEnergy, { params: { id }, query: period });
const downloadOf =
  (id: string, format: "csv" | "parquet"): Ask =>
  ({ send }) =>
    send(operator.downloadAnySiteEnergy, { params: { id }, query: { ...period, interval_seconds: 300, format } });
const oneAccount: Ask = ({ send }) => send(operator.listAccounts, { query: { limit: 1 } });

const read = async ({ url, token }: BenchService, ask: Ask): Promise<void> => {
  const response = await ask(operatorClient({ url, token }));
  const body = await response.arrayBuffer();
  if (!response.ok) throw new Error(`a read was answered ${response.status}: ${new TextDecoder().decode(body)}`);
};

/** The slowest of small requests sent one after the other while a year is read, in milliseconds. */
const whileReading = async (service: BenchService, ask: Ask): Promise<number> => {
  const over = new AbortController();
  const reading = read(service, ask).finally(() => over.abort());
  let slowestMs = 0;
  while (!over.signal.aborted) slowestMs = Math.max(slowestMs, await timed(() => read(service, oneAccount)));
  await reading;
  return slowestMs;
};

const timed = async (work: () => Promise<void>): Promise<number> => {
  const started = performance.now();
  await work();
  return performance.now() - started;
};
