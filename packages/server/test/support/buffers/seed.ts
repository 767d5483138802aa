import { encodeDay } from "../../../src/telemetry/storage/day-block.js";

/** When everything that is seeded is over; tests go on from here. */
export const SEEDED_UNTIL = new Date("2026-06-15T12:00:00Z");

/** Sizes of a store; `whole` is two years of a large fleet. */
export interface StoreSize {
  readonly dispatches: number;
  readonly sites: number;
}
export const whole: StoreSize = { dispatches: 300_000, sites: 20_000 };
export const tenth: StoreSize = { dispatches: 30_000, sites: 2000 };

const SITES_PER_ACCOUNT = 20;
/** Dispatches of all sites, spread over the two years. */
const LARGE_DISPATCHES = 10;

/** A past dispatch of the large account. */
export const PAST_DISPATCH = "dis_29997";

/** The account of nearly all past dispatches. */
export const LARGE_ACCOUNT = "acc_1";
/** Recipient of past messages of its chat room; whoever plays gives it their own. */
export const PAST_ROOM = "adr_past";
export const SEEDED_PROGRAM = "prg_1";

/** Statements that fill a migrated database with two years that are over. */
export const seedOf = ({ dispatches, sites }: StoreSize): readonly string[] => [
  ...portfolioOf(sites),
  ...dispatched(dispatches, sites),
  ...notified(dispatches, sites),
  ...overVens(dispatches),
  ...measured(dispatches, sites),
  ...recorded(sites),
];

const UNTIL = `timestamptz '${SEEDED_UNTIL.toISOString()}'`;

/** Accounts, sites with a meter each, programs and what belongs to them. */
export const portfolioOf = (sites: number): readonly string[] => {
  const accounts = sites / SITES_PER_ACCOUNT;
  const places = `generate_series(1, ${sites}) as n`;
  return [
    `insert into accounts (id, name, disabled, created_at)
     select 'acc_' || n, 'Account ' || n, false, ${UNTIL} - interval '2 years' from generate_series(1, ${accounts}) as n`,
    `insert into sites (id, account_id, name, customer_location_id, dispatch_group, timezone, created_at)
     select 'site_' || n, 'acc_' || (n - 1) / ${SITES_PER_ACCOUNT} + 1, 'Site ' || n, 'loc-' || n, 'A', 'America/Chicago',
       ${UNTIL} - interval '2 years' from ${places}`,
    `insert into meters (id, site_id, name, asset_type, created_at)
     select 'mtr_' || n, 'site_' || n, 'main', 'poi', ${UNTIL} - interval '2 years' from ${places}`,
    `insert into programs (id, name, timezone, market, program_type, schedule_cutoff_seconds, created_at)
     select 'prg_' || n, 'Program ' || n, 'America/Chicago', 'ERCOT', 'capacity', 0, ${UNTIL} - interval '2 years'
     from generate_series(1, 3) as n`,
    `insert into enrolments (program_id, site_id, commitment_kw) select 'prg_' || n % 3 + 1, 'site_' || n, 50 from ${places}`,
    `insert into contacts (id, account_id, name, email, created_at)
     select 'con_' || n, 'acc_' || n, 'Contact ' || n, 'contact' || n || '@example.com', ${UNTIL} - interval '2 years'
     from generate_series(1, ${accounts}) as n`,
  ];
};

/** Dispatch n of all; the last ended two days ago. */
const dispatchTimes = (count: number): string => `
  select n, 'dis_' || n as id, start_time, start_time + interval '1 hour' as end_time
  from generate_series(1, ${count}) as n
  cross join lateral (
    select ${UNTIL} - interval '2 days' - (${count} - n) * (interval '728 days' / ${count}) - interval '1 hour' as start_time
  ) as times`;

