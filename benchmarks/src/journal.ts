import pg from "pg";
import type { BenchCluster, BenchDatabase } from "./database.js";
import { figure, median, ratio, report, spread } from "./report.js";
import { startService } from "./service.js";

const WRITERS = 8;
const ROUND_MS = 3000;
const ROUNDS = 5;
/** Of the commits without an entry of the journal. */
const TARGET = 0.9;

const AUDITED = `insert into audit_log (at, actor, action, subject, account_id, before, after)
  values (now(), 'service', 'account.change', $1, $1, null, '{"name": "Benchmark"}')`;
const ENTRY = "insert into journal (at, kind, subject, accounts) values (now(), 'account.change', $1, array[$1])";

/** What a change commits beside its own rows. */
const ways = {
  "audit entry alone": [AUDITED],
  "audit entry and entry of the journal": [`with logged as (${AUDITED}) ${ENTRY}`],
  "audit entry and a stamp that all share, as before the journal": [
    "begin",
    AUDITED,
    "update bench_stamp set stamp = gen_random_uuid() where $1 <> ''",
    "commit",
  ],
} satisfies Record<string, readonly string[]>;

/** Commits a second of eight writers, while a service reads the journal. */
export const journal = async (cluster: BenchCluster): Promise<void> => {
  const database = await cluster.fresh("bench_journal");
  const service = await startService(database);
  await database.pool.query(
    "create table bench_stamp (stamp uuid); insert into bench_stamp values (gen_random_uuid())",
  );
  const clients = await Promise.all(Array.from({ length: WRITERS }, () => connected(database)));
  const rates = new Map<string, number[]>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, statements] of Object.entries(ways))
      rates.set(name, [...(rates.get(name) ?? []), await commitsPerSecond(clients, statements)]);
  }
  const [alone = [], withEntry = []] = [...rates.values()];
  report(`commits a second of ${WRITERS} writers`, {
    ...Object.fromEntries(
      [...rates].map(([name, each]) => [name, `${figure(median(each))} (rounds: ${spread(each)})`]),
    ),
    "ratio with an entry": ratio(median(withEntry) / median(alone), TARGET),
  });
  await Promise.all(clients.map((client) => client.end()));
  await service.stop();
  await database.drop();
};

const connected = async ({ url }: BenchDatabase): Promise<pg.Client> => {
  const client = new pg.Client(url);
  await client.connect();
  return client;
};

const commitsPerSecond = async (clients: readonly pg.Client[], statements: readonly string[]): Promise<number> => {
  const startedMs = performance.now();
  let commits = 0;
  const write = async (client: pg.Client, index: number): Promise<void> => {
    while (performance.now() - startedMs < ROUND_MS) {
      for (const text of statements)
        await client.query({ name: text.slice(0, 60), text, values: text.includes("$1") ? [`acc_${index}`] : [] });
      commits += 1;
    }
  };
  await Promise.all(clients.map(write));
  return (commits / (performance.now() - startedMs)) * 1000;
};
