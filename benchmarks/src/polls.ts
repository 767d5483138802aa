import { participantClient } from "@curtail/client";
import { listDispatches, operator } from "@curtail/contract";
import { ownCpuSeconds } from "./cpu.js";
import type { BenchCluster } from "./database.js";
import { counting, eachPart, type Spent, spentLines } from "./parts.js";
import { figure, median, ratio, report, spread } from "./report.js";
import { type BenchParticipant, type BenchService, startService } from "./service.js";
import { requestText, type SocketLoad, sendLoad, startBare, startLoad } from "./socket-load.js";

const ACCOUNTS = 200;
const CONNECTIONS = 64;
const ROUNDS = 5;
const SECONDS = 4;
const TARGET = 0.35;

interface Round {
  readonly perSecond: number;
  readonly barePerSecond: number;
  /** Per poll. */
  readonly spent: Spent;
  readonly bareCpu: number;
}

/** GET /dispatches of 200 accounts, in turns with a bare server that answers the same bytes. */
export const polls = async (cluster: BenchCluster): Promise<void> => {
  const database = await cluster.fresh("bench_polls");
  const service = await startService(database, { settings: { CURTAIL_RATE_LIMIT_DISPATCHES: "100000000" } });
  const participants: BenchParticipant[] = [];
  for (let index = 0; index < ACCOUNTS; index++) participants.push(await service.newParticipant(1));
  await compared(cluster, service, participants, "nothing to tell");
  await issueDispatch(
    service,
    participants.flatMap(({ siteIds }) => siteIds),
  );
  await compared(cluster, service, participants, "one dispatch");
  await service.stop();
  await database.drop();
};

/** Issues a dispatch of sites that starts in an hour; returns its id. */
export const issueDispatch = async (service: BenchService, siteIds: readonly string[]): Promise<string> => {
  const program = { name: "Benchmark", timezone: "UTC", market: "", program_type: "capacity" as const };
  const { id: program_id } = await service.operate(operator.createProgram, { body: program });
  const sites = siteIds.map((site_id) => ({ site_id }));
  const start_time = new Date(Date.now() + 3_600_000).toISOString();
  return (await service.operate(operator.createDispatch, { body: { program_id, start_time, sites } })).id;
};

/** A poll of each account. */
export const pollsOf = (url: string, keys: readonly string[]): readonly string[] =>
  keys.map((key) => requestText("GET", `${url}/2022-04-15/dispatches`, { "x-service-api-key": key }));

const compared = async (
  cluster: BenchCluster,
  { url, pid }: BenchService,
  participants: readonly BenchParticipant[],
  title: string,
): Promise<void> => {
  const keys = participants.map(({ key }) => key);
  const answer = await participantClient({ url, key: keys[0] ?? "" }).send(listDispatches);
  const bare = await startBare(answer.headers, await answer.text());
  const load = startLoad();
  const orderTo = (target: string): SocketLoad => ({
    url: target,
    requests: pollsOf(target, keys),
    connections: CONNECTIONS,
    most: Number.MAX_SAFE_INTEGER,
    seconds: SECONDS,
  });
  const rounds: Round[] = [];
  let cold = 0;
  // The first round is for connections, memory and compiling; only its rate is told of.
  for (let index = -1; index < ROUNDS; index++) {
    const spent = counting({ service: pid, database: cluster.pid, load: load.pid ?? 0 });
    const polled = await sendLoad(load, orderTo(url));
    const spentPolling = spent();
    const bareBefore = ownCpuSeconds(bare.pid);
    const asked = await sendLoad(load, orderTo(bare.url));
    if (index < 0) {
      cold = polled.count / polled.seconds;
      continue;
    }
    rounds.push({
      perSecond: polled.count / polled.seconds,
      barePerSecond: asked.count / asked.seconds,
      spent: eachPart((part) => spentPolling[part] / polled.count),
      bareCpu: (ownCpuSeconds(bare.pid) - bareBefore) / asked.count,
    });
  }
  tell(title, rounds, cold);
  load.disconnect();
  bare.stop();
};

const tell = (title: string, rounds: readonly Round[], cold: number): void => {
  const of = (pick: (round: Round) => number): number => median(rounds.map(pick));
  const ratios = rounds.map((each) => each.perSecond / each.barePerSecond);
  report(`polls of ${ACCOUNTS} accounts over ${CONNECTIONS} connections, ${title}`, {
    "polls/s": Math.round(of((each) => each.perSecond)),
    "polls/s, round before these": Math.round(cold),
    "bare server, answers/s": Math.round(of((each) => each.barePerSecond)),
    ratio: ratio(median(ratios), TARGET),
    "ratio of each round": spread(ratios),
    ...spentLines(rounds, 1, "poll"),
    "CPU µs per answer, bare server": figure(of(({ bareCpu }) => bareCpu) * 1e6),
  });
};
