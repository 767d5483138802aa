import type { ChildProcess } from "node:child_process";
import type { BenchCluster } from "./database.js";
import { untilFolded } from "./ingest.js";
import { counting, type Spent, spentLines } from "./parts.js";
import { figure, median, percentile, ratio, report, spread } from "./report.js";
import { type BenchService, startService } from "./service.js";
import { requestText, type SocketLoad, sendLoad, startBare, startLoad } from "./socket-load.js";

const METERS = 1000;
const CONNECTIONS = 64;
const ROUNDS = 5;
const REQUESTS = 20_000;
const TARGET = 0.4;
const COLD_SECONDS = 2;
const COLD_TARGET = 0.5;
const CELL_MS = 30_000;
const CELLS = 2;

interface Round {
  readonly perSecond: number;
  readonly barePerSecond: number;
  readonly latenciesMs: readonly number[];
  readonly spent: Spent;
}

/** One reading a request, as small devices send it, in turns with a bare server that reads and answers the same. */
export const single = async (cluster: BenchCluster): Promise<void> => {
  const database = await cluster.fresh("bench_single");
  const service = await startService(database);
  const { key, meterIds } = await service.newParticipant(METERS);
  const bare = await startBare(new Headers({ "content-type": "application/json" }), "{}");
  const load = startLoad();
  const rounds: Round[] = [];
  const cells = new Set<number>();
  const cold: number[] = [];
  // The first round is for connections, memory and compiling; its beginning is told of.
  for (let index = -1; index < ROUNDS; index++) {
    const lastCell = Math.floor(Date.now() / CELL_MS);
    for (let back = 0; back < CELLS; back++) cells.add(lastCell - back);
    const orderTo = (url: string): SocketLoad => orderOf(url, key, meterIds, lastCell);
    if (index < 0) cold.push(...(await coldRates(load, orderTo(service.url))));
    const spent = counting({ service: service.pid, database: cluster.pid, load: load.pid ?? 0 });
    const { count, seconds, latenciesMs } = await sendLoad(load, orderTo(service.url));
    const spentUploading = spent();
    const asked = await sendLoad(load, orderTo(bare.url));
    if (index < 0) continue;
    rounds.push({
      perSecond: count / seconds,
      barePerSecond: asked.count / asked.seconds,
      latenciesMs,
      spent: spentUploading,
    });
  }
  tell(rounds, cold);
  load.disconnect();
  bare.stop();
  await untilFolded(database);
  await expectAll(service, cells.size);
  await service.stop();
  await database.drop();
};

/** Requests a second in the first and the next seconds of a service that has just started. */
const coldRates = async (load: ChildProcess, order: SocketLoad): Promise<number[]> => {
  const rates = [];
  for (let part = 0; part < 2; part++) {
    const { count, seconds } = await sendLoad(load, { ...order, most: Number.MAX_SAFE_INTEGER, seconds: COLD_SECONDS });
    rates.push(count / seconds);
  }
  return rates;
};

/** The last two readings of each meter, again and again with other values: older ones would be late. */
const orderOf = (url: string, key: string, meterIds: readonly string[], lastCell: number): SocketLoad => {
  const headers = { "x-service-api-key": key, "content-type": "application/json" };
  const requests = Array.from({ length: REQUESTS }, (_, index) => {
    const step = Math.floor(index / METERS);
    const timestamp = new Date((lastCell - 1 + (step % CELLS)) * CELL_MS).toISOString();
    const reading = { meter_id: meterIds[index % METERS], interval_seconds: CELL_MS / 1000, timestamp, kW: index / 16 };
    return requestText("POST", `${url}/2022-04-15/telemetry`, headers, JSON.stringify({ telemetry: [reading] }));
  });
  return { url, requests, connections: CONNECTIONS, most: REQUESTS, seconds: 600 };
};

const expectAll = async ({ pool }: BenchService, cells: number): Promise<void> => {
  const { rows } = await pool.query<{ cells: number }>(
    "select sum(cardinality(kw))::int as cells from telemetry_hours",
  );
  const sent = METERS * cells;
  if (rows[0]?.cells !== sent) throw new Error(`${rows[0]?.cells} of ${sent} cells are stored`);
};

const tell = (rounds: readonly Round[], cold: readonly number[]): void => {
  const of = (pick: (round: Round) => number): number => median(rounds.map(pick));
  const latenciesMs = rounds.flatMap((each) => each.latenciesMs);
  const ratios = rounds.map((each) => each.perSecond / each.barePerSecond);
  const warm = of((each) => each.perSecond);
  report(`one reading a request, ${METERS} meters over ${CONNECTIONS} connections`, {
    "requests/s": Math.round(warm),
    [`requests/s after the start, each ${COLD_SECONDS} s`]: cold.map(Math.round).join(", "),
    "of it the second, to warm": ratio((cold.at(-1) ?? 0) / warm, COLD_TARGET),
    "bare server, answers/s": Math.round(of((each) => each.barePerSecond)),
    ratio: ratio(median(ratios), TARGET),
    "ratio of each round": spread(ratios),
    "p50 ms": figure(median(latenciesMs)),
    "p99 ms": figure(percentile(latenciesMs, 0.99)),
    ...spentLines(rounds, REQUESTS, "request"),
  });
};
