import { fork } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BenchCluster } from "./database.js";
import { counting, type Spent, spentLines } from "./parts.js";
import { figure, median, percentile, ratio, report, spread } from "./report.js";
import { type BenchService, startService } from "./service.js";
import { certify, connect, dispatchAll, insertVens, newProgram, poll, pollAll } from "./vtn-vens.js";

const VENS = 1000;
const ROUNDS = 20;
/** For handshakes, sending the event, and compiling. */
const WARM_UP_ROUNDS = 3;
const TARGET = 0.5;

interface Round {
  readonly pollsPerSecond: number;
  readonly barePerSecond: number;
  readonly latenciesMs: readonly number[];
  readonly spent: Spent;
}

/** Every VEN polls once per round over an open connection, in turns with the same request to a bare server. */
export const vtn = async (cluster: BenchCluster): Promise<void> => {
  const database = await cluster.fresh("bench_vtn");
  const service = await startService(database);
  await insertVens(database, VENS);
  await dispatchAll(service, await newProgram(service), { count: VENS, startMs: Date.now() + 1000 });
  const trust = await certify(service, VENS);
  const vens = connect(service.openadrUrl, trust);
  const [body] = await Promise.all(vens.slice(0, 1).map((ven) => poll(ven, 0)));
  if (!body?.includes("<oadr:oadrEvent>")) throw new Error(`a poll was answered without the event: ${body}`);
  const floor = await startFloor(service, trust.ca, body);
  const bare = connect(floor.url, trust);
  const rounds: Round[] = [];
  for (let index = -WARM_UP_ROUNDS; index < ROUNDS; index++) {
    const spent = counting({ service: service.pid, database: cluster.pid });
    const polled = await pollAll(vens);
    const spentPolling = spent();
    const asked = await pollAll(bare);
    if (index < 0) continue;
    rounds.push({
      pollsPerSecond: VENS / polled.seconds,
      barePerSecond: VENS / asked.seconds,
      latenciesMs: polled.latenciesMs,
      spent: spentPolling,
    });
  }
  tell(rounds);
  await Promise.all([...vens, ...bare].map((client) => client.destroy()));
  floor.stop();
  await service.stop();
  await database.drop();
};

const tell = (rounds: readonly Round[]): void => {
  const of = (pick: (round: Round) => number): number => median(rounds.map(pick));
  const latenciesMs = rounds.flatMap((each) => each.latenciesMs);
  const ratios = rounds.map((each) => each.pollsPerSecond / each.barePerSecond);
  report(`${VENS} VENs polling, one active event`, {
    "polls/s": Math.round(of((each) => each.pollsPerSecond)),
    "p50 ms": figure(median(latenciesMs)),
    "p99 ms": figure(percentile(latenciesMs, 0.99)),
    "bare server, answers/s": Math.round(of((each) => each.barePerSecond)),
    ratio: ratio(median(ratios), TARGET),
    "ratio of each round": spread(ratios),
    ...spentLines(rounds, VENS, "poll"),
  });
};

const startFloor = async (service: BenchService, authority: string, body: string) => {
  const child = fork(fileURLToPath(new URL("./vtn-floor.js", import.meta.url)));
  // The service's own key and certificate.
  const server = await readFile(join(service.dataDir, "openadr", "server.pem"), "utf8");
  child.send({ key: server, certificate: server, authority, body });
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  return { url: `https://127.0.0.1:${port}`, stop: () => child.disconnect() };
};
