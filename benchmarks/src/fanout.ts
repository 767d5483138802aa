import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { operator } from "@curtail/contract";
import { sendWebhook } from "@curtail/server/send-webhook";
import { webhookClient } from "@curtail/server/webhook-client";
import { Agent, request } from "undici";
import { listenForCommit, now } from "./commit.js";
import type { BenchCluster, BenchDatabase } from "./database.js";
import { counting, type Spent, spentLines } from "./parts.js";
import { figure, median, percentile, ratio, report, spread } from "./report.js";
import { type BenchService, startService } from "./service.js";

interface Fanout {
  readonly webhooks: number;
  readonly rounds: number;
  readonly target: number;
}

export const thousand: Fanout = { webhooks: 1000, rounds: 15, target: 0.5 };
export const many: Fanout = { webhooks: 10_000, rounds: 5, target: 0.5 };

/** As many as an account may have (G34). */
const WEBHOOKS_PER_ACCOUNT = 20;
const RECEIVERS = 16;
/** For the HTTP library alone: enough for all concurrent requests, as many as the worker of packages/server has. */
const CONNECTIONS_PER_ORIGIN = 128;
const CONCURRENCY = 2048;
const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
/** For connecting and compiling. */
const WARM_UP_ROUNDS = 3;
/** Between looks whether all is recorded, whose processor time counts as that of the database. */
const LOOK_MS = 20;

interface Receivers {
  readonly urls: readonly string[];
  readonly pid: number;
  /** Counts from now on. `arrivals` resolves to the arrival times of `count` requests, in milliseconds since 1970. */
  expect(count: number): Promise<{ readonly arrivals: Promise<readonly number[]> }>;
  stop(): void;
}

interface Round {
  /** From the operator's request to the last arrival. */
  readonly seconds: number;
  readonly commitSeconds: number;
  readonly bareSeconds: number;
  readonly librarySeconds: number;
  readonly latenciesMs: readonly number[];
  readonly spent: Spent;
}

/** Notifies all webhooks of one dispatch, in turns with bare loops that post the same bodies to the same receivers. */
export const fanout = async (cluster: BenchCluster, { webhooks, rounds: count, target }: Fanout): Promise<void> => {
  const database = await cluster.fresh("bench_fanout");
  const service = await startService(database);
  const receivers = await startReceivers();
  const siteIds = await insertSubscribers(database, webhooks, receivers.urls);
  const program = { name: "Benchmark", timezone: "UTC", market: "", program_type: "capacity" as const };
  const { id: programId } = await service.operate(operator.createProgram, { body: program });
  const setting: Setting = { cluster, database, service, receivers, siteIds, programId, webhooks };
  const first = await round(setting);
  for (let index = 1; index < WARM_UP_ROUNDS; index++) await round(setting);
  const rounds: Round[] = [];
  for (let index = 0; index < count; index++) rounds.push(await round(setting));
  tell(`fan-out to ${webhooks} webhooks`, { first, rounds }, { webhooks, target });
  receivers.stop();
  await service.stop();
  await database.drop();
};

interface Measured {
  /** The first round after the start. */
  readonly first: Round;
  readonly rounds: readonly Round[];
}

const tell = (title: string, { first, rounds }: Measured, { webhooks, target }: Omit<Fanout, "rounds">): void => {
  const of = (pick: (round: Round) => number): number => median(rounds.map(pick));
  const latenciesMs = rounds.flatMap((each) => each.latenciesMs);
  report(title, {
    "request to last 200, ms": figure(of((each) => each.seconds * 1000)),
    "of it request to commit, ms": figure(of((each) => each.commitSeconds * 1000)),
    "of it commit to first arrival, ms": figure(of((each) => Math.min(...each.latenciesMs))),
    "webhooks/s": Math.round(of((each) => webhooks / each.seconds)),
    "bare loop, webhooks/s": Math.round(of((each) => webhooks / each.bareSeconds)),
    ratio: ratio(
      of((each) => each.bareSeconds / each.seconds),
      target,
    ),
    "undici alone, webhooks/s": Math.round(of((each) => webhooks / each.librarySeconds)),
    "ratio to undici alone": figure(of((each) => each.librarySeconds / each.seconds)),
    "first round after the start, ms": figure(first.seconds * 1000),
    "ratio of the first round": ratio(first.bareSeconds / first.seconds, target),
    "ratio of each round": spread(rounds.map((each) => each.bareSeconds / each.seconds)),
    "commit to arrival, p50 ms": figure(median(latenciesMs)),
    "commit to arrival, p99 ms": figure(percentile(latenciesMs, 0.99)),
    ...spentLines(rounds, webhooks, "webhook"),
  });
};

interface Setting {
  readonly cluster: BenchCluster;
  readonly database: BenchDatabase;
  readonly service: BenchService;
  readonly receivers: Receivers;
  readonly siteIds: readonly string[];
  readonly programId: string;
  readonly webhooks: number;
}

