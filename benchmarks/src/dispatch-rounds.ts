import { operator } from "@curtail/contract";
import { listenForCommit } from "./commit.js";
import type { BenchCluster, BenchDatabase } from "./database.js";
import { counting, type Spent, spentLines } from "./parts.js";
import { figure, median, percentile, report } from "./report.js";
import type { BenchService } from "./service.js";

const ROUNDS = 10;
/** For compiling. */
const WARM_UP_ROUNDS = 2;

interface Round {
  /** From the commit to each arrival, in milliseconds. */
  readonly latenciesMs: readonly number[];
  readonly spent: Spent;
}

export interface DispatchRounds {
  readonly cluster: BenchCluster;
  readonly database: BenchDatabase;
  readonly service: BenchService;
  readonly siteIds: readonly string[];
  /** When the next dispatch has arrived at each recipient. */
  readonly arrivals: () => Promise<readonly number[]>;
}

/** Creates one dispatch after another for all sites, each once the one before has arrived everywhere. */
export const dispatchRounds = async (setting: DispatchRounds): Promise<readonly Round[]> => {
  const { cluster, database, service, siteIds } = setting;
  const program = { name: "Benchmark", timezone: "UTC", market: "", program_type: "capacity" as const };
  const { id: program_id } = await service.operate(operator.createProgram, { body: program });
  const sites = siteIds.map((site_id) => ({ site_id, commitment_kw: -10 }));
  const rounds: Round[] = [];
  for (let index = 0; index < WARM_UP_ROUNDS + ROUNDS; index++) {
    const spent = counting({ service: service.pid, database: cluster.pid, load: process.pid });
    const arrivals = setting.arrivals();
    const commit = await listenForCommit(database);
    const start_time = new Date(Date.now() + 3_600_000).toISOString();
    await service.operate(operator.createDispatch, { body: { program_id, start_time, sites } });
    const [committedMs, arrived] = await Promise.all([commit.committed, arrivals]);
    await commit.end();
    if (index >= WARM_UP_ROUNDS)
      rounds.push({ latenciesMs: arrived.map((atMs) => atMs - committedMs), spent: spent() });
  }
  return rounds;
};

/** @param one what arrives: "event" */
export const tellRounds = (title: string, rounds: readonly Round[], one: string): void => {
  const last = rounds.map(({ latenciesMs }) => Math.max(...latenciesMs));
  const all = rounds.flatMap(({ latenciesMs }) => latenciesMs);
  report(title, {
    [`commit to ${one}, p50 ms`]: figure(median(all)),
    [`commit to ${one}, p99 ms`]: figure(percentile(all, 0.99)),
    [`commit to last ${one}, median of rounds, ms`]: figure(median(last)),
    [`commit to last ${one}, slowest round, ms`]: figure(Math.max(...last)),
    ...spentLines(rounds, all.length / rounds.length, one),
  });
};
