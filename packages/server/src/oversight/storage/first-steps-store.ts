import { IS_SIMULATED } from "../../dispatch/storage/dispatch-conditions.js";
import { camel, type Snake } from "../../platform/database/camel.js";
import type { Queryable } from "../../platform/database/database.js";
import { type FirstFacts, MOST_HIDDEN_SITES } from "../domain/first-steps.js";
import type { FirstStepsReader } from "../operations/first-steps.js";

/** No account is looked up for a site: where the planner knows little of the sites, it would be for each of them. */
const OF_STANDING = "sites where account_id not in (select id from accounts where disabled or is_simulated)";
const HAS_METER = "exists (select from meters where site_id = sites.id)";
const IS_ENROLLED = "exists (select from enrolments where site_id = sites.id)";

/** Keys of simulated sites: one, as a rule. */
const SIMULATED = "array(select key from sites where is_simulated)";

/** The oldest site in a state; where there is none, the next state is looked for. */
const oldest = (state: string): string =>
  `(select sites.id from ${OF_STANDING} and ${state} order by sites.seq limit 1)`;

/** Of a meter, in hour rows or packed days; each uses the index of its table. */
const HAS_READINGS = `(exists (select from telemetry_hours where site = sites.key and meter = meters.key)
  or exists (select from telemetry_days where site = sites.key and meter = meters.key))`;

export const firstStepsReader = (db: Queryable): FirstStepsReader => ({
  async facts(now) {
    const { rows } = await db.query<Snake<FirstFacts>>({
      name: "first-steps",
      text: `with site as materialized (
               -- The furthest: with a meter and enrolled, then the oldest. In a store that is set up, one of the first.
               select id, account_id, ${HAS_METER} as has_meter from sites where id = coalesce(
                 case when exists (select from enrolments) then ${oldest(`${HAS_METER} and ${IS_ENROLLED}`)} end,
                 case when exists (select from meters) then ${oldest(HAS_METER)} end,
                 case when exists (select from enrolments) then ${oldest(IS_ENROLLED)} end,
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
               exists (select from ${OF_STANDING} and ${IS_ENROLLED}) as has_enrolment,
               exists (select from api_keys join accounts on accounts.id = account_id
                       where not disabled and not is_simulated and environment = 'production' and revoked_at is null
                         and (expires_at is null or expires_at > $1)
                         and (claimed_at is not null or claim_expires_at > $1)) as has_key,
               exists (select from accounts where not disabled and not is_simulated and (
                 exists (select from webhooks where account_id = accounts.id and deleted_at is null)
                 or exists (select from vens where account_id = accounts.id and environment = 'production' and deleted_at is null)
                 or exists (select from openadr3_clients where account_id = accounts.id and environment = 'production'
                   and revoked_at is null)
                 or exists (select from contacts where account_id = accounts.id)
                 or exists (select from account_polls where account_id = accounts.id))) as has_channel,
               exists (select from telemetry_hours where site <> all(${SIMULATED}))
                 or exists (select from telemetry_days where site <> all(${SIMULATED})) as has_reading,
               exists (select from dispatches where not ${IS_SIMULATED}) as has_dispatch,
               (select count(*) from (
                  select from ${OF_STANDING} and display_enabled_at is null
                    and exists (select from meters where site_id = sites.id and ${HAS_READINGS}) limit $2
                ) as hidden) as hidden_sites`,
      values: [now, MOST_HIDDEN_SITES],
    });
    const [row] = rows;
    if (row === undefined) throw new Error("the facts of the first steps answered no row");
    return camel(row);
  },
});
