import { setTimeout as sleep } from "node:timers/promises";
import { ErrorResponse, operatorClient } from "@curtail/client";
import { operator } from "@curtail/contract";
import { cpuSeconds } from "./cpu.js";
import type { BenchCluster, BenchDatabase } from "./database.js";
import { allSeries, measureCodec, type Series } from "./packed-series.js";
import { figure, median, report } from "./report.js";
import { type BenchParticipant, type BenchService, startService } from "./service.js";

const METERS = Number(process.env["BENCH_PACKED_METERS"] ?? 20);
/** How the name of a series begins of which a store is filled; all unless given. */
const SERIES = process.env["BENCH_PACKED_SERIES"] ?? "";
const DAYS = 400;
const HOUR_MS = 3_600_000;
const ROUNDS = 9;
const WARM_UP_ROUNDS = 3;
const CELLS_PER_HOUR = 120;
/** Each service has its own data directory. */
const KEY = { CURTAIL_SECRETS_KEY: Buffer.alloc(32).toString("base64") };

/** A store of 400 days by hour rows and packed: its size, the year of one site, and ten-day baselines of all sites. */
export const packed = async (cluster: BenchCluster): Promise<void> => {
  const all = allSeries();
  for (const series of all) measureCodec(series);
  const stored = all.slice(0, -1).filter(({ name }) => name.startsWith(SERIES));
  for (const series of stored) await measureStore(cluster, series);
};

interface Reads {
  readonly yearMs: number;
  readonly yearCpuMs: number;
  readonly baselinesCpuMs: number;
}

const measureStore = async (cluster: BenchCluster, series: Series): Promise<void> => {
  const database = await cluster.fresh("bench_packed");
  const first = await startService(database, { settings: KEY });
  const participant = await first.newParticipant(METERS);
  const hours = await fill(database, series);
  const readings = METERS * DAYS * series.readingsPerDay;
  const hotBytes = await sizeOf(database);
  const hot = await measureReads(cluster, first, participant);
  await first.stop();
  const packing = await pack(cluster, database);
  const packedBytes = await sizeOf(database);
  const second = await startService(database, { settings: KEY });
  const cold = await measureReads(cluster, second, participant);
  report(`${METERS} meters of ${DAYS} days: ${series.name}`, {
    "hour rows, bytes a reading": figure(hotBytes / readings),
    "packed, bytes a reading": figure(packedBytes / readings),
    "of the space": (packedBytes / hotBytes).toFixed(3),
    "packed, million cells a processor second, service and database": figure(
      (hours * CELLS_PER_HOUR) / 1e6 / packing.cpuSeconds,
    ),
    "year of a site, p50 ms, before and after": `${figure(hot.yearMs)} → ${figure(cold.yearMs)}`,
    "the same, processor ms": `${figure(hot.yearCpuMs)} → ${figure(cold.yearCpuMs)}`,
    "ten-day baselines, processor ms a site": `${figure(hot.baselinesCpuMs)} → ${figure(cold.baselinesCpuMs)}`,
  });
  await second.stop();
  await database.drop();
};

/** Fills the days up to yesterday, over and over, each meter from another one on; returns the number of hours. */
const fill = async ({ pool }: BenchDatabase, { days }: Series): Promise<number> => {
  await pool.query("create table pattern (nth int primary key, kw float8[] not null)");
  for (const [nth, day] of days.entries()) {
    for (let hour = 0; hour < 24; hour++) {
      const kw = [...day.subarray(hour * CELLS_PER_HOUR, (hour + 1) * CELLS_PER_HOUR)];
      await pool.query("insert into pattern values ($1, $2)", [nth * 24 + hour, kw]);
    }
  }
  const today = Math.floor(Date.now() / HOUR_MS / 24);
  const { rowCount } = await pool.query(
    `insert into telemetry_hours (site, meter, hour, kw)
     select sites.key, meters.key, hour, kw from sites join meters on meters.site_id = sites.id
     cross join generate_series($1::int * 24, $2::int * 24 - 1) as hour
     join pattern on nth = (hour + meters.key * 24 * 7) % ($3::int * 24)`,
    [today - DAYS, today, days.length],
  );
  await pool.query("drop table pattern");
  await pool.query("analyze telemetry_hours");
  return rowCount ?? 0;
};

