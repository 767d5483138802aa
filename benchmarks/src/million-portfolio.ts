import type { BenchDatabase } from "./database.js";
import { accountsWithKeys } from "./many-accounts.js";
import type { BenchService } from "./service.js";

export const ACCOUNTS = Number(process.env["BENCH_MILLION_ACCOUNTS"] ?? 2000);
export const SITES_EACH = 50;
export const METERS_PER_SITE = 10;

export interface MillionAccount {
  readonly key: string;
  readonly siteIds: readonly string[];
  readonly meterIds: readonly string[];
  /** Acknowledged readings of all meters, by when they end. */
  readonly sentAtMs: Set<number>;
}

/** Accounts with their keys by the API, their sites and meters by SQL: as an import of files would leave them. */
export const millionPortfolio = async (service: BenchService, { pool }: BenchDatabase): Promise<MillionAccount[]> => {
  const keys = await accountsWithKeys(service, ACCOUNTS);
  await pool.query(
    `insert into sites (id, account_id, name, customer_location_id, dispatch_group, timezone, created_at)
     select 'site_' || substr(md5(accounts.id || n), 1, 16), accounts.id, 'Site ' || n, '', '', 'UTC', now()
     from accounts cross join generate_series(1, $1::int) as n where accounts.id = any($2)`,
    [SITES_EACH, [...keys.keys()]],
  );
  await pool.query(
    `insert into meters (id, site_id, name, asset_type, created_at, interval_seconds)
     select 'mtr_' || substr(md5(sites.id || n), 1, 16), sites.id, 'Meter ' || n, 'load', now(), 60
     from sites cross join generate_series(1, $1::int) as n`,
    [METERS_PER_SITE],
  );
  await pool.query("select note_change('site.create', '')");
  await pool.query("vacuum analyze");
  const { rows } = await pool.query<{ account_id: string; sites: string[]; meters: string[] }>(
    `select account_id, array_agg(distinct sites.id) as sites, array_agg(meters.id) as meters
     from sites join meters on site_id = sites.id group by account_id`,
  );
  return rows.map((row) => ({
    key: keys.get(row.account_id) ?? "",
    siteIds: row.sites,
    meterIds: row.meters,
    sentAtMs: new Set(),
  }));
};