const dispatched = (count: number, sites: number): readonly string[] => [
  `insert into dispatches (id, program_id, program_name, program_timezone, program_market, program_type, test, authorized,
     start_time, end_time, notification_time, modification_number, created_at, changed_at, called_sites, called_kw)
   select id, '${SEEDED_PROGRAM}', 'Program 1', 'America/Chicago', 'ERCOT', 'capacity', false, n % 50 <> 0, start_time, end_time,
     start_time - interval '1 hour', 1, start_time - interval '2 hours', start_time - interval '30 minutes', sites, sites * 50
   from (${dispatchTimes(count)}) as past
   cross join lateral (select case when n % ${count / LARGE_DISPATCHES} = 0 then ${sites} else 6 end as sites) as called`,
  `insert into dispatch_revisions (dispatch_id, modification_number, at, actor, start_time, end_time, authorized)
   select id, modification, start_time - interval '1 hour', 'operator', start_time, end_time, true
   from (${dispatchTimes(count)}) as past cross join generate_series(0, 1) as modification`,
  // Six of the large account's sites each, and now and then all sites.
  callSites(`generate_series(1, ${count}) as n cross join generate_series(1, 6) as position`, {
    site: `(n * 7 + position * 3) % ${SITES_PER_ACCOUNT} + 1`,
    when: `n % ${count / LARGE_DISPATCHES} <> 0`,
  }),
  callSites(
    `generate_series(${count / LARGE_DISPATCHES}, ${count}, ${count / LARGE_DISPATCHES}) as n
     cross join generate_series(1, ${sites}) as position`,
    { site: "position", when: "true" },
  ),
];

const callSites = (from: string, { site, when }: { readonly site: string; readonly when: string }): string =>
  `insert into dispatch_sites (dispatch_id, position, site_id, account_id, name, customer_location_id, dispatch_group, commitment_kw,
     measured_meters)
   select 'dis_' || n, position, 'site_' || site, 'acc_' || (site - 1) / ${SITES_PER_ACCOUNT} + 1, 'Site ' || site, 'loc-' || site, 'A', 50,
     array['mtr_' || site]
   from ${from} cross join lateral (select ${site} as site) as called where ${when}`;

