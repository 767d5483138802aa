import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { operator } from "@curtail/contract";
import pg from "pg";
import { NOTICE_CHANNEL, now } from "./commit.js";
import type { BenchCluster, BenchDatabase } from "./database.js";
import { messageOf } from "./fanout.js";
import { figure, median, percentile, report } from "./report.js";
import { type BenchService, startService } from "./service.js";

/** As many as an account may have (G34). */
const WEBHOOKS_PER_ACCOUNT = 20;
/** Notices that arrive later count as missing. */
const PATIENCE_MS = 30_000;
const TARGET_MS = 1000; // p99 (R1)

/** What the live receiver is beside. */
interface Neighbours {
  readonly words: string;
  readonly count: number;
  /** Their addresses. */
  readonly urlOf: (ports: DeadPorts, index: number) => string;
  readonly dispatches: number;
  readonly pauseMs: number;
  /** The longest that the live receiver may wait. */
  readonly mostMs: number | null;
}

type DeadPorts = Readonly<Record<"silent" | "dripping" | "refusing", number>>;

const dead: Neighbours = {
  words: "1000 dead ones",
  count: 1000,
  // A quarter of each kind, every one at its own address.
  urlOf({ silent, dripping, refusing }, index) {
    const port = [silent, dripping, refusing][index % 4];
    return port === undefined ? `http://dead-${index}.invalid/` : `http://${addressOf(index)}:${port}/`;
  },
  dispatches: 100,
  pauseMs: 500,
  mostMs: null,
};

const hanging: Neighbours = {
  words: "5000 that never answer",
  count: 5000,
  urlOf: ({ silent }, index) => `http://${addressOf(index)}:${silent}/`,
  dispatches: 200,
  pauseMs: 1000,
  mostMs: 500,
};

const addressOf = (index: number): string => `127.1.${index >> 8}.${index & 255}`;

interface Setting {
  readonly service: BenchService;
  readonly database: BenchDatabase;
  readonly live: LiveReceiver;
  readonly programId: string;
  readonly neighbours: Neighbours;
}

/** Records when each dispatch arrived, in milliseconds since 1970. */
interface LiveReceiver {
  readonly url: string;
  readonly arrivals: ReadonlyMap<string, number>;
  close(): void;
}

/** How long a live receiver waits for its notices, alone and beside others that are dead or never answer. */
export const besideDead = async (cluster: BenchCluster): Promise<void> => {
  for (const neighbours of [dead, hanging]) await beside(cluster, neighbours);
};

const beside = async (cluster: BenchCluster, neighbours: Neighbours): Promise<void> => {
  const database = await cluster.fresh("bench_beside_dead");
  const service = await startService(database);
  const live = await startLive();
  const child = fork(fileURLToPath(new URL("./dead-receivers.js", import.meta.url)));
  const ports = await messageOf<DeadPorts>(child);
  const urls = Array.from({ length: neighbours.count }, (_, index) => neighbours.urlOf(ports, index));
  const others: string[] = [];
  for (let first = 0; first < urls.length; first += WEBHOOKS_PER_ACCOUNT) {
    others.push(await subscriber(service, database, urls.slice(first, first + WEBHOOKS_PER_ACCOUNT)));
  }
  // Registered last: whatever goes by that order reaches it last.
  const alive = await subscriber(service, database, [live.url]);
  const program = { name: "Benchmark", timezone: "UTC", market: "", program_type: "capacity" as const };
  const { id: programId } = await service.operate(operator.createProgram, { body: program });
  const setting: Setting = { service, database, live, programId, neighbours };
  const alone = await latenciesMs(setting, [alive]);
  tell(neighbours, alone, await latenciesMs(setting, [alive, ...others]));
  child.disconnect();
  await service.stop();
  live.close();
  await database.drop();
};

