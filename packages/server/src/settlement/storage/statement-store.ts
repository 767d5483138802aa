import { camel } from "../../platform/database/camel.js";
import { type Row, type RowOf, selection } from "../../platform/database/columns.js";
import { appended } from "../../platform/database/commits.js";
import type { Queryable } from "../../platform/database/database.js";
import type { Placed } from "../../platform/database/page.js";
import { readAll, readFirst, readMap, readNumber, readPage } from "../../platform/database/read.js";
import { valuesOf } from "../../platform/database/values-of.js";
import type { SettledSite, Statement } from "../domain/statement.js";
import type { ListedStatement, StatementStore } from "../operations/settlement-stores.js";

type StatementRow = Row<"statements", "id" | "account_id" | "month" | "waiting"> & {
  readonly ends_at: Date;
  readonly account_name: string;
};

const versionRow = selection("statement_versions", [
  "version",
  "at",
  "reason",
  "actor",
  "note",
  "changes",
  "change_count",
  "traces",
  "trace_count",
  "programs",
  "totals",
]);
type VersionRow = RowOf<typeof versionRow>;

type SiteRow = Row<"statement_sites", "program_id" | "site_id" | "name" | "settled">;
type KeyRow = Pick<SiteRow, "program_id" | "site_id" | "name"> & { readonly currency: string; readonly total: string };
type SiteIdsRow = Row<"statement_sites", "statement_id"> & { readonly site_ids: readonly string[] };
type ListedRow = Placed<StatementRow> &
  Pick<VersionRow, "version" | "totals"> &
  Pick<ListedStatement, "state"> & { readonly newest_version: number };

const statementFrom = (row: StatementRow): Statement => ({
  id: row.id,
  accountId: row.account_id,
  accountName: row.account_name,
  month: row.month,
  endsAt: row.ends_at,
  waiting: row.waiting,
});

const listedFrom = (row: ListedRow): ListedStatement => ({
  ...statementFrom(row),
  state: row.state,
  version: row.version,
  newestVersion: row.newest_version,
  totals: row.totals,
});

const siteFrom = ({ program_id: programId, site_id: siteId, name, settled }: SiteRow): SettledSite | null =>
  settled === null ? null : { ...settled, programId, siteId, name };

const STATEMENT = `statements.*, accounts.name as account_name from statements join accounts on accounts.id = account_id`;

/** The approved version, or the newest; statements without a version are being made. */
const STANDING = `cross join lateral (
    select version, totals, reason = 'approved' as is_approved from statement_versions where statement_id = statements.id
    order by reason = 'approved' desc, version desc limit 1
  ) as standing`;

const STATE = `case when is_approved then 'approved' when ends_at > $3 or waiting <> '[]' then 'provisional' else 'complete' end`;

/** Each site as of the newest version; without settled: no longer there. */
const NEWEST_SITES = `select distinct on (program_id, site_id) * from statement_sites where statement_id = $1
  order by program_id, site_id, version desc`;

/** Some 60 lines each at most. */
const SITES_PER_PAGE = 25;

