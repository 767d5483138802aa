import { get, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { ErrorResponse } from "@curtail/client";
import { operator } from "@curtail/contract";
import { Agent } from "undici";
import { residentKb } from "./cpu.js";
import type { BenchCluster, BenchDatabase } from "./database.js";
import { fillHistory } from "./history.js";
import { postReadings } from "./load.js";
import { counting, spentLines } from "./parts.js";
import { figure, median, report } from "./report.js";
import { type BenchParticipant, type BenchService, startService } from "./service.js";

// Use BENCH_MEASURE_SITES=100,1000,10000 to see the growth; ten thousand sites need 3 GB of disk for their history.
const SITES = (process.env["BENCH_MEASURE_SITES"] ?? "100,1000").split(",").map(Number);
const UPDATES = Number(process.env["BENCH_MEASURE_UPDATES"] ?? 4);
const INTERVAL_MS = 30_000;
const HOUR_MS = 3_600_000;
const CPU_TARGET = 0.25;

/** One dispatch of many sites with 10-day baselines, a reading of every site each 30 s, and one reader. */
export const measure = async (cluster: BenchCluster): Promise<void> => {
  for (const sites of SITES) await measureSites(cluster, sites);
};

const measureSites = async (cluster: BenchCluster, sites: number): Promise<void> => {
  const database = await cluster.fresh("bench_measure");
  const first = await startService(database, { settings: KEY });
  const participant = await first.newParticipant(sites);
  await fillHistory(database);
  const fromReadings = await firstLook(cluster, first, participant);
  fromReadings.stream.close();
  await first.stop();
  const { service, made } = await profiledService(cluster, database);
  const cold = await firstLook(cluster, service, participant);
  cold.stream.close();
  const { stream, ...warm } = await firstLook(cluster, service, participant);
  const spentLater = counting({ service: service.pid, database: cluster.pid });
  const updatedFromMs = performance.now();
  const latenciesMs = await update(service, participant, stream);
  const seconds = (performance.now() - updatedFromMs) / 1000;
  const later = spentLater();
  const [own, postgres] = [later.service / seconds, later.database / seconds];
  report(`measuring ${sites} sites in one dispatch`, {
    ...linesOf("from readings", fromReadings, sites),
    ...linesOf("from profiles, service just started", cold, sites),
    ...linesOf("from profiles", warm, sites),
    "profiles, bytes a day of a site with indexes": figure(made.bytes / made.count),
    "making them, CPU µs a day of a site, service": figure((made.spent.service / made.count) * 1e6),
    "making them, CPU µs a day of a site, database": figure((made.spent.database / made.count) * 1e6),
    "from an accepted upload to the event with its last site, ms": figure(median(latenciesMs)),
    "the same, slowest": figure(Math.max(...latenciesMs)),
    "cores, service and database, uploads and all": `${(own + postgres).toFixed(3)} (target ${CPU_TARGET}${own + postgres <= CPU_TARGET ? "" : ", MISSED"})`,
    "cores, service": own.toFixed(3),
    "cores, database": postgres.toFixed(3),
    "memory of the service, MB": Math.round(residentKb(service.pid) / 1024),
  });
  stream.close();
  await service.stop();
  await database.drop();
};

interface Look {
  readonly firstMs: number;
  readonly allMs: number;
  readonly asked: number;
  /** Slowest answer to somebody else meanwhile. */
  readonly slowestMs: number;
  readonly spent: Readonly<Record<"service" | "database" | "load", number>>;
}

/** A new dispatch of all sites, until all of its numbers are there. */
export const firstLook = async (cluster: BenchCluster, service: BenchService, participant: BenchParticipant) => {
  const dispatchId = await newDispatch(service, participant);
  const began = performance.now();
  const spent = counting({ service: service.pid, database: cluster.pid });
  const stream = await watch(service, dispatchId);
  const meanwhile = slowestAnswer(service);
  const first = stream.event().then(() => performance.now() - began);
  const snapshot = first.then(() => stream.snapshot()).then(() => performance.now() - began);
  const [asked, firstMs, allMs] = await Promise.all([askUntilThere(service, dispatchId), first, snapshot]);
  return { dispatchId, stream, firstMs, allMs, asked, slowestMs: await meanwhile.stop(), spent: spent() };
};

const linesOf = (how: string, { firstMs, allMs, asked, slowestMs, spent }: Look, sites: number) => ({
  [`${how}: first numbers after s`]: figure(firstMs / 1000),
  [`${how}: numbers of all sites after s`]: figure(allMs / 1000),
  ...spentLines([{ spent }], sites, `site, ${how}`),
  [`${how}: answers meanwhile that it is being prepared`]: asked - 1,
  [`${how}: slowest answer to somebody else, ms`]: figure(slowestMs),
});

/** A service that has made the profiles of all sites, which were dispatched an hour ago. */
export const profiledService = async (cluster: BenchCluster, database: BenchDatabase) => {
  await database.pool.query("update dispatches set created_at = created_at - interval '1 hour'");
  const service = await startService(database, { settings: { ...KEY, CURTAIL_PACK_SHARE: "100" } });
  const spent = counting({ service: service.pid, database: cluster.pid });
  for (let [count, before] = [0, -1]; count === 0 || count > before; await sleep(PROFILES_STILL_MS)) {
    before = count;
    count = await profilesIn(database);
  }
  const made = { spent: spent(), count: await profilesIn(database), bytes: await bytesOfProfiles(database) };
  return { service, made };
};

/** When no profile was added for so long, all are made. */
const PROFILES_STILL_MS = 3000;
/** Each service has its own data directory. */
export const KEY = { CURTAIL_SECRETS_KEY: Buffer.alloc(32).toString("base64") };

const profilesIn = async ({ pool }: BenchDatabase): Promise<number> => {
  const { rows } = await pool.query<{ count: number }>("select count(*)::int as count from load_profiles");
  return rows[0]?.count ?? 0;
};

const bytesOfProfiles = async ({ pool }: BenchDatabase): Promise<number> => {
  await pool.query("vacuum analyze load_profiles");
  const { rows } = await pool.query<{ bytes: number }>("select pg_total_relation_size('load_profiles') as bytes");
  return Number(rows[0]?.bytes);
};

export const newDispatch = async (
  service: BenchService,
  { siteIds }: Pick<BenchParticipant, "siteIds">,
): Promise<string> => {
  const program = await service.operate(operator.createProgram, {
    body: {
      name: "Benchmark",
      timezone: "UTC",
      market: "",
      program_type: "capacity",
      baseline: { preset: "ten_of_ten" },
    },
  });
  const { id } = await service.operate(operator.createDispatch, {
    body: {
      program_id: program.id,
      // A little in the past, so that the first reading is entirely inside.
      start_time: new Date(Date.now() - 2 * INTERVAL_MS).toISOString(),
      end_time: new Date(Date.now() + 4 * HOUR_MS).toISOString(),
      sites: siteIds.map((site_id) => ({ site_id, commitment: 20 })),
    },
  });
  return id;
};

/** Requests the result, again while it is being prepared; returns the number of requests. */
export const askUntilThere = async ({ operate }: BenchService, dispatchId: string): Promise<number> => {
  for (let asked = 1; ; asked++) {
    try {
      await operate(operator.getAnyDispatchPerformance, { params: { id: dispatchId } });
      return asked;
    } catch (error) {
      if (!(error instanceof ErrorResponse && error.status === 202)) throw error;
      await sleep((error.retryAfter ?? 0) * 1000);
    }
  }
};

/** Sends a trivial request all the time: any other request waits as long. */
const slowestAnswer = ({ url }: BenchService) => {
  const stopping = new AbortController();
  const slowest = (async () => {
    let slowestMs = 0;
    while (!stopping.signal.aborted) {
      const began = performance.now();
      await (await fetch(`${url}/healthz`)).text();
      slowestMs = Math.max(slowestMs, performance.now() - began);
      await sleep(20);
    }
    return slowestMs;
  })();
  return {
    stop() {
      stopping.abort();
      return slowest;
    },
  };
};

/** Uploads a reading of every meter each 30 s; returns the time until the reader had the last of them. */
const update = async (service: BenchService, participant: BenchParticipant, stream: Watch): Promise<number[]> => {
  const dispatcher = new Agent({ connections: 1, pipelining: 1 });
  const latenciesMs: number[] = [];
  for (let index = 0; index < UPDATES; index++) {
    const nextAt = performance.now() + INTERVAL_MS;
    const label = new Date(Math.floor(Date.now() / INTERVAL_MS) * INTERVAL_MS + INTERVAL_MS).toISOString();
    await postReadings(service.url, participant.key, bodyOf(participant.meterIds, label), dispatcher);
    const accepted = performance.now();
    await stream.until(label.replace(".000", ""), participant.siteIds.length);
    latenciesMs.push(performance.now() - accepted);
    await sleep(nextAt - performance.now());
  }
  await dispatcher.close();
  return latenciesMs;
};

export const bodyOf = (meterIds: readonly string[], timestamp: string): Buffer => {
  const telemetry = meterIds.map((meter_id, index) => ({
    meter_id,
    interval_seconds: 30,
    timestamp,
    kW: 80 + (index % 40),
  }));
  return Buffer.from(JSON.stringify({ telemetry }));
};

interface Event {
  readonly sites: ReadonlyArray<{ readonly site_id: string; readonly latest: { readonly timestamp: string } | null }>;
}

interface Watch {
  event(): Promise<Event>;
  /** Waits until all sites are measured; at once if the last event had all of them. */
  snapshot(): Promise<void>;
  /** Waits until this many sites have a cell that ends then. */
  until(timestamp: string, sites: number): Promise<void>;
  close(): void;
}

const watch = async ({ url, token }: BenchService, dispatchId: string): Promise<Watch> => {
  const request = get(`${url}/operator/v1/dispatches/${dispatchId}/performance/stream`, {
    agent: false,
    headers: { authorization: `Bearer ${token}` },
  });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.on("response", resolve);
    request.on("error", reject);
  });
  const chunks = response.setEncoding("utf8")[Symbol.asyncIterator]() as AsyncIterator<string>;
  let text = "";
  let isWhole = false;
  const event = async (): Promise<Event> => {
    for (let end = text.indexOf("\n\n"); ; end = text.indexOf("\n\n")) {
      if (end < 0) {
        text += (await chunks.next()).value;
        continue;
      }
      const block = text.slice(0, end);
      text = text.slice(end + 2);
      if (!/^event: /m.test(block)) continue;
      isWhole ||= /^event: snapshot/m.test(block);
      return JSON.parse(block.slice(block.indexOf("data: ") + 6)) as Event;
    }
  };
  return {
    event,
    async snapshot() {
      // oxlint-disable-next-line no-unmodified-loop-condition -- reading an event modifies it
      while (!isWhole) await event();
    },
    async until(timestamp, sites) {
      const seen = new Set<string>();
      while (seen.size < sites) {
        for (const site of (await event()).sites) if (site.latest?.timestamp === timestamp) seen.add(site.site_id);
      }
    },
    close: () => void request.destroy(),
  };
};