const tell = (
  { words, dispatches, pauseMs, mostMs }: Neighbours,
  alone: readonly number[],
  beside: readonly number[],
): void => {
  const p99 = percentile(beside, 0.99);
  const most = Math.max(...beside);
  const verdict = mostMs === null ? "" : ` (target ${mostMs}${most <= mostMs ? "" : ", MISSED"})`;
  report(`one live receiver beside ${words}, ${dispatches} dispatches ${pauseMs} ms apart`, {
    "alone: commit to arrival, p50 ms": figure(median(alone)),
    "alone: commit to arrival, p99 ms": figure(percentile(alone, 0.99)),
    "beside: commit to arrival, p50 ms": figure(median(beside)),
    "beside: commit to arrival, p90 ms": figure(percentile(beside, 0.9)),
    "beside: commit to arrival, p99 ms": `${figure(p99)} (target ${TARGET_MS}${p99 <= TARGET_MS ? "" : ", MISSED"})`,
    "beside: commit to arrival, longest ms": `${figure(most)}${verdict}`,
    "ratio of p99, beside to alone": figure(p99 / percentile(alone, 0.99)),
    [`beside: not there after ${PATIENCE_MS / 1000} s`]: beside.filter((each) => !Number.isFinite(each)).length,
  });
};

/** From the commit of each dispatch to its arrival; infinite for those that did not arrive in time. */
const latenciesMs = async (setting: Setting, siteIds: readonly string[]): Promise<number[]> => {
  const { database, live } = setting;
  const { dispatches, pauseMs } = setting.neighbours;
  const listener = new pg.Client(database.url);
  await listener.connect();
  await listener.query(`listen ${NOTICE_CHANNEL}`);
  const commits = new Map<string, number>();
  const firstMs = now();
  for (let index = 0; index < dispatches; index++) {
    await sleep(Math.max(0, firstMs + index * pauseMs - now()));
    // At the commit, when the service notifies its workers.
    const committed = once(listener, "notification").then(now);
    commits.set(await dispatched(setting, siteIds), await committed);
  }
  await listener.end();
  const isThere = (): boolean => [...commits.keys()].every((id) => live.arrivals.has(id));
  for (const endMs = now() + PATIENCE_MS; !isThere() && now() < endMs; ) await sleep(50);
  return [...commits].map(([id, commitMs]) => (live.arrivals.get(id) ?? Number.POSITIVE_INFINITY) - commitMs);
};

const dispatched = async ({ service, programId }: Setting, siteIds: readonly string[]): Promise<string> => {
  const start_time = new Date(now() + 3_600_000).toISOString();
  const sites = siteIds.map((site_id) => ({ site_id }));
  return (await service.operate(operator.createDispatch, { body: { program_id: programId, start_time, sites } })).id;
};

/**
 * Creates an account with one site and webhooks by SQL, because a dead webhook cannot be registered; returns the site's
 * id.
 */
const subscriber = async (service: BenchService, { pool }: BenchDatabase, urls: readonly string[]): Promise<string> => {
  const { siteIds } = await service.newParticipant(1);
  const [siteId = ""] = siteIds;
  await pool.query(
    `insert into webhooks (id, account_id, url, events, secret, created_at)
     select 'wh_' || gen_random_uuid(), account_id, url, '{dispatch.create}', $2, now()
     from unnest($3::text[]) as url, sites where sites.id = $1`,
    [siteId, `whsec_${Buffer.alloc(32, 7).toString("base64")}`, urls],
  );
  return siteId;
};

const startLive = async (): Promise<LiveReceiver> => {
  const arrivals = new Map<string, number>();
  const take = async (request: IncomingMessage): Promise<void> => {
    const atMs = now();
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const { resource } = JSON.parse(text) as { resource: string };
    const id = resource.split("/").at(-1) ?? "";
    if (!arrivals.has(id)) arrivals.set(id, atMs);
  };
  const server = createServer((request, response) => void take(request).then(() => response.writeHead(200).end()));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  // By name, so that it has to be resolved like those that do not.
  return { url: `http://localhost:${port}/`, arrivals, close: () => server.close() };
};
