import { IS_SIMULATED } from "../../dispatch/storage/dispatch-conditions.js";
import { camel, type Snake } from "../../platform/database/camel.js";
import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { allShards, textOn } from "../../platform/database/shard-statement.js";
import { newestLoggedFrom, newestOfLog, type SomeLogged } from "../../telemetry/storage/newest-of-log.js";
import { type FirstFacts, MOST_HIDDEN_SITES } from "../domain/first-steps.js";
import type { FirstStepsReader } from "../operations/first-steps.js";

/** No account is looked up for a site: where the planner knows little of the sites, it would be for each of them. */
const OF_STANDING = "sites where account_id not in (select id from accounts where disabled or is_simulated)";
const HAS_METER = "exists (select 1 from meters where site_id = sites.id)";
const IS_ENROLLED = "exists (select 1 from enrolments where site_id = sites.id)";

/** Keys of simulated sites: one, as a rule. */
const SIMULATED = "array(select key from sites where is_simulated)";

/** The oldest site in a state; where there is none, the next state is looked for. */
const oldest = (state: string): string =>
  `(select sites.id from ${OF_STANDING} and ${state} order by sites.seq limit 1)`;

const HIDDEN = `${OF_STANDING} and display_enabled_at is null`;

interface Reading {
  /** The first query of the `with`, with its comma. */
  readonly first: string;
  /** Condition: there is one of a site that is not simulated. */
  readonly some: string;
  /** Condition on a row of `sites` and `meters`: there is one, in hour rows or packed days; each uses the index of its table. */
  readonly ofMeter: string;
}

/** More than a simulated site has. */
const MOST_LOGGED = 100;
/** What is beyond is found once it is in rows, some minutes later. */
const MOST_HIDDEN_METERS = 10_000;

const LOGGED = newestLoggedFrom(3);

const PLAIN: Reading = {
  first: `${LOGGED.first},`,
  some: `(exists (select 1 from telemetry_hours where site <> all(${SIMULATED}))
    or exists (select 1 from telemetry_days where site <> all(${SIMULATED}))
    or exists (select 1 from unnest((select meters from logged)) as of_log (meter)
      where exists (select from meters join sites on sites.id = site_id where meters.key = meter and not is_simulated)))`,
  ofMeter: `(exists (select 1 from telemetry_hours where site = sites.key and meter = meters.key)
    or exists (select 1 from telemetry_days where site = sites.key and meter = meters.key)
    or ${LOGGED.has("meters.key")})`,
};

/** Workers answer which meters have readings; what simulated sites sent is left out where those are looked up. */
const DISTRIBUTED: Reading = {
  first: `${LOGGED.first}, reading as materialized (
      select own.site, own.meter from telemetry_meters as own
      where own.site in (select key from ${HIDDEN})
        and (exists (select 1 from telemetry_hours as stored where stored.site = own.site and stored.meter = own.meter)
          or exists (select 1 from telemetry_days as packed where packed.site = own.site and packed.meter = own.meter))
    ), some_reading as materialized (
      select 1 from telemetry_hours where site not in (select key from sites where is_simulated) limit 1
    ), some_day as materialized (
      select 1 from telemetry_days where site not in (select key from sites where is_simulated) limit 1
    ),`,
  some: "(exists (select 1 from some_reading) or exists (select 1 from some_day))",
  ofMeter: "exists (select 1 from reading where reading.site = sites.key and reading.meter = meters.key)",
};

const FACTS = allShards("first-steps", (isDistributed) => {
  const { first, some, ofMeter } = isDistributed ? DISTRIBUTED : PLAIN;
  return `
    with ${first} site as materialized (
      -- The furthest: with a meter and enrolled, then the oldest. In a store that is set up, one of the first.
      select id, account_id, ${HAS_METER} as has_meter from sites where id = coalesce(
        case when exists (select 1 from enrolments) then ${oldest(`${HAS_METER} and ${IS_ENROLLED}`)} end,
        case when exists (select 1 from meters) then ${oldest(HAS_METER)} end,
        case when exists (select 1 from enrolments) then ${oldest(IS_ENROLLED)} end,
        ${oldest("true")})
    )
    select coalesce(
        (select account_id from site),
        (select id from accounts where not disabled and not is_simulated order by seq limit 1)) as account_id,
      (select id from site) as site_id,
      coalesce(
        (select program_id from enrolments join site on site.id = site_id order by enrolments.seq limit 1),
        (select id from programs where not built_in and not is_simulated order by seq limit 1)) as program_id,
      coalesce((select has_meter from site), false) as has_meter,
      exists (select 1 from ${OF_STANDING} and ${IS_ENROLLED}) as has_enrolment,
      exists (select 1 from api_keys join accounts on accounts.id = account_id
              where not disabled and not is_simulated and environment = 'production' and revoked_at is null
                and (expires_at is null or expires_at > $1)
                and (claimed_at is not null or claim_expires_at > $1)) as has_key,
      exists (select 1 from accounts where not disabled and not is_simulated and (
        exists (select 1 from webhooks where account_id = accounts.id and deleted_at is null)
        or exists (select 1 from vens where account_id = accounts.id and environment = 'production' and deleted_at is null)
        or exists (select 1 from openadr3_clients where account_id = accounts.id and environment = 'production'
          and revoked_at is null)
        or exists (select 1 from contacts where account_id = accounts.id)
        or exists (select 1 from account_polls where account_id = accounts.id))) as has_channel,
      ${some} as has_reading,
      exists (select 1 from dispatches where not ${IS_SIMULATED}) as has_dispatch,
      (select count(*) from (
         select 1 from ${HIDDEN}
           and exists (select 1 from meters where site_id = sites.id and ${ofMeter}) limit $2
       ) as hidden) as hidden_sites`;
});

/** Those of hidden sites, and some of any, in the order of their numbers. */
const askedMeters = async (db: Queryable, someLogged: SomeLogged): Promise<readonly number[]> => {
  const { rows } = await db.query<Row<"meters", "key">>({
    name: "hidden-meters",
    text: `select meters.key from (select sites.id from ${HIDDEN}) as site join meters on site_id = site.id limit $1`,
    values: [MOST_HIDDEN_METERS],
  });
  const asked = new Set([...rows.map(({ key }) => key), ...someLogged(MOST_LOGGED)]);
  return [...asked].toSorted((a, b) => a - b);
};

export const firstStepsReader = (db: Queryable): FirstStepsReader => ({
  async facts(now) {
    const { rows } = await db.query<Snake<FirstFacts>>({
      name: "first-steps",
      text: await textOn(db, FACTS),
      values: [now, MOST_HIDDEN_SITES, ...(await newestOfLog(db, (someLogged) => askedMeters(db, someLogged)))],
    });
    const [row] = rows;
    if (row === undefined) throw new Error("the facts of the first steps answered no row");
    return camel(row);
  },
});
