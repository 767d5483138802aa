import { setTimeout as sleep } from "node:timers/promises";
import { operator } from "@curtail/contract";
import type { BenchCluster, BenchDatabase } from "./database.js";
import { accountsWithKeys } from "./many-accounts.js";
import { counting, eachPart, type Spent, spentLines } from "./parts.js";
import { issueDispatch, pollsOf } from "./polls.js";
import { atMost, figure, median, report, spread } from "./report.js";
import { startService } from "./service.js";
import { type SocketLoad, sendLoad, startLoad } from "./socket-load.js";

const ACCOUNTS = Number(process.env["BENCH_ACCOUNTS"] ?? 10_000);
const CONNECTIONS = 64;
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 5);
/** By then the service has done all that a change of the dispatch asks of it, besides polls. */
const SETTLING_MS = 5000;
const MOST_TIMES = 2;

/** Seconds of the processor for a poll, in one round. */
interface Round {
  readonly unchanged: Spent;
  readonly changed: Spent;
  /** Until all have polled. */
  readonly seconds: number;
}

/** Every account polls once after a dispatch of all of them was changed, in turns with a poll of each that finds nothing new. */
export const pollsAfterChange = async (cluster: BenchCluster): Promise<void> => {
  const database = await cluster.fresh("bench_polls_changed");
  const service = await startService(database, { settings: { CURTAIL_RATE_LIMIT_DISPATCHES: "100000000" } });
  const keys = await accountsWithKeys(service, ACCOUNTS);
  const id = await issueDispatch(service, await sitesOf(database, [...keys.keys()]));
  const load = startLoad();
  const spending = () => counting({ service: service.pid, database: cluster.pid, load: load.pid ?? 0 });
  const pollAll = () => sendLoad(load, orderOf(service.url, [...keys.values()]));
  const change = async (hours: number): Promise<void> => {
    const end_time = new Date(Date.now() + hours * 3_600_000).toISOString();
    await service.operate(operator.changeDispatch, { params: { id }, body: { end_time } });
  };
  const rounds: Round[] = [];
  // The first round is for connections, memory and compiling.
  for (let index = -1; index < ROUNDS; index++) {
    await pollAll();
    const unchanged = await spentIn(spending, pollAll);
    const changing = await spentIn(spending, () => change(3 + 2 * index + 1));
    await pollAll();
    let seconds = 0;
    const both = await spentIn(spending, async () => {
      await change(3 + 2 * index + 2);
      ({ seconds } = await pollAll());
    });
    if (index < 0) continue;
    rounds.push({
      unchanged: eachPart((part) => unchanged[part] / ACCOUNTS),
      changed: eachPart((part) => (both[part] - changing[part]) / ACCOUNTS),
      seconds,
    });
  }
  tell(rounds);
  load.disconnect();
  await service.stop();
  await database.drop();
};

/** What is spent on some work, and on what follows from it. */
const spentIn = async (spending: () => () => Spent, work: () => Promise<unknown>): Promise<Spent> => {
  const spent = spending();
  await work();
  await sleep(SETTLING_MS);
  return spent();
};

/** One of each account. */
const sitesOf = async ({ pool }: BenchDatabase, accountIds: readonly string[]): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ id: string }>(
    `insert into sites (id, account_id, name, customer_location_id, dispatch_group, timezone, created_at)
     select 'site_' || substr(md5(id), 1, 16), id, 'Site', '', '', 'UTC', now() from unnest($1::text[]) as accounts (id) returning id`,
    [accountIds],
  );
  await pool.query("select note_change('site.create', '')");
  await pool.query("vacuum analyze");
  return rows.map(({ id }) => id);
};

const orderOf = (url: string, keys: readonly string[]): SocketLoad => ({
  url,
  requests: pollsOf(url, keys),
  connections: CONNECTIONS,
  most: keys.length,
  seconds: 600,
});

const tell = (rounds: readonly Round[]): void => {
  const times = rounds.map(({ unchanged, changed }) => without(changed) / without(unchanged));
  report(`polls of ${ACCOUNTS} accounts after a change of a dispatch of all`, {
    ...spentLines(
      rounds.map(({ unchanged: spent }) => ({ spent })),
      1,
      "unchanged poll",
    ),
    ...spentLines(
      rounds.map(({ changed: spent }) => ({ spent })),
      1,
      "poll after the change",
    ),
    times: atMost(median(times), MOST_TIMES),
    "times of each round": spread(times),
    "all have polled after, s": figure(median(rounds.map(({ seconds }) => seconds))),
  });
};

/** The load does the same for both. */
const without = ({ service, database }: Spent): number => service + database;
