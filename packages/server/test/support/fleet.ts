import type { Running } from "./running.js";

const FLEET_SITES = 20_000;
/** One statement for all takes longer on a busy machine than a statement may. */
const AT_ONCE = 2000;

/**
 * Many sites of an account, each with a meter and enrolled in the program prg_fleet, written to the database without the
 * service. Their texts have one beginning, and are as long as an import takes.
 */
export const fleetOf = async ({ database: { pool } }: Running, accountId: string): Promise<void> => {
  await pool.query(
    `insert into programs (id, name, timezone, market, program_type, schedule_cutoff_seconds, created_at)
     values ('prg_fleet', 'Fleet', 'UTC', '', 'not_specified', 0, now())`,
  );
  for (let first = 1; first <= FLEET_SITES; first += AT_ONCE)
    await pool.query(
      `with new_sites as (
         insert into sites (id, account_id, name, customer_location_id, dispatch_group, timezone, created_at)
         select 'site_fleet' || n, $1, repeat('n', 188) || n, repeat('n', 188) || n, 'g', 'UTC', now()
         from generate_series($2::int, $3::int) as n returning id
       ), new_meters as (
         insert into meters (id, site_id, name, asset_type, created_at)
         select 'met_' || id, id, 'm', 'load', now() from new_sites
       )
       insert into enrolments (program_id, site_id, commitment_kw) select 'prg_fleet', id, 1 from new_sites`,
      [accountId, first, first + AT_ONCE - 1],
    );
  await pool.query("analyze");
};
