import { request } from "undici";
import type { BenchDatabase } from "./database.js";
import { figure, median, report } from "./report.js";
import type { BenchService } from "./service.js";

const LINES = 1000;
const ROUNDS = 5;

/** A file of new sites, each with a meter and an enrolment, beside the same rows inserted through `pg` by a statement a table. */
export const measureImport = async (service: BenchService, { pool }: BenchDatabase): Promise<void> => {
  const { rows } = await pool.query("select id, name from programs where not built_in order by seq limit 1");
  const [imported, inserted]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    imported.push(await timed(() => importFile(service, fileOf(`Import ${round}`, rows[0].name))));
    inserted.push(await timed(() => pool.query(SAME_ROWS, [`Rows ${round}`, rows[0].id, LINES])));
  }
  report(`POST /import, ${LINES} lines of new sites`, {
    "p50, ms": figure(median(imported)),
    "the same rows through pg (floor), p50 ms": figure(median(inserted)),
  });
};

const HEADER = "account,site,customer_location_id,dispatch_group,timezone,meter,asset_type,program,commitment_kw";

const fileOf = (account: string, program: string): string => {
  const lines = Array.from({ length: LINES }, (_, at) => `${account},Site ${at},${at},g,UTC,main,load,${program},20`);
  return [HEADER, ...lines].join("\n");
};

const importFile = async ({ url, token }: BenchService, csv: string): Promise<void> => {
  const answer = await request(`${url}/operator/v1/import`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ csv, dry_run: false, confirm_near_matches: true }),
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`an import answered ${answer.statusCode}: ${text.slice(0, 200)}`);
};

const SAME_ROWS = `with new_account as (
    insert into accounts (id, name, disabled, created_at) values ($1, $1, false, now()) returning id
  ), new_sites as (
    insert into sites (id, account_id, name, customer_location_id, dispatch_group, timezone, created_at)
    select new_account.id || ' ' || n, new_account.id, 'Site ' || n, n, 'g', 'UTC', now()
    from new_account cross join generate_series(1, $3::int) as n returning id
  ), new_meters as (
    insert into meters (id, site_id, name, asset_type, created_at)
    select id || ' m', id, 'main', 'load', now() from new_sites
  )
  insert into enrolments (program_id, site_id, commitment_kw) select $2, id, 20 from new_sites`;

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};
