import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { participantClient } from "@curtail/client";
import { listDispatches, operator } from "@curtail/contract";
import { cpuSeconds } from "./cpu.js";
import type { BenchCluster } from "./database.js";
import type { PollLoad, PollsSent } from "./poll-load.js";
import { figure, median, ratio, report } from "./report.js";
import { type BenchParticipant, type BenchService, startService } from "./service.js";

const ACCOUNTS = 200;
const CONNECTIONS = 64;
const ROUNDS = 5;
const SECONDS = 4;
const TARGET = 0.35;

/** What takes part, whose processor time is counted. */
const PARTS = ["service", "database", "load"] as const;
type Part = (typeof PARTS)[number];

interface Round {
  readonly perSecond: number;
  readonly barePerSecond: number;
  /** Seconds of the processor per poll. */
  readonly cpu: Readonly<Record<Part, number>>;
  readonly bareCpu: number;
}

/** GET /dispatches of 200 accounts, in turns with a bare server that answers the same bytes. */
export const polls = async (cluster: BenchCluster): Promise<void> => {
  const database = await cluster.fresh("bench_polls");
  const service = await startService(database, { settings: { CURTAIL_RATE_LIMIT_DISPATCHES: "100000000" } });
  const participants: BenchParticipant[] = [];
  for (let index = 0; index < ACCOUNTS; index++) participants.push(await service.newParticipant(1));
  await compared(cluster, service, participants, "nothing to tell");
  await issue(service, participants);
  await compared(cluster, service, participants, "one dispatch");
  await service.stop();
  await database.drop();
};

const issue = async (service: BenchService, participants: readonly BenchParticipant[]): Promise<void> => {
  const program = { name: "Benchmark", timezone: "UTC", market: "", program_type: "capacity" as const };
  const { id: program_id } = await service.operate(operator.createProgram, { body: program });
  const sites = participants.flatMap(({ siteIds }) => siteIds.map((site_id) => ({ site_id })));
  const start_time = new Date(Date.now() + 3_600_000).toISOString();
  await service.operate(operator.createDispatch, { body: { program_id, start_time, sites } });
};

const compared = async (
  cluster: BenchCluster,
  { url, pid }: BenchService,
  participants: readonly BenchParticipant[],
  title: string,
): Promise<void> => {
  const keys = participants.map(({ key }) => key);
  const answer = await participantClient({ url, key: keys[0] ?? "" }).send(listDispatches);
  const bare = await startBare(answer.headers, await answer.text());
  const load = fork(fileURLToPath(new URL("./poll-load.js", import.meta.url)));
  const rounds: Round[] = [];
  // The first round is for connections, memory and compiling.
  for (let index = -1; index < ROUNDS; index++) {
    const pids = { service: pid, database: cluster.pid, load: load.pid ?? 0 };
    const before = PARTS.map((part) => cpuSeconds(pids[part]));
    const polled = await sent(load, { url, keys, connections: CONNECTIONS, seconds: SECONDS });
    const after = PARTS.map((part) => cpuSeconds(pids[part]));
    const bareBefore = cpuSeconds(bare.pid);
    const asked = await sent(load, { url: bare.url, keys, connections: CONNECTIONS, seconds: SECONDS });
    if (index < 0) continue;
    const spent = PARTS.map((part, at) => [part, ((after[at] ?? 0) - (before[at] ?? 0)) / polled.count] as const);
    rounds.push({
      perSecond: polled.count / polled.seconds,
      barePerSecond: asked.count / asked.seconds,
      cpu: Object.fromEntries(spent) as Round["cpu"],
      bareCpu: (cpuSeconds(bare.pid) - bareBefore) / asked.count,
    });
  }
  tell(title, rounds);
  load.disconnect();
  bare.stop();
};

const tell = (title: string, rounds: readonly Round[]): void => {
  const of = (pick: (round: Round) => number): number => median(rounds.map(pick));
  const ratios = rounds.map((each) => each.perSecond / each.barePerSecond);
  report(`polls of ${ACCOUNTS} accounts over ${CONNECTIONS} connections, ${title}`, {
    "polls/s": Math.round(of((each) => each.perSecond)),
    "bare server, answers/s": Math.round(of((each) => each.barePerSecond)),
    ratio: ratio(median(ratios), TARGET),
    "ratio of each round": ratios.map(figure).join(" "),
    "CPU µs per poll, service": figure(of(({ cpu }) => cpu.service) * 1e6),
    "CPU µs per poll, database": figure(of(({ cpu }) => cpu.database) * 1e6),
    "CPU µs per poll, load": figure(of(({ cpu }) => cpu.load) * 1e6),
    "CPU µs per answer, bare server": figure(of(({ bareCpu }) => bareCpu) * 1e6),
  });
};

const sent = async (load: ReturnType<typeof fork>, order: PollLoad): Promise<PollsSent> => {
  load.send(order);
  const [result] = (await once(load, "message")) as [PollsSent];
  return result;
};

const startBare = async (headers: Headers, body: string) => {
  const child = fork(fileURLToPath(new URL("./polls-floor.js", import.meta.url)));
  child.send({ headers: [...headers].filter(([name]) => !["connection", "date", "keep-alive"].includes(name)), body });
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, stop: () => child.disconnect() };
};
