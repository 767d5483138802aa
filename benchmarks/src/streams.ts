import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { operator } from "@curtail/contract";
import { listenForCommit, now } from "./commit.js";
import type { BenchCluster } from "./database.js";
import { counting, type Spent, spentLines } from "./parts.js";
import { figure, median, percentile, report } from "./report.js";
import { type BenchParticipant, type BenchService, startService } from "./service.js";

const STREAMS = 1000;
const ROUNDS = 10;
/** For compiling. */
const WARM_UP_ROUNDS = 2;
/** Keys are made by this many at a time. */
const AT_ONCE = 8;

interface Round {
  /** From the commit to each event, in milliseconds. */
  readonly latenciesMs: readonly number[];
  readonly spent: Spent;
}

/** One dispatch for 1,000 accounts that each have a stream open. */
export const streams = async (cluster: BenchCluster): Promise<void> => {
  const database = await cluster.fresh("bench_streams");
  // Accounts without contacts are not what is measured; the log has a line for each.
  const service = await startService(database, { log: "ignore" });
  const participants = await newParticipants(service);
  const readers = await Promise.all(participants.map(({ key }) => openReader(service.url, key)));
  const program = { name: "Benchmark", timezone: "UTC", market: "", program_type: "capacity" as const };
  const { id: program_id } = await service.operate(operator.createProgram, { body: program });
  const sites = participants.flatMap(({ siteIds }) => siteIds.map((site_id) => ({ site_id })));
  const rounds: Round[] = [];
  for (let index = 0; index < WARM_UP_ROUNDS + ROUNDS; index++) {
    const spent = counting({ service: service.pid, database: cluster.pid, load: process.pid });
    const arrivals = Promise.all(readers.map((reader) => reader.next()));
    const commit = await listenForCommit(database);
    const start_time = new Date(Date.now() + 3_600_000).toISOString();
    await service.operate(operator.createDispatch, { body: { program_id, start_time, sites } });
    const [committedMs, arrived] = await Promise.all([commit.committed, arrivals]);
    await commit.end();
    if (index >= WARM_UP_ROUNDS)
      rounds.push({ latenciesMs: arrived.map((atMs) => atMs - committedMs), spent: spent() });
  }
  for (const reader of readers) reader.close();
  tell(rounds);
  await service.stop();
  await database.drop();
};

const newParticipants = async (service: BenchService): Promise<BenchParticipant[]> => {
  const made: BenchParticipant[] = [];
  while (made.length < STREAMS) {
    made.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => service.newParticipant(1)))));
  }
  return made.slice(0, STREAMS);
};

interface Reader {
  /** When the next event has arrived. */
  next(): Promise<number>;
  close(): void;
}

/** A stream after its snapshot. */
const openReader = async (url: string, key: string): Promise<Reader> => {
  const request = get(`${url}/2022-04-15/dispatches/stream`, { agent: false, headers: { "x-service-api-key": key } });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`a stream was answered ${response.statusCode}`);
  let text = "";
  let told: ((atMs: number) => void) | undefined;
  response.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    if (blocks.some((block) => block.includes("event: "))) told?.(now());
  });
  const next = (): Promise<number> => new Promise((resolve) => (told = resolve));
  await next();
  return { next, close: () => void request.destroy() };
};

const tell = (rounds: readonly Round[]): void => {
  const last = rounds.map(({ latenciesMs }) => Math.max(...latenciesMs));
  const all = rounds.flatMap(({ latenciesMs }) => latenciesMs);
  report(`one dispatch over ${STREAMS} open streams`, {
    "commit to event, p50 ms": figure(median(all)),
    "commit to event, p99 ms": figure(percentile(all, 0.99)),
    "commit to last event, median of rounds, ms": figure(median(last)),
    "commit to last event, slowest round, ms": figure(Math.max(...last)),
    ...spentLines(rounds, STREAMS, "event"),
  });
};
