import { setTimeout as sleep } from "node:timers/promises";
import { Agent } from "undici";
import type { BenchCluster, BenchDatabase } from "./database.js";
import { postReadings } from "./load.js";
import { type ReadingSet, uploadBody } from "./readings.js";
import { report, spread } from "./report.js";
import { startService } from "./service.js";

const MINUTES = Number(process.env["BENCH_SOAK_MINUTES"] ?? 10);
const SAMPLE_MS = 30_000;
const REQUESTS_PER_SECOND = 50;
const set: ReadingSet = { meters: 1000, steps: Number.MAX_SAFE_INTEGER, intervalSeconds: 30 };

interface Sample {
  readonly deadRows: number;
  readonly liveRows: number;
  readonly bytesPerReading: number;
}

/**
 * The live pattern for ten minutes: 1,000 meters in each request, 50 requests a second, so that 25 minutes of readings
 * pass in a second. Samples dead rows, which must not grow.
 */
export const soak = async (cluster: BenchCluster): Promise<void> => {
  const database = await cluster.fresh("bench_soak");
  const service = await startService(database);
  const { key, meterIds } = await service.newParticipant(set.meters);
  const dispatcher = new Agent({ connections: 8, pipelining: 1 });
  const samples: Sample[] = [];
  const endMs = performance.now() + MINUTES * 60_000;
  let [step, sampleAtMs] = [0, performance.now() + SAMPLE_MS];
  const underWay = new Set<Promise<unknown>>();
  while (performance.now() < endMs) {
    const sent = postReadings(service.url, key, uploadBody(set, meterIds, step++), dispatcher);
    underWay.add(sent);
    void sent.finally(() => underWay.delete(sent));
    if (underWay.size >= 8) await Promise.race(underWay);
    else await sleep(1000 / REQUESTS_PER_SECOND);
    if (performance.now() > sampleAtMs) {
      samples.push(await sample(database, step * set.meters));
      sampleAtMs += SAMPLE_MS;
    }
  }
  await Promise.all(underWay);
  tell(samples, step);
  await dispatcher.close();
  await service.stop();
  await database.drop();
};

const sample = async ({ pool }: BenchDatabase, readings: number): Promise<Sample> => {
  const { rows } = await pool.query<{ dead: string; live: string; bytes: string }>(
    `select n_dead_tup as dead, n_live_tup as live, pg_total_relation_size('telemetry_hours') as bytes
     from pg_stat_user_tables where relname = 'telemetry_hours'`,
  );
  return {
    deadRows: Number(rows[0]?.dead),
    liveRows: Number(rows[0]?.live),
    bytesPerReading: Number(rows[0]?.bytes) / readings,
  };
};

const tell = (samples: readonly Sample[], steps: number): void => {
  const third = Math.ceil(samples.length / 3);
  const most = (part: readonly Sample[]): number => Math.max(...part.map((each) => each.deadRows));
  report(`live pattern for ${MINUTES} minutes`, {
    readings: steps * set.meters,
    "rows at the end": samples.at(-1)?.liveRows ?? 0,
    "most dead rows, first third": most(samples.slice(0, third)),
    "most dead rows, last third": most(samples.slice(-third)),
    "bytes per reading, over time": spread(samples.map((each) => each.bytesPerReading)),
  });
};