export const statementStore = (db: Queryable): StatementStore => {
  const one = (condition: string, values: readonly unknown[]): Promise<Statement | null> =>
    readFirst(db, statementFrom, `select ${STATEMENT} where ends_at is not null and ${condition}`, [...values]);
  return {
    find: (id, accountId) => one("statements.id = $1 and ($2::text is null or account_id = $2)", [id, accountId]),
    async take({ id, accountId, month }) {
      const { rows } = await db.query<Pick<StatementRow, "id">>(
        `insert into statements (id, account_id, month) values ($1, $2, $3)
         on conflict (account_id, month) do update set month = excluded.month returning id`,
        [id, accountId, month],
      );
      return rows[0]?.id ?? id;
    },
    lock: (id) => one("statements.id = $1 for update of statements", [id]),
    list: ({ accountId, fromMonth, toMonth, state }, now, page) =>
      readPage(db, page, listedFrom, {
        text: `select * from (
           select ${STATE} as state, standing.version, standing.totals, (
             select max(version) from statement_versions where statement_id = statements.id
           ) as newest_version, statements.*, accounts.name as account_name
           from statements join accounts on accounts.id = account_id ${STANDING}
         ) as listed
         where ($1::bigint is null or seq < $1) and ($4::text is null or account_id = $4)
           and ($5::text is null or month >= $5) and ($6::text is null or month <= $6) and ($7::text is null or state = $7)
         order by seq desc limit $2`,
        values: [now, accountId, fromMonth, toMonth, state],
      }),
    versions: (id) =>
      readAll(db, (row: VersionRow) => versionRow.camel(row), {
        text: `select ${versionRow.columns} from statement_versions where statement_id = $1 order by version`,
        values: [id],
      }),
    async lockMonths(fromMonth) {
      await db.query("select from statements where month >= $1 order by seq for update", [fromMonth]);
    },
    newestApproved: (fromMonth, untilMonth) =>
      readFirst(db, ({ month }: { readonly month: string | null }) => month, {
        text: `select max(month) as month from statements where month >= $1 and month < $2
           and exists (select from statement_versions where statement_id = statements.id and reason = 'approved')`,
        values: [fromMonth, untilMonth],
      }),
    newestOf: (accountId, month) =>
      readNumber(db, "version", {
        text: `select coalesce(max(version), 0) as version from statement_versions join statements on statements.id = statement_id
         where account_id = $1 and month = $2`,
        values: [accountId, month],
      }),
    accountsOf: (month, programIds, { fromMs, toMs }) =>
      readAll(db, ({ account_id }: Row<"statements", "account_id">) => account_id, {
        text: `select account_id from statements where month = $1
         union
         select account_id from dispatches join dispatch_sites on dispatch_id = id
         where program_id = any($2) and start_time >= $3 and start_time < $4`,
        values: [month, programIds, new Date(fromMs), new Date(toMs)],
      }),
    async addVersion(id, { version, at, reason, actor, note, programs, totals, ...differences }) {
      const { changes, changeCount, traces, traceCount } = differences;
      await db.query(
        `with added as (
           insert into statement_versions
             (statement_id, version, at, reason, actor, note, changes, change_count, programs, totals, traces, trace_count)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
         )
         insert into journal (at, kind, subject, ref, accounts)
         select $3, 'statement.version', id, $2, array[account_id] from statements where id = $1`,
        [
          id,
          version,
          at,
          reason,
          actor,
          note,
          json(changes),
          changeCount,
          json(programs),
          json(totals),
          json(traces),
          traceCount,
        ],
      );
      appended(db, "statement.version");
    },
    async addSites(id, version, sites) {
      await db.query(
        `insert into statement_sites (statement_id, version, program_id, site_id, name, settled)
         select $1, $2, * from unnest($3::text[], $4::text[], $5::text[], $6::jsonb[])`,
        [id, version, ...columnsOf(sites)],
      );
    },
    async removeSites(id, version, sites) {
      await db.query(
        `insert into statement_sites (statement_id, version, program_id, site_id, name)
         select $1, $2, * from unnest($3::text[], $4::text[], $5::text[])`,
        [id, version, ...columnsOf(sites).slice(0, 3)],
      );
    },
    differing: (id, sites) =>
      readAll(db, (row: SiteRow) => ({ programId: row.program_id, siteId: row.site_id, before: siteFrom(row) }), {
        text: `select program_id, site_id, fresh.name, kept.settled
         from unnest($2::text[], $3::text[], $4::text[], $5::jsonb[]) as fresh (program_id, site_id, name, settled)
         left join lateral (
           select settled from statement_sites as old
           where statement_id = $1 and (old.program_id, old.site_id) = (fresh.program_id, fresh.site_id)
           order by version desc limit 1
         ) as kept on true
         where (kept.settled -> 'lines', kept.settled -> 'currency')
           is distinct from (fresh.settled -> 'lines', fresh.settled -> 'currency')`,
        values: [id, ...columnsOf(sites)],
      }),
    siteKeys: (id) =>
      readAll(db, camel<KeyRow>, {
        text: `select program_id, site_id, name, settled -> 'amounts' ->> 'total' as total, settled ->> 'currency' as currency
         from (${NEWEST_SITES}) as newest where settled is not null`,
        values: [id],
      }),
    async sites(id, { programId, version, after }) {
      const { rows } = await db.query<SiteRow>(
        `select program_id, site_id, name, settled from (
           select distinct on (site_id) * from statement_sites
           where statement_id = $1 and program_id = $2 and version <= $3
           order by site_id, version desc
         ) as latest
         where settled is not null and ($4::text is null or (name collate "C", site_id) > ($4, $5))
         order by name collate "C", site_id limit ${SITES_PER_PAGE}`,
        [id, programId, version, after?.name ?? null, after?.siteId ?? null],
      );
      return rows.flatMap((row) => siteFrom(row) ?? []);
    },
    siteIds: (ids) =>
      readMap(db, (row: SiteIdsRow) => [row.statement_id, row.site_ids], {
        text: `select statement_id, array_agg(distinct site_id) as site_ids from statement_sites
         where statement_id = any($1) group by statement_id`,
        values: [ids],
      }),
    async noteInputs(id, { endsAt, waiting, reach }) {
      await db.query(
        `update statements set ends_at = $2, waiting = $3, reach_from = $4,
           reach_to = case when $4::timestamptz is not null then coalesce($5::timestamptz, 'infinity') end
         where id = $1`,
        [id, endsAt, json(waiting), momentOf(reach?.fromMs ?? null), momentOf(reach?.toMs ?? null)],
      );
    },
  };
};

const momentOf = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

const json = (value: unknown): string => JSON.stringify(value);

const columnsOf = (sites: ReadonlyArray<Pick<SettledSite, "programId" | "siteId" | "name">>) => [
  ...valuesOf(sites, "programId", "siteId", "name"),
  sites.map(({ programId: _program, siteId: _site, name: _name, ...settled }) => json(settled)),
];
