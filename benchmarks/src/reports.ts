import { readFileSync } from "node:fs";
import { Agent } from "node:http";
import { operator as operatorApi } from "@curtail/contract";
import type { BenchCluster } from "./database.js";
import { newDispatch } from "./measure.js";
import { ACCOUNTS, insertPast, PAST, SITES } from "./operations-portfolio.js";
import { counting } from "./parts.js";
import { received } from "./read.js";
import { atMost, figure, median, report } from "./report.js";
import { type BenchParticipant, type BenchService, startService } from "./service.js";

const ROUNDS = Number(process.env["BENCH_REPORT_ROUNDS"] ?? 3);
/** As many as fit into a month of 10,000. */
const STEP = "4 minutes";
const DAY_MS = 86_400_000;
const MOST_MS = 10_000;
const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const MONTH = `from=${day(Date.now() - 32 * DAY_MS)}&to=${day(Date.now())}`;

const asked = [
  ["rows by site", `/reports/performance?${MONTH}&by=site`],
  ["by site as CSV", `/reports/performance/download?${MONTH}&by=site&format=csv`],
  ["calls as CSV", `/reports/performance/download?${MONTH}&by=dispatch_site&format=csv`],
  ["calls as Parquet", `/reports/performance/download?${MONTH}&by=dispatch_site&format=parquet`],
] as const;

/** Reports over a month of dispatches, for an operator and for one account. */
export const reports = async (cluster: BenchCluster): Promise<void> => {
  const database = await cluster.fresh("bench_reports");
  const service = await startService(database, { log: "ignore" });
  const participants: BenchParticipant[] = [];
  for (let account = 0; account < ACCOUNTS; account++)
    participants.push(await service.newParticipant(SITES / ACCOUNTS));
  await newDispatch(service, { siteIds: participants.flatMap(({ siteIds }) => siteIds) });
  await insertPast(database, { step: STEP });
  await setTerms(service);
  await database.pool.query("analyze");
  const operator = { base: `${service.url}/operator/v1`, headers: { authorization: `Bearer ${service.token}` } };
  const own = { base: `${service.url}/2022-04-15`, headers: { "x-service-api-key": participants[0]?.key ?? "" } };
  for (const [who, caller] of Object.entries({ operator, "one account": own }))
    for (const [what, path] of asked)
      await measureReport(cluster, service, { what: `${what}, ${who}`, path, ...caller });
  await service.stop();
  await database.drop();
};

/** Energy is paid: dispatches of the same time claim the energy of their sites from each other. */
const setTerms = async (service: BenchService): Promise<void> => {
  const { items } = await service.operate(operatorApi.listPrograms);
  const energy = { price_per_kwh: "1", counted: "net", highest_share: null } as const;
  const body = { currency: "USD", capacity: null, energy, penalty: null };
  const from_month = day(Date.now() - 62 * DAY_MS).slice(0, 7);
  for (const { id } of items) await service.operate(operatorApi.setTerms, { params: { id, from_month }, body });
};

interface Asking {
  readonly what: string;
  readonly base: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

const measureReport = async (
  cluster: BenchCluster,
  service: BenchService,
  { what, base, path, headers }: Asking,
): Promise<void> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const spent = counting({ service: service.pid, database: cluster.pid });
  const took: number[] = [];
  let bytes = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now();
    bytes = Buffer.concat(await received(base + path, headers, agent)).length;
    took.push(performance.now() - began);
  }
  const cpu = spent();
  agent.destroy();
  const worst = Math.max(...took);
  report(`report over a month of ${PAST} dispatches: ${what}`, {
    "median, s": figure(median(took) / 1000),
    "worst, s": atMost(worst / 1000, MOST_MS / 1000),
    MB: figure(bytes / 1e6),
    "CPU s, service": figure(cpu.service / ROUNDS),
    "CPU s, database": figure(cpu.database / ROUNDS),
    "most memory of the service so far, MB": Math.round(mostKb(service.pid) / 1024),
  });
};

const mostKb = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? Number.NaN);
