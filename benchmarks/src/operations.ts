import { Agent } from "node:http";
import type { BenchCluster, BenchDatabase } from "./database.js";
import { measureImport } from "./import.js";
import { ACCOUNTS, newPortfolio, PAST, SITES } from "./operations-portfolio.js";
import { counting } from "./parts.js";
import { received } from "./read.js";
import { figure, median, percentile, report } from "./report.js";
import { type BenchService, startService } from "./service.js";

const ROUNDS = Number(process.env["BENCH_OPERATIONS_ROUNDS"] ?? 40);
const WARM_UP_ROUNDS = 5;
const HOUR_MS = 3_600_000;

/** What a page asks, and a bare statement that reads the same rows through `pg`: the floor. */
interface Asked {
  readonly path: string;
  readonly rows: string;
  readonly values?: readonly unknown[];
}

/** Nothing is read for it but the caller: the floor of every call. */
const TRIVIAL = "/addresses";

/** What the operator's board, a dispatch and the lists of dispatches ask, beside what their answers take at least. */
export const operations = async (cluster: BenchCluster): Promise<void> => {
  const database = await cluster.fresh("bench_operations");
  const service = await startService(database, { log: "ignore" });
  const preparing = performance.now();
  const asked = askedOf(await newPortfolio(service, database));
  const preparedSeconds = (performance.now() - preparing) / 1000;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  report(`operator's pages: ${SITES} sites in ${ACCOUNTS} accounts, one dispatch of all, ${PAST} past dispatches`, {
    "prepared in s": figure(preparedSeconds),
  });
  for (const each of asked) await measureCall({ service, database, agent, cluster }, each);
  await measureImport(service, database);
  agent.destroy();
  await service.stop();
  await database.drop();
};

const newestHour = Math.floor(Date.now() / HOUR_MS);

const PAST_ROWS = `select * from dispatches join dispatch_sites on dispatch_id = dispatches.id
  join performance_results using (dispatch_id, site_id)
  where dispatches.id in (select id from dispatches where end_time < now() order by start_time desc limit $1)`;
const CALLED_ROWS = "select * from dispatch_sites join accounts on accounts.id = account_id where dispatch_id = $1";
const NEWEST_ROWS =
  "select * from sites join meters on site_id = sites.id join telemetry_hours on site = sites.key and meter = meters.key where hour >= $1";

const askedOf = (dispatchId: string): readonly Asked[] => [
  { path: "/load", rows: NEWEST_ROWS, values: [newestHour - 2] },
  { path: "/overview", rows: NEWEST_ROWS, values: [newestHour] },
  { path: `/dispatches/${dispatchId}/attention`, rows: CALLED_ROWS, values: [dispatchId] },
  { path: `/dispatches/${dispatchId}/timeline`, rows: CALLED_ROWS, values: [dispatchId] },
  { path: `/dispatches/${dispatchId}/replay?limit=500`, rows: CALLED_ROWS, values: [dispatchId] },
  { path: `/dispatches/${dispatchId}/performance/curve`, rows: CALLED_ROWS, values: [dispatchId] },
  {
    path: "/alarms?state=open&limit=20",
    rows: "select * from alarms where cleared_at is null order by seq desc limit 20",
  },
  { path: "/onboarding/first-steps", rows: "select * from sites join meters on site_id = sites.id" },
  { path: "/dispatch-results?limit=50", rows: PAST_ROWS, values: [50] },
  { path: "/dispatches?state=past&limit=100&sites=omit", rows: "select * from dispatches order by seq desc limit 100" },
];

interface Setting {
  readonly cluster: BenchCluster;
  readonly service: BenchService;
  readonly database: BenchDatabase;
  readonly agent: Agent;
}

/** In turns with both floors. The first call is told apart: what is kept in memory is read by it. */
const measureCall = async ({ service, database, agent, cluster }: Setting, asked: Asked): Promise<void> => {
  const call = async (path: string): Promise<number> => {
    const began = performance.now();
    const body = await received(
      `${service.url}/operator/v1${path}`,
      { authorization: `Bearer ${service.token}` },
      agent,
    );
    bytes = Buffer.concat(body).length;
    return performance.now() - began;
  };
  let bytes = 0;
  const firstMs = await call(asked.path);
  const [called, trivial, rows]: [number[], number[], number[]] = [[], [], []];
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    if (round === 0) for (const figures of [called, trivial, rows]) figures.length = 0;
    trivial.push(await call(TRIVIAL));
    rows.push(await timed(() => database.pool.query(asked.rows, [...(asked.values ?? [])])));
    called.push(await call(asked.path));
  }
  const spent = counting({ service: service.pid, database: cluster.pid });
  for (let round = 0; round < ROUNDS; round++) await call(asked.path);
  const cpu = spent();
  report(`GET ${asked.path.replace(/dis_\w+/, "ID")}`, {
    "first call, ms": figure(firstMs),
    "p50, ms": figure(median(called)),
    "p99, ms": figure(percentile(called, 0.99)),
    "trivial call (floor), p50 ms": figure(median(trivial)),
    "the same rows through pg (floor), p50 ms": figure(median(rows)),
    "both floors to the call": figure((median(trivial) + median(rows)) / median(called)),
    kB: figure(bytes / 1000),
    "CPU ms, service": figure((cpu.service / ROUNDS) * 1000),
    "CPU ms, database": figure((cpu.database / ROUNDS) * 1000),
  });
};

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};