const sizeOf = async ({ pool }: BenchDatabase): Promise<number> => {
  const { rows } = await pool.query<{ bytes: number }>(
    "select pg_total_relation_size('telemetry_hours') + pg_total_relation_size('telemetry_days') as bytes",
  );
  return Number(rows[0]?.bytes);
};

/** Packs all days but the newest, and gives the space back. */
const pack = async (cluster: BenchCluster, database: BenchDatabase): Promise<{ cpuSeconds: number }> => {
  const cpu = () => cpuSeconds(cluster.pid);
  const before = cpu();
  const settings = { ...KEY, CURTAIL_PACK_AFTER: "1", CURTAIL_PACK_SHARE: "100" };
  const service = await startService(database, { settings });
  const started = cpuSeconds(service.pid);
  // Yesterday ended less than a day ago, and the newest day stays.
  for (let days = 0; days < METERS * (DAYS - 1); await sleep(1000)) {
    const { rows } = await database.pool.query<{ days: number }>("select count(*)::int as days from telemetry_days");
    days = rows[0]?.days ?? 0;
  }
  const used = cpuSeconds(service.pid) - started + cpu() - before;
  await service.stop();
  await database.pool.query("vacuum full telemetry_hours");
  await database.pool.query("vacuum analyze telemetry_days");
  return { cpuSeconds: used };
};

const measureReads = async (
  cluster: BenchCluster,
  service: BenchService,
  participant: BenchParticipant,
): Promise<Reads> => {
  const cpu = () => cpuSeconds(service.pid) + cpuSeconds(cluster.pid);
  const times: number[] = [];
  let before = 0;
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    if (round === 0) before = cpu();
    const started = performance.now();
    await readYear(service, participant.siteIds[0] ?? "");
    if (round >= 0) times.push(performance.now() - started);
  }
  const yearCpuMs = ((cpu() - before) / ROUNDS) * 1000;
  const measured = cpu();
  await measureBaselines(service, participant);
  return { yearMs: median(times), yearCpuMs, baselinesCpuMs: ((cpu() - measured) / METERS) * 1000 };
};

const readYear = async ({ url, token }: BenchService, id: string): Promise<void> => {
  const end = Math.floor(Date.now() / HOUR_MS / 24) * 24 * HOUR_MS;
  const query = {
    start_time: new Date(end - 365 * 24 * HOUR_MS).toISOString(),
    end_time: new Date(end).toISOString(),
  };
  await operatorClient({ url, token }).call(operator.getAnySiteEnergy, { params: { id }, query });
};

/** A dispatch of all sites, until its first numbers are there. */
const measureBaselines = async ({ operate }: BenchService, { siteIds }: BenchParticipant): Promise<void> => {
  const baseline = { preset: "ten_of_ten" } as const;
  const body = { name: "Benchmark", timezone: "UTC", market: "", program_type: "capacity", baseline } as const;
  const program = await operate(operator.createProgram, { body });
  const { id } = await operate(operator.createDispatch, {
    body: {
      program_id: program.id,
      start_time: new Date(Date.now() - 60_000).toISOString(),
      end_time: new Date(Date.now() + HOUR_MS).toISOString(),
      sites: siteIds.map((site_id) => ({ site_id, commitment: 20 })),
    },
  });
  for (let isThere = false; !isThere; ) {
    isThere = await operate(operator.getAnyDispatchPerformance, { params: { id } }).then(
      () => true,
      async (error: unknown) => {
        if (!(error instanceof ErrorResponse && error.status === 202)) throw error;
        await sleep((error.retryAfter ?? 0) * 1000);
        return false;
      },
    );
  }
};
