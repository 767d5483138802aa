import { Agent, request } from "undici";
import type { BenchDatabase } from "./database.js";
import { fillHistory } from "./history.js";
import { postReadings } from "./load.js";
import { askUntilThere, bodyOf, newDispatch } from "./measure.js";
import type { BenchParticipant, BenchService } from "./service.js";

export const SITES = Number(process.env["BENCH_OPERATIONS_SITES"] ?? 1000);
export const PAST = Number(process.env["BENCH_OPERATIONS_PAST"] ?? 10_000);
export const ACCOUNTS = 50;
const SITES_OF_A_PAST_DISPATCH = 20;
const INTERVAL_MS = 30_000;

/** Sites with ten-day baselines in a running dispatch that is measured and was read by all accounts; returns its id. */
export const newPortfolio = async (service: BenchService, database: BenchDatabase): Promise<string> => {
  const participants: BenchParticipant[] = [];
  for (let account = 0; account < ACCOUNTS; account++)
    participants.push(await service.newParticipant(SITES / ACCOUNTS));
  await fillHistory(database);
  const dispatchId = await newDispatch(service, { siteIds: participants.flatMap(({ siteIds }) => siteIds) });
  // Further back than ten-day baselines look: days of dispatches are not averaged.
  await insertPast(database, { since: "60 days" });
  const dispatcher = new Agent();
  const label = new Date(Math.floor(Date.now() / INTERVAL_MS) * INTERVAL_MS).toISOString();
  for (const { key, meterIds } of participants) {
    await postReadings(service.url, key, bodyOf(meterIds, label), dispatcher);
    await readDispatches(service, key, dispatcher);
  }
  await dispatcher.close();
  await askUntilThere(service, dispatchId);
  await database.pool.query("analyze");
  return dispatchId;
};

const readDispatches = async ({ url }: BenchService, key: string, dispatcher: Agent): Promise<void> => {
  const answer = await request(`${url}/2022-04-15/dispatches`, { headers: { "x-service-api-key": key }, dispatcher });
  await answer.body.dump();
  if (answer.statusCode !== 200) throw new Error(`a poll answered ${answer.statusCode}`);
};

/** What a list reads of the result of a site; see `SiteSummary` of the service. */
const summary = {
  commitmentKw: 20,
  baseline: { state: "final", reason: null, provisional: false },
  performance: {
    isFinal: true,
    latest: null,
    toDate: {
      cellsExpected: 120,
      cellsPresent: 120,
      coverage: 1,
      meanReductionKw: 19,
      performance: 0.95,
      deliveredKwh: 19,
      deliveredFlooredKwh: 19,
      deliveredCappedKwh: 19,
      committedKwh: 20,
      shareComplying: null,
    },
    secondsToFull: 60,
    secondsToFullHeld: 60,
    rampKwPerMinute: 20,
  },
  status: { colour: "amber", words: "below commitment" },
  rebound: null,
  compliance: null,
  format: 1,
};

/** Intervals of PostgreSQL. */
interface PastOptions {
  /** Time since the last one started. */
  readonly since?: string;
  /** From one start to the next. */
  readonly step?: string;
}

/**
 * By SQL and in one statement, so that the service never sees them without results: an hour long each. They start at whole
 * seconds, as all dispatches do.
 */
export const insertPast = ({ pool }: BenchDatabase, { since = "2 days", step = "1 hour" }: PastOptions = {}) => {
  const startOf = `date_trunc('second', now()) - interval '${since}' - n * interval '${step}'`;
  return pool.query(
    `with past as (
       insert into dispatches (id, program_id, program_name, program_timezone, program_market, program_type, test,
         authorized, start_time, end_time, notification_time, modification_number, created_at, changed_at)
       select 'dis_past_' || n, program_id, program_name, program_timezone, program_market, program_type, false,
         true, ${startOf}, ${startOf} + interval '1 hour', ${startOf}, 0, ${startOf}, ${startOf}
       from dispatches cross join generate_series(1, $1::int) as n
       returning id, end_time
     ), called as (
       insert into dispatch_sites (dispatch_id, position, site_id, account_id, name, customer_location_id,
         dispatch_group, commitment_kw)
       select 'dis_past_' || n, place, site.id, account_id, name, '', '', 20
       from generate_series(1, $1::int) as n cross join generate_series(0, $2::int - 1) as place
       join (select *, row_number() over (order by seq) - 1 as number from sites) as site
         on number = (n + place * $4::int / $2::int) % $4::int
       returning dispatch_id, site_id, account_id, name
     ), version as (
       insert into performance_versions (dispatch_id, version, at, reason) select id, 1, end_time, 'complete' from past
     ), result as (
       insert into performance_results (dispatch_id, version, site_id, summary, detail)
       select dispatch_id, 1, site_id,
         $3::jsonb || jsonb_build_object('siteId', site_id, 'accountId', account_id, 'name', name), '{}'
       from called
     )
     insert into dispatch_reads (dispatch_id, account_id, modification_number, how, at)
     select distinct dispatch_id, account_id, 0, 'polled', now() - interval '2 days' from called`,
    [PAST, SITES_OF_A_PAST_DISPATCH, JSON.stringify(summary), SITES],
  );
};
