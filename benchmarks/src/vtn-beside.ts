import type { Client } from "undici";
import { cpuSeconds } from "./cpu.js";
import type { BenchCluster, BenchDatabase } from "./database.js";
import { figure, median, ratio, report, spread } from "./report.js";
import { type BenchService, startService } from "./service.js";
import { certify, connect, dispatchAll, insertVens, newProgram, pollAll } from "./vtn-vens.js";

const VENS = 200;
const PLANNED = 60;
const PAST = 100_000;
const ROUNDS = 20;
const WARM_UP_ROUNDS = 3;
/** Polls of each VEN in a round. */
const POLLS = 5;
const TARGET = 0.9;
const DAY_MS = 86_400_000;

interface Setting {
  readonly title: string;
  readonly prepare: (service: BenchService, database: BenchDatabase) => Promise<void>;
}

const settings: readonly Setting[] = [
  { title: "none", prepare: () => Promise.resolve() },
  { title: `${PLANNED} planned`, prepare: planned },
  { title: `${PAST} past`, prepare: past },
];

interface Round {
  readonly perSecond: number;
  readonly serviceCpu: number;
}

/** VENs without events poll beside dispatches that are planned or over, in turns with a service that has none. */
export const vtnBeside = async (cluster: BenchCluster): Promise<void> => {
  const services = [];
  for (const [index, { title, prepare }] of settings.entries()) {
    const database = await cluster.fresh(`bench_vtn_${index}`);
    const service = await startService(database);
    await insertVens(database, VENS);
    await prepare(service, database);
    const vens = connect(service.openadrUrl, await certify(service, VENS));
    services.push({ title, database, service, vens, rounds: [] as Round[] });
  }
  for (let index = -WARM_UP_ROUNDS; index < ROUNDS; index++) {
    for (const { service, vens, rounds } of services) {
      const round = await pollRound(service, vens);
      if (index >= 0) rounds.push(round);
    }
  }
  const [none] = services.map(({ rounds }) => rounds);
  for (const { title, rounds } of services) tell(title, rounds, none ?? []);
  for (const { service, database, vens } of services) {
    await Promise.all(vens.map((client) => client.destroy()));
    await service.stop();
    await database.drop();
  }
};

const pollRound = async (service: BenchService, vens: readonly Client[]): Promise<Round> => {
  const before = cpuSeconds(service.pid);
  let seconds = 0;
  for (let each = 0; each < POLLS; each++) seconds += (await pollAll(vens)).seconds;
  const polls = VENS * POLLS;
  return { perSecond: polls / seconds, serviceCpu: (cpuSeconds(service.pid) - before) / polls };
};

const tell = (title: string, rounds: readonly Round[], none: readonly Round[]): void => {
  const of = (pick: (round: Round) => number): number => median(rounds.map(pick));
  const ratios = rounds.map(({ perSecond }, index) => perSecond / (none[index]?.perSecond ?? Number.NaN));
  report(`${VENS} VENs polling without events; dispatches: ${title}`, {
    "polls/s": Math.round(of(({ perSecond }) => perSecond)),
    "ratio to none": ratio(median(ratios), TARGET),
    "ratio of each round": spread(ratios),
    "CPU µs per poll, service": figure(of(({ serviceCpu }) => serviceCpu) * 1e6),
  });
};

/** Notified a day ahead. */
async function planned(service: BenchService): Promise<void> {
  const program = await newProgram(service);
  for (let day = 2; day < PLANNED + 2; day++) {
    const startMs = Date.now() + day * DAY_MS;
    await dispatchAll(service, program, { count: VENS, startMs, notificationMs: startMs - DAY_MS });
  }
}

const at = (steps: number): string => `now() - (n + ${steps}) * interval '10 minutes'`;

/** By SQL: one every ten minutes until a day ago; each of one site. */
async function past(service: BenchService, { pool }: BenchDatabase): Promise<void> {
  const program = await newProgram(service);
  await pool.query(
    `insert into dispatches (id, program_id, program_name, program_timezone, program_market, program_type, test,
       authorized, start_time, end_time, notification_time, modification_number, created_at, changed_at)
     select 'dis_' || n, $1, '', 'UTC', '', 'capacity', false, true, ${at(160)}, ${at(154)}, ${at(160)}, 0, ${at(160)},
       ${at(160)}
     from generate_series(1, ${PAST}) as n`,
    [program],
  );
  await pool.query(
    `insert into dispatch_sites (dispatch_id, position, site_id, account_id, name, customer_location_id, dispatch_group)
     select 'dis_' || n, 0, 'site_' || n % ${VENS} + 1, 'acc_' || n % ${VENS} + 1, '', '', ''
     from generate_series(1, ${PAST}) as n`,
  );
  await pool.query("analyze");
}