const notified = (count: number, sites: number): readonly string[] => {
  const past = `(${dispatchTimes(count)}) as past`;
  const accounts = sites / SITES_PER_ACCOUNT;
  return [
    `insert into notices (dispatch_id, event, due_at, state, modification_number, noted_at, owed_since)
     select id, 'dispatch.create', start_time - interval '1 hour', 'sent', 0, start_time - interval '1 hour',
       start_time - interval '1 hour' from ${past} order by n`,
    `insert into webhooks (id, account_id, url, events, secret, created_at, deleted_at)
     select 'wh_' || n, 'acc_' || n, 'https://example.com/hooks/' || n, '{dispatch.create,dispatch.update}', 'whsec_c2VjcmV0',
       ${UNTIL} - interval '2 years', ${UNTIL} - interval '1 day'
     from generate_series(1, ${accounts}) as n`,
    `insert into messages (id, recipient, notice_seq, subject, event, state, created_at)
     select 'dlv_' || n, 'wh_' || 1 + n % ${accounts}, n, id, 'dispatch.create', case when n % 100 = 0 then 'failed' else 'delivered' end,
       start_time - interval '1 hour' from ${past} order by n`,
    `insert into message_attempts (message_id, number, at, status, duration_ms, error, is_resend)
     select 'dlv_' || n, 1, start_time - interval '1 hour', 200, 40, case when n % 100 = 0 then 'timeout' end, false from ${past}`,
    `insert into dispatch_reads (dispatch_id, account_id, modification_number, how, at)
     select id, '${LARGE_ACCOUNT}', modification, 'polled', start_time - interval '1 hour'
     from ${past} cross join generate_series(0, 1) as modification`,
    `insert into messages (id, channel, recipient, account_id, detail, notice_seq, subject, event, state, created_at, ended_at, modification)
     select 'mail_' || n, 'email', '${LARGE_ACCOUNT}', '${LARGE_ACCOUNT}', '{"refused": 0}', n, id, 'dispatch.create', 'delivered', start_time - interval '1 hour',
       start_time - interval '1 hour', 0 from ${past} where n % 3 = 0`,
    `insert into messages (id, account_id, notice_seq, subject, event, channel, recipient, detail, state, created_at, ended_at, modification)
     select 'msg_' || n, '${LARGE_ACCOUNT}', n, id, 'dispatch.create', 'sms', '+15550000001', '{"contactId": "con_1", "name": "Contact 1"}',
       'delivered', start_time - interval '1 hour', start_time - interval '1 hour', 0 from ${past} where n % 6 = 0`,
    `insert into messages (id, account_id, notice_seq, subject, event, channel, recipient, detail, state, created_at, ended_at, modification)
     select 'msg_chat_' || n, '${LARGE_ACCOUNT}', n, id, 'dispatch.create', 'chat', '${PAST_ROOM}', '{"name": "Room 1"}',
       'delivered', start_time - interval '1 hour', start_time - interval '1 hour', 0 from ${past} where n % 6 = 1`,
    `insert into phone_calls (dispatch_id, account_id, modification_number, at, recorded_at, person, note, actor)
     select id, '${LARGE_ACCOUNT}', 0, start_time, start_time, 'Ann', '', 'operator' from ${past} where n % 100 = 0`,
    `insert into users (id, email, name, role, account_id, created_at, accepted_at)
     select 'usr_' || n, 'user' || n || '@example.com', 'User ' || n, 'participant-viewer', 'acc_' || n,
       ${UNTIL} - interval '2 years', ${UNTIL} - interval '2 years' from generate_series(1, ${accounts}) as n`,
    `insert into messages (id, channel, recipient, user_id, account_id, detail, subject, event, state, created_at, ended_at)
     select 'pn_' || n, 'personal_mail', 'usr_1', 'usr_1', '${LARGE_ACCOUNT}', '{"name": "User 1"}', id, 'dispatch.create', 'delivered', start_time - interval '1 hour',
       start_time - interval '1 hour' from ${past} where n % 3 = 1`,
    `insert into alarms (id, kind, subject, account_id, message, raised_at, cleared_at)
     -- The newest ends at the first look.
     select 'alm_' || n, 'telemetry_stale', id, null, 'Sites of dispatch ' || id || ' send no readings', start_time,
       case when n > 8 then end_time end
     from ${past} where n % 6 = 2`,
  ];
};

