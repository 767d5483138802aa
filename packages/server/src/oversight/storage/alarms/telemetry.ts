import { IS_REHEARSAL } from "../../../dispatch/storage/dispatch-conditions.js";
import type { Queryable } from "../../../platform/database/database.js";
import { readAll } from "../../../platform/database/read.js";
import { allShards } from "../../../platform/database/shard-statement.js";
import { formatTimestamp } from "../../../platform/timestamp.js";
import { newestOfLog } from "../../../telemetry/storage/newest-of-log.js";
import { CANNOT_BE_MEASURED, newestReading } from "../../../telemetry/storage/stale-telemetry.js";
import { account, accountName, alarmRule, WHEN_DISPATCHED } from "../alarm-rule.js";
import { count, text, texts, time } from "../facts.js";

const NAMED = 5;

const IS_DUE = `not ${IS_REHEARSAL} and authorized and start_time <= $1::timestamptz + interval '30 minutes'
  and (end_time is null or end_time > $1)`;

const DUE_SITES = `select sites.key from dispatches join dispatch_sites on dispatch_sites.dispatch_id = dispatches.id
  join sites on sites.id = dispatch_sites.site_id where ${IS_DUE}`;

const STALE = allShards("telemetry-stale", (isDistributed) => {
  const { first, join } = newestReading(isDistributed, DUE_SITES, 2);
  return `
    with ${first} called as (
      select dispatches.id as dispatch_id, start_time, called.position, called.name || ' (' || called.site_id || ')' as site,
        ${CANNOT_BE_MEASURED} as is_stale
      from dispatches
      join dispatch_sites as called on called.dispatch_id = dispatches.id
      join sites on sites.id = called.site_id
      left join meters on meters.site_id = called.site_id
      ${join}
      where ${IS_DUE}
      group by dispatches.id, start_time, called.position, site
    )
    select dispatch_id as subject, null as account_id, start_time, count(*) as sites, count(*) filter (where is_stale) as stale,
      (array_agg(site order by position) filter (where is_stale))[1:${NAMED}] as some
    from called group by dispatch_id, start_time having bool_or(is_stale) order by dispatch_id`;
});

const dueMeters = (db: Queryable, now: Date): Promise<readonly number[]> =>
  readAll(db, ({ meter }: { readonly meter: number }) => meter, {
    name: "due-meters",
    text: `select meters.key as meter from meters join sites on sites.id = site_id where sites.key in (${DUE_SITES}) order by 1`,
    values: [now],
  });

/** Dispatches that are running or start within 30 minutes, with sites that cannot be measured. */
export const telemetryStale = alarmRule({
  kind: "telemetry_stale",
  find: STALE,
  when: WHEN_DISPATCHED,
  parameters: (db, now) => newestOfLog(db, () => dueMeters(db, now)),
  facts: { subject: text, start_time: time, sites: count, stale: count, some: texts },
  message: ({ subject, start_time, sites, stale, some }) =>
    `${stale} of ${sites} sites of dispatch ${subject}, which starts at ${formatTimestamp(start_time)}, cannot be measured: ` +
    "no reading for 15 minutes, or one of their meters is silent: " +
    `${some.join(", ")}${stale > some.length ? ` and ${stale - some.length} more` : ""}. ` +
    "See `curtail admin sites telemetry-health SITE-ID`, and phone their accounts.",
});

/** Accounts with batteries whose kWh count as energy until an operator says what they are (G59). */
export const batteryUndecided = alarmRule({
  kind: "battery_undecided",
  find: `
    select account_id as subject, account_id, accounts.name as account_name, count(*) as meters,
      (array_agg(meters.name || ' of ' || sites.name order by meters.seq))[1:${NAMED}] as some
    from meters join sites on sites.id = site_id join accounts on accounts.id = account_id
    where kwh_means = 'undecided' group by account_id, accounts.name order by account_id`,
  facts: { ...account, meters: count, some: texts },
  message: (owner) =>
    `Batteries of account ${accountName(owner)} may send their state of charge in kWh, which counts as energy until you decide: ` +
    `${owner.some.join(", ")}${owner.meters > NAMED ? ` and ${owner.meters - NAMED} more` : ""}. Ask the account, and set on the ` +
    "page of each site what kWh of its meters mean.",
});
