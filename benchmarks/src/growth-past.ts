import { performance } from "node:perf_hooks";
import { operator } from "@curtail/contract";
import { Agent, request } from "undici";
import type { BenchCluster, BenchDatabase } from "./database.js";
import { atMost, figure, percentile, report } from "./report.js";
import { type BenchParticipant, type BenchService, startService } from "./service.js";

/** Past dispatches of one account: use BENCH_GROWTH_PAST=0,30000 for a shorter run. */
const PAST = (process.env["BENCH_GROWTH_PAST"] ?? "0,30000,300000").split(",").map(Number);
const SITES = 20;
const SITES_OF_A_DISPATCH = 6;
const POLLS = 200;
/** For connections, memory and compiling. */
const WARM_UP = 40;
const FLAT = 1.5;

const WHO = ["a brand-new account", "the account of the past"] as const;
type Who = (typeof WHO)[number];

/** What a poll costs that has to ask the database, since something changed, while one account's past grows. */
export const growthOfPast = async (cluster: BenchCluster): Promise<void> => {
  const database = await cluster.fresh("bench_growth_past");
  // Its alarms are about the account whose dispatch is changed, which nothing tells of it.
  const service = await startService(database, {
    settings: { CURTAIL_RATE_LIMIT_DISPATCHES: "100000000" },
    log: "ignore",
  });
  const large = await service.newParticipant(SITES);
  const change = await changing(service, large);
  const costs: Array<ReadonlyMap<Who, number>> = [];
  let stored = 0;
  for (const count of PAST) {
    await addPast(database, large, { from: stored + 1, to: count });
    stored = count;
    const polling = { "a brand-new account": await service.newParticipant(1), "the account of the past": large };
    const measured = new Map<Who, number>();
    for (const who of WHO) measured.set(who, await pollsOf(service, change, polling[who]));
    costs.push(measured);
  }
  for (const who of WHO)
    tell(
      who,
      costs.map((each) => each.get(who) ?? Number.NaN),
    );
  await service.stop();
  await database.drop();
};

/** A dispatch of another account; each call changes it, so that nobody's list is known any more. */
const changing = async (service: BenchService, { siteIds }: BenchParticipant): Promise<() => Promise<void>> => {
  const program = await service.operate(operator.createProgram, {
    body: { name: "Past", timezone: "America/Chicago", market: "ERCOT", program_type: "capacity" },
  });
  const enrol = (siteId: string) =>
    service.operate(operator.enrolSite, { params: { id: program.id, site_id: siteId }, body: { commitment: 20 } });
  for (const siteId of siteIds) await enrol(siteId);
  const other = await service.newParticipant(1);
  await enrol(other.siteIds[0] ?? "");
  const start = Date.now() + 3_600_000;
  const at = (ms: number) => `${new Date(start + ms).toISOString().slice(0, 19)}Z`;
  const { id } = await service.operate(operator.createDispatch, {
    body: {
      program_id: program.id,
      start_time: at(0),
      end_time: at(3_600_000),
      sites: [{ site_id: other.siteIds[0] ?? "" }],
    },
  });
  let seconds = 0;
  return async () => {
    const end_time = at(3_600_000 + ++seconds * 1000);
    await service.operate(operator.changeDispatch, { params: { id }, body: { end_time } });
  };
};

/** Milliseconds of the median poll. */
const pollsOf = async (
  service: BenchService,
  change: () => Promise<void>,
  { key }: BenchParticipant,
): Promise<number> => {
  const dispatcher = new Agent({ connections: 1 });
  const latenciesMs: number[] = [];
  for (let poll = -WARM_UP; poll < POLLS; poll++) {
    await change();
    const from = performance.now();
    await polled(service, key, dispatcher);
    if (poll >= 0) latenciesMs.push(performance.now() - from);
  }
  await dispatcher.close();
  return percentile(latenciesMs, 0.5);
};

const polled = async ({ url }: BenchService, key: string, dispatcher: Agent): Promise<void> => {
  const headers = { "x-service-api-key": key };
  const { statusCode, body } = await request(`${url}/2022-04-15/dispatches`, { headers, dispatcher });
  await body.dump();
  if (statusCode !== 200) throw new Error(`a poll answered ${statusCode}`);
};

/** Dispatches of two years that are over, with their sites, revisions, notices and versions. */
const addPast = async (
  { pool }: BenchDatabase,
  { accountId }: BenchParticipant,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> => {
  const client = await pool.connect();
  await client.query("set session_replication_role = replica");
  await client.query(
    `with past as (
       insert into dispatches (id, program_id, program_name, program_timezone, program_market, program_type, test, authorized,
         start_time, end_time, notification_time, modification_number, created_at, changed_at, called_sites, called_kw)
       select 'dis_past_' || n, program.id, 'Past', 'America/Chicago', 'ERCOT', 'capacity', false, true, at, at + interval '1 hour',
         at - interval '1 hour', 0, at - interval '1 hour', at - interval '1 hour', ${SITES_OF_A_DISPATCH}, 120
       from generate_series($2::int, $3::int) as n
       cross join (select id from programs where name = 'Past') as program
       cross join lateral (select now() - interval '2 days' - n * interval '3 minutes') as times (at)
       returning id, start_time, end_time, created_at
     ), revision as (
       insert into dispatch_revisions (dispatch_id, modification_number, at, actor, start_time, end_time, authorized)
       select id, 0, created_at, 'operator', start_time, end_time, true from past
     ), notice as (
       insert into notices (dispatch_id, event, due_at, state, noted_at)
       select id, 'dispatch.create', created_at, 'sent', created_at from past
     ), version as (
       insert into performance_versions (dispatch_id, version, at, reason) select id, 1, end_time, 'complete' from past
     )
     insert into dispatch_sites (dispatch_id, position, site_id, account_id, name, customer_location_id, dispatch_group, commitment_kw)
     select past.id, position, called.id, $1, called.name, '', '', 20
     from past cross join (
       select row_number() over (order by seq) as position, id, name from sites where account_id = $1 order by seq
       limit ${SITES_OF_A_DISPATCH}
     ) as called`,
    [accountId, from, to],
  );
  await client.query("set session_replication_role = origin");
  client.release();
  await pool.query("vacuum analyze");
};

const tell = (who: Who, ms: readonly number[]): void => {
  const most = Math.max(...ms) / Math.min(...ms);
  report(`a poll after a change by ${who}, with ${PAST.join(", ")} past dispatches`, {
    "p50 ms": ms.map(figure).join(", "),
    "most to least": atMost(most, FLAT),
  });
};