const round = async (setting: Setting): Promise<Round> => {
  const { cluster, database, service, receivers, siteIds, programId, webhooks } = setting;
  const listener = await listenForCommit(database);
  const spent = counting({ service: service.pid, database: cluster.pid, load: receivers.pid });
  const { arrivals: arrived } = await receivers.expect(webhooks);
  const startMs = now();
  const start = new Date(startMs + 3_600_000).toISOString();
  const sites = siteIds.map((site_id) => ({ site_id }));
  const { id } = await service.operate(operator.createDispatch, {
    body: { program_id: programId, start_time: start, sites },
  });
  const arrivals = await arrived;
  const commitMs = await listener.committed;
  await allRecorded(database);
  const spentNotifying = spent();
  await listener.end();
  return {
    seconds: (Math.max(...arrivals) - startMs) / 1000,
    commitSeconds: (commitMs - startMs) / 1000,
    bareSeconds: await bareLoop(setting, id),
    librarySeconds: await libraryLoop(setting),
    latenciesMs: arrivals.map((at) => at - commitMs),
    spent: spentNotifying,
  };
};

const allRecorded = async ({ pool }: BenchDatabase): Promise<void> => {
  for (;;) {
    const { rows } = await pool.query<{ left: string }>(
      "select count(*) as left from messages where channel = 'webhook' and state = 'pending'",
    );
    if (Number(rows[0]?.left) === 0) return;
    await pause(LOOK_MS);
  }
};

/**
 * The service's own client, including signatures, posts the same bodies in a loop; nothing is claimed or recorded.
 * Connections are open already, as for the service after its first round.
 */
const bareLoop = async ({ receivers, webhooks }: Setting, dispatchId: string): Promise<number> => {
  const client = webhookClient({ allowedNetworks: [], allowLoopback: true, allowHttp: true });
  const post = async (url: string): Promise<void> => {
    const body = JSON.stringify({
      event: { name: "dispatch.create" },
      resource: `/2022-04-15/dispatches/${dispatchId}`,
    });
    await sendWebhook({ url, body, id: dispatchId, secrets: [SECRET], timestamp: new Date() }, { client });
  };
  await loop(receivers, webhooks, post);
  const seconds = await loop(receivers, webhooks, post);
  await client.close();
  return seconds;
};

/** The same with only the HTTP library: no signature, no guard, no time limit. */
const libraryLoop = async ({ receivers, webhooks }: Setting): Promise<number> => {
  const dispatcher = new Agent({ connections: CONNECTIONS_PER_ORIGIN });
  const body = JSON.stringify({ event: { name: "dispatch.create" }, resource: "/2022-04-15/dispatches/dis_benchmark" });
  const post = async (url: string): Promise<void> => {
    const headers = { "content-type": "application/json", "user-agent": "curtail" };
    const answer = await request(url, { method: "POST", headers, body, dispatcher });
    await answer.body.dump();
  };
  await loop(receivers, webhooks, post);
  const seconds = await loop(receivers, webhooks, post);
  await dispatcher.close();
  return seconds;
};

const loop = async (receivers: Receivers, webhooks: number, post: (url: string) => Promise<void>): Promise<number> => {
  const { arrivals: arrived } = await receivers.expect(webhooks);
  const startMs = now();
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < webhooks; index = next++) await post(addressOf(receivers.urls, index));
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return (Math.max(...(await arrived)) - startMs) / 1000;
};

const addressOf = (urls: readonly string[], index: number): string =>
  `${urls[index % urls.length] ?? ""}/hook/${index}`;

/** By SQL, because registering ten thousand takes long; returns the sites' ids, one per account. */
const insertSubscribers = async (
  { pool }: BenchDatabase,
  webhooks: number,
  urls: readonly string[],
): Promise<string[]> => {
  const count = webhooks / WEBHOOKS_PER_ACCOUNT;
  const accounts = `select 'acc_' || n as account, 'site_' || n as site from generate_series(1, ${count}) as n`;
  await pool.query(
    `insert into accounts (id, name, disabled, created_at) select account, account, false, now() from (${accounts})`,
  );
  await pool.query(
    `insert into sites (id, account_id, name, customer_location_id, dispatch_group, timezone, created_at)
     select site, account, site, '', '', 'UTC', now() from (${accounts})`,
  );
  const targets = Array.from({ length: webhooks }, (_, index) => addressOf(urls, index));
  await pool.query(
    `insert into webhooks (id, account_id, url, events, secret, created_at)
     select 'wh_' || n, 'acc_' || (n % $2) + 1, url, '{dispatch.create,dispatch.update}', $3, now()
     from unnest($1::text[]) with ordinality as given (url, n)`,
    [targets, count, SECRET],
  );
  await pool.query("analyze");
  return Array.from({ length: count }, (_, index) => `site_${index + 1}`);
};

const startReceivers = async (): Promise<Receivers> => {
  const child = fork(fileURLToPath(new URL("./fanout-receivers.js", import.meta.url)), [String(RECEIVERS)]);
  const { urls } = await messageOf<{ urls: string[] }>(child);
  return {
    urls,
    pid: child.pid ?? 0,
    async expect(count) {
      child.send({ expected: count });
      await messageOf(child);
      return { arrivals: messageOf<{ arrivals: number[] }>(child).then(({ arrivals }) => arrivals) };
    },
    stop: () => child.disconnect(),
  };
};

export const messageOf = async <T>(child: ChildProcess): Promise<T> => {
  const [message] = (await once(child, "message")) as [T];
  return message;
};
