import { type ChildProcess, fork } from "node:child_process";
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

const DEAD = 1000;
const DISPATCHES = 100;
const PAUSE_MS = 500;
/** Notices that arrive later count as missing. */
const PATIENCE_MS = 30_000;
const TARGET_MS = 1000; // p99 (R1)

interface Setting {
  readonly service: BenchService;
  readonly database: BenchDatabase;
  readonly live: LiveReceiver;
  readonly programId: string;
}

/** Records when each dispatch arrived, in milliseconds since 1970. */
interface LiveReceiver {
  readonly url: string;
  readonly arrivals: ReadonlyMap<string, number>;
  close(): void;
}

/** How long a live receiver waits for its notices, alone and beside a thousand dead ones. */
export const besideDead = async (cluster: BenchCluster): Promise<void> => {
  const database = await cluster.fresh("bench_beside_dead");
  const service = await startService(database);
  const live = await startLive();
  const { child, urls } = await startDead();
  const [alive, dead] = [await subscriber(service, database, [live.url]), await subscriber(service, database, urls)];
  const program = { name: "Benchmark", timezone: "UTC", market: "", program_type: "capacity" as const };
  const { id: programId } = await service.operate(operator.createProgram, { body: program });
  const setting: Setting = { service, database, live, programId };
  const alone = await latenciesMs(setting, [alive]);
  const beside = await latenciesMs(setting, [alive, dead]);
  tell(alone, beside);
  child.disconnect();
  await service.stop();
  live.close();
  await database.drop();
};

const tell = (alone: readonly number[], beside: readonly number[]): void => {
  const p99 = percentile(beside, 0.99);
  report(`one live receiver beside ${DEAD} dead ones, ${DISPATCHES} dispatches ${PAUSE_MS} ms apart`, {
    "alone: commit to arrival, p50 ms": figure(median(alone)),
    "alone: commit to arrival, p99 ms": figure(percentile(alone, 0.99)),
    "beside: commit to arrival, p50 ms": figure(median(beside)),
    "beside: commit to arrival, p90 ms": figure(percentile(beside, 0.9)),
    "beside: commit to arrival, p99 ms": `${figure(p99)} (target ${TARGET_MS}${p99 <= TARGET_MS ? "" : ", MISSED"})`,
    "ratio of p99, beside to alone": figure(p99 / percentile(alone, 0.99)),
    [`beside: not there after ${PATIENCE_MS / 1000} s`]: beside.filter((each) => !Number.isFinite(each)).length,
  });
};

/** From the commit of each dispatch to its arrival; infinite for those that did not arrive in time. */
const latenciesMs = async (setting: Setting, siteIds: readonly string[]): Promise<number[]> => {
  const { database, live } = setting;
  const listener = new pg.Client(database.url);
  await listener.connect();
  await listener.query(`listen ${NOTICE_CHANNEL}`);
  const commits = new Map<string, number>();
  const firstMs = now();
  for (let index = 0; index < DISPATCHES; index++) {
    await sleep(Math.max(0, firstMs + index * PAUSE_MS - now()));
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

/** A quarter of each kind, every one at its own address. */
const startDead = async (): Promise<{ child: ChildProcess; urls: string[] }> => {
  const child = fork(fileURLToPath(new URL("./dead-receivers.js", import.meta.url)));
  const { silent, dripping, refusing } = await messageOf<Record<"silent" | "dripping" | "refusing", number>>(child);
  const sorts = [silent, dripping, refusing].map((port) => (host: string) => `http://${host}:${port}/`);
  const urls = Array.from({ length: DEAD }, (_, index) => {
    const urlOf = sorts[index % (sorts.length + 1)];
    return urlOf === undefined ? `http://dead-${index}.invalid/` : urlOf(`127.1.${index >> 8}.${index & 255}`);
  });
  return { child, urls };
};