const overVens = (count: number): readonly string[] => {
  const past = `(${dispatchTimes(count)}) as past`;
  const third = `${past} where n % 3 = 0`;
  return [
    `insert into vens (id, account_id, ven_id, environment, target_resource, target_ven_id, market_context, poll_interval_seconds,
       created_at, last_poll_at)
     values ('ven_1', '${LARGE_ACCOUNT}', 'seeded', 'production', 'site_id', false, '*', 10, ${UNTIL} - interval '2 years', ${UNTIL})`,
    `insert into ven_events (ven, dispatch_id, first_shown_at, shown_modification, modification_shown_at, acknowledged_modification, opt,
       response_code, acknowledged_at)
     select 'ven_1', id, start_time, 0, start_time, 0, 'optIn', '200', start_time from ${third} order by n`,
    `insert into ven_showings (ven, dispatch_id, modification_number, how, at, acknowledge_by)
     select 'ven_1', id, 0, 'poll', start_time, start_time + interval '2 minutes' from ${third}`,
    `insert into ven_acknowledgements (ven, dispatch_id, modification_number, opt, response_code, at)
     select 'ven_1', id, 0, 'optIn', '200', start_time from ${third}`,
    `insert into ven_notices (dispatch_id, ven, modification_number, at, ven_id, poll_interval_seconds, poll_by)
     select id, 'ven_1', 0, start_time, 'seeded', 10, start_time + interval '20 seconds' from ${third}`,
    `insert into openadr3_clients (id, role, account_id, environment, name, scopes, secret_hash, tokens_from, created_at)
     values ('oac_1', 'ven', '${LARGE_ACCOUNT}', 'production', 'Seeded', '{}', '\\x00', ${UNTIL} - interval '2 years', ${UNTIL} - interval '2 years')`,
    `insert into openadr3_changes (environment, operation, object_type, object_id, object, targets, client_id, at, xid)
     select 'production', 'CREATE', 'EVENT', 'oae_' || n, '{}', '{}', 'oac_1', start_time, '3' from ${third} order by n`,
    `insert into passing_messages (id, change_seq, recipient, entry, client_id, subject, event, detail, state, created_at, ended_at)
     select 'odl_' || n, n / 3, 'sub_1', 0, 'oac_1', 'oae_' || n, 'event.create', '{"url": "https://example.com/"}', 'delivered', start_time,
       start_time from ${third} order by n`,
    `insert into message_attempts (message_id, number, at, status, duration_ms, is_resend, gave_up)
     select 'odl_' || n, 1, start_time, 200, 40, false, false from ${third}`,
    `insert into openadr3_notices (dispatch_id, client_id, modification_number, account_id, operation, event_id, site_ids, modified_at,
       change_seq, at)
     select id, 'oac_1', 0, '${LARGE_ACCOUNT}', 'CREATE', 'oae_' || n, '{}', start_time, n / 3, start_time from ${third}`,
    `insert into openadr3_showings (dispatch_id, client_id, modification_number, at) select id, 'oac_1', 0, start_time from ${third}`,
    `insert into openadr3_answers (dispatch_id, client_id, modification_number, report_id, state, resource_names, at)
     select id, 'oac_1', 0, 'oar_' || n, 'ready', '{}', start_time from ${third}`,
  ];
};

const SUMMARY = JSON.stringify({
  format: 1,
  siteId: "site_1",
  accountId: LARGE_ACCOUNT,
  name: "Site",
  commitmentKw: 50,
  baseline: { state: "found", reason: null, provisional: false },
  performance: {
    isFinal: true,
    latest: null,
    toDate: {
      cellsExpected: 120,
      cellsPresent: 120,
      coverage: 1,
      meanReductionKw: 50,
      performance: 1,
      deliveredKwh: 50,
      deliveredFlooredKwh: 50,
      deliveredCappedKwh: 50,
      committedKwh: 50,
      shareAtCommitment: 1,
      shareComplying: null,
    },
    secondsToFull: 60,
    secondsToFullHeld: 60,
    rampKwPerMinute: 10,
  },
  status: { colour: "green", words: "on target" },
  rebound: null,
  compliance: null,
});

/** Final results of all dispatches; a third of them was corrected once. */
const measured = (count: number, sites: number): readonly string[] => {
  const past = `(${dispatchTimes(count)}) as past`;
  return [
    `insert into program_terms (program_id, from_month, terms, set_at, actor)
     select 'prg_' || n % 3 + 1, '2024-01', null, ${UNTIL} - interval '2 years', 'operator' from generate_series(1, 30) as n`,
    `insert into performance_versions (dispatch_id, version, at, reason)
     select id, 1, end_time + interval '1 hour', 'complete' from ${past}
     union all select id, 2, end_time + interval '1 day', 'corrected' from ${past} where n % 3 = 0`,
    `insert into performance_results (dispatch_id, site_id, version, summary, detail)
     select id, 'site_' || (n * 7 + 3) % ${SITES_PER_ACCOUNT} + 1, version, '${SUMMARY}', '{}'
     from ${past} cross join generate_series(1, 2) as version where version = 1 or n % 3 = 0`,
    // All are drawn up.
    `insert into statements (id, account_id, month, ends_at, due_seq, due_at, drawn_at)
     select 'stm_' || n || '_' || m, 'acc_' || n, to_char(month, 'YYYY-MM'), month + interval '1 month', null, null, ${UNTIL} + interval '7 days'
     from generate_series(1, ${sites / SITES_PER_ACCOUNT}) as n cross join generate_series(1, 23) as m
     cross join lateral (select date_trunc('month', ${UNTIL}) - m * interval '1 month' as month) as months`,
    `insert into statement_versions (statement_id, version, at, reason, changes, change_count, programs, totals)
     select id, 1, ends_at, 'made', '[]', 0, '[]', '[]' from statements`,
    `insert into late_notes (site, reason, from_at, to_at, first_noted_at, noted_at, settled_at, due_at, found_at)
     select key, 'corrected', noted_at - interval '1 day', noted_at, noted_at, noted_at, noted_at, noted_at, noted_at
     from sites cross join (select ${UNTIL} - interval '10 minutes' as noted_at) as past`,
  ];
};

const CELLS_A_DAY = 2880;
const PACKED_DAY = encodeDay(new Float64Array(CELLS_A_DAY).fill(100)).toString("hex");

const recorded = (sites: number): readonly string[] => {
  const places = `generate_series(1, ${sites}) as n`;
  const hour = Math.floor(SEEDED_UNTIL.getTime() / 3_600_000);
  const accounts = sites / SITES_PER_ACCOUNT;
  return [
    `insert into availability_blocks (id, site_id, start_time, end_time, created_at)
     select 'blk_' || n || '_' || d, 'site_' || n, ${UNTIL} - d * interval '7 days', ${UNTIL} - d * interval '7 days' + interval '2 hours',
       ${UNTIL} - interval '2 years'
     from ${places} cross join generate_series(1, 10) as d order by n, d desc`,
    // Two days as they were sent, and a hundred packed ones, which nobody reads here.
    `insert into telemetry_hours (site, meter, hour, kw)
     select sites.key, meters.key, hour, array_fill(100::float8, array[12])
     from sites join meters on meters.site_id = sites.id cross join generate_series(${hour - 48}, ${hour - 1}) as hour`,
    `insert into telemetry_days (site, meter, day, hours, block)
     select sites.key, meters.key, ${Math.floor(hour / 24)} - day, ${2 ** 24 - 1}, '\\x${PACKED_DAY}'
     from sites join meters on meters.site_id = sites.id cross join generate_series(3, 22) as day`,
    `insert into audit_log (at, actor, action, subject, account_id)
     select ${UNTIL} - n * interval '1 minute', 'operator', 'site.update', 'site_' || n % ${sites} + 1, 'acc_' || n % ${accounts} + 1
     from generate_series(1, ${sites * 15}) as n`,
    `insert into request_log (account_id, key_id, at, method, path, status, count, total_ms, max_ms, is_sum)
     select 'acc_' || n % ${accounts} + 1, 'key_' || n % ${accounts} + 1, ${UNTIL} - n * interval '1 minute', 'GET', '/dispatches', 200, 1, 1, 1,
       false from generate_series(1, ${sites * 10}) as n`,
    `insert into sessions (id, token_hash, user_id, created_at, last_seen_at, expires_at, user_agent, address)
     select 'ses_' || n, decode(md5('ses' || n), 'hex'), 'usr_' || n % ${accounts} + 1, ${UNTIL} - interval '1 year', ${UNTIL} - interval '1 year',
       ${UNTIL} - interval '11 months', 'Firefox', '127.0.0.1' from generate_series(1, ${sites}) as n`,
    `insert into api_keys (id, account_id, environment, claim_token_hash, claim_expires_at, claimed_at, secret_hash, revoked_at, created_at)
     select 'key_' || n, 'acc_' || n % ${accounts} + 1, 'production', decode(md5('claim' || n), 'hex'), ${UNTIL}, ${UNTIL} - interval '2 years',
       decode(md5('key' || n), 'hex'), ${UNTIL} - interval '1 year', ${UNTIL} - interval '2 years' from generate_series(1, ${sites}) as n`,
    `insert into kept_answers (id, holder, request_hash, claimed_at)
     select 'kept_' || n, 'key:key_' || n % ${accounts} + 1, '\\x00', ${UNTIL} - n * interval '1 second' from generate_series(1, ${sites}) as n`,
  ];
};
