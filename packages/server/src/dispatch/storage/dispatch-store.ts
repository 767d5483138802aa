import { type Row, type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { type Placed, pageOf, pageParameters } from "../../platform/database/page.js";
import { readAll, readFirst } from "../../platform/database/read.js";
import { valuesOf } from "../../platform/database/values-of.js";
import { MOST_AT_ONCE } from "../../platform/in-pieces.js";
import type { Page, PageRequest } from "../../platform/page.js";
import {
  commitmentOf,
  type Dispatch,
  type DispatchPhase,
  type DispatchRevision,
  type DispatchSite,
} from "../domain/dispatch.js";
import { changingMembers, columnOf, membersThat } from "../domain/dispatch-members.js";
import type { Overlap } from "../domain/overlap.js";
import type { DispatchStore, Issuer, ListedDispatch } from "../operations/dispatch-stores.js";
import { IS_SELF_MADE, SITE_SUMS } from "./dispatch-conditions.js";
import {
  DISPATCH_COLUMNS,
  type DispatchRow,
  dispatchFromRow,
  FEW_SITES_COLUMN,
  sitesColumn,
  type WholeRow,
  wholeDispatch,
} from "./dispatch-row.js";

const WHOLE = `select ${DISPATCH_COLUMNS}, ${FEW_SITES_COLUMN} from dispatches`;

const members = membersThat({});
const SAVE_CHANGE = `update dispatches set ${changingMembers.map((name, at) => `${columnOf[name]} = $${at + 2}`).join(", ")} where id = $1`;

/** Before its sites are read. */
type CountedRow = Placed<DispatchRow> & { readonly site_count: number };
type ListedRow = CountedRow & { readonly commitment_kw: number };

const overlapRow = selection("dispatches", ["program_name", "test", "start_time", "end_time"]);
type OverlapRow = RowOf<typeof overlapRow> & Row<"dispatches", "id"> & { readonly site_ids: readonly string[] };

const revisionRow = selection("dispatch_revisions", [
  "modification_number",
  "at",
  "actor",
  "start_time",
  "end_time",
  "authorized",
]);

const listedFromRow = (row: ListedRow): ListedDispatch => ({
  dispatch: dispatchFromRow(row),
  siteCount: row.site_count,
  commitmentKw: row.commitment_kw,
});

/** `phaseOf` as SQL conditions; $4 is now. */
const phases: Readonly<Record<DispatchPhase, string>> = {
  upcoming: "authorized and start_time > $4",
  active: "authorized and start_time <= $4 and (end_time is null or end_time >= $4)",
  past: "authorized and end_time < $4",
  cancelled: "not authorized",
};

const revisionFromRow = (row: RowOf<typeof revisionRow>): DispatchRevision => {
  const { startTime: start, endTime: end, ...revision } = revisionRow.camel(row);
  return { ...revision, start, end };
};

const overlapFromRow = (row: OverlapRow): Overlap => {
  const { startTime: start, endTime: end, ...overlap } = overlapRow.camel(row);
  return { ...overlap, start, end, dispatchId: row.id, siteIds: row.site_ids };
};

export const dispatchStore = (db: Queryable): DispatchStore => ({
  async insert(dispatch, issuer) {
    const [first, ...later] = piecesOf(dispatch.sites);
    await insertDispatch(db, dispatch, { first: first ?? [], issuer });
    for (const [index, sites] of later.entries())
      await insertSites(db, dispatch, { sites, after: (index + 1) * MOST_AT_ONCE });
  },
  lock: (id) => readFirst(db, (row: WholeRow) => wholeDispatch(db, row), `${WHOLE} where id = $1 for update`, [id]),
  async saveChange(dispatch, actor) {
    await db.query(SAVE_CHANGE, [dispatch.id, ...changingMembers.map((name) => dispatch[name])]);
    await insertRevision(db, dispatch, actor);
  },
  find: (id) => readFirst(db, (row: WholeRow) => wholeDispatch(db, row), `${WHOLE} where id = $1`, [id]),
  unfinishedTests: (accountId, now) =>
    readAll(db, ({ id }: Row<"dispatches", "id">) => id, {
      text: `select dispatches.id from dispatches
       where ${IS_SELF_MADE} and authorized and end_time >= $2
         and exists (select from dispatch_sites where dispatch_id = dispatches.id and account_id = $1)
       order by seq`,
      values: [accountId, now],
    }),
  // Uses the index on the end. Two dispatches of 10,000 sites are found in 70 ms.
  meeting: (siteIds, { from, to, exceptId }) =>
    readAll(db, overlapFromRow, {
      name: "meeting-dispatches",
      text: `select id, program_name, test, start_time, end_time, json_agg(called.site_id) as site_ids
             from dispatches join dispatch_sites as called on called.dispatch_id = id
             where authorized and (end_time is null or end_time > $2) and start_time < $3 and called.site_id = any($1)
               and id is distinct from $4
             group by id order by start_time, seq`,
      values: [siteIds, from, to, exceptId],
    }),
  async list({ phase, now, programId, siteId, after, before, withSites }, page) {
    const { rows } = await db.query<ListedRow>(
      `select dispatches.*, ${SITE_SUMS} from dispatches
       where ($1::bigint is null or seq < $1) and ($3::text is null or program_id = $3)
         and ($4::timestamptz is null or ${phase === null ? "true" : phases[phase]})
         and ($5::timestamptz is null or end_time is null or end_time > $5)
         and ($6::timestamptz is null or start_time < $6)
         and ${siteId === null ? "$7::text is null" : "id in (select dispatch_id from dispatch_sites where site_id = $7)"}
       order by seq desc limit $2`,
      [...pageParameters(page), programId, phase === null ? null : now, after, before, siteId],
    );
    return withSites
      ? pageWithSites(db, { rows, page, accountId: null }, listedFromRow)
      : pageOf(rows, page, listedFromRow);
  },
  async pastOf(accountId, { now, from, to, programId, siteId, tests }, page) {
    const { rows } = await db.query<CountedRow>(
      `select dispatches.*, (
         select count(*) from dispatch_sites where dispatch_id = dispatches.id and account_id = $3
       ) as site_count
       from dispatches
       where ($1::bigint is null or seq < $1) and notification_time <= $4
         and (end_time < $4 or (not authorized and changed_at >= notification_time))
         and ($5::timestamptz is null or start_time >= $5) and ($6::timestamptz is null or start_time < $6)
         and ($7::text is null or program_id = $7) and ($9 or not test)
         and exists (
           select from dispatch_sites
           where dispatch_id = dispatches.id and account_id = $3 and ($8::text is null or site_id = $8)
         )
       order by seq desc limit $2`,
      [...pageParameters(page), accountId, now, from, to, programId, siteId, tests],
    );
    return pageWithSites(db, { rows, page, accountId }, dispatchFromRow);
  },
  revisions: (id) =>
    readAll(db, revisionFromRow, {
      text: "select * from dispatch_revisions where dispatch_id = $1 order by modification_number",
      values: [id],
    }),
});

/** A page ends early at this many sites, about 5 MB; a single dispatch may have more. */
const MOST_SITES_A_PAGE = 20_000;

interface CountedPage<R> {
  readonly rows: readonly R[];
  readonly page: PageRequest;
  /** null: the sites of all accounts. */
  readonly accountId: string | null;
}

/** Reads the sites only of the dispatches that fit. */
const pageWithSites = async <R extends CountedRow, T>(
  db: Queryable,
  { rows, page, accountId }: CountedPage<R>,
  fromRow: (row: R) => T,
): Promise<Page<T>> => {
  const limit = fitting(rows.slice(0, page.limit));
  const { rows: found } = await db.query<Pick<DispatchRow, "id" | "sites">>(
    `select id, ${sitesColumn("and ($2::text is null or account_id = $2)")} from dispatches where id = any($1)`,
    [rows.slice(0, limit).map(({ id }) => id), accountId],
  );
  const sites = new Map(found.map((row) => [row.id, row.sites]));
  return pageOf(rows, { ...page, limit }, (row) => fromRow({ ...row, sites: sites.get(row.id) ?? null }));
};

const fitting = (rows: readonly CountedRow[]): number => {
  let sites = 0;
  const past = rows.findIndex(({ site_count }) => (sites += site_count) > MOST_SITES_A_PAGE);
  return past < 0 ? rows.length : Math.max(past, 1);
};

function* piecesOf(sites: readonly DispatchSite[]): Generator<readonly DispatchSite[]> {
  for (let from = 0; from === 0 || from < sites.length; from += MOST_AT_ONCE)
    yield sites.slice(from, from + MOST_AT_ONCE);
}

/** Inserts sites with the meters and the baseline that they have now. */
const addingSites = ({
  dispatch,
  program,
  sites: at,
  after = "0",
}: {
  readonly dispatch: string;
  readonly program: string;
  /** Number of the first parameter of `columnsOf`. */
  readonly sites: number;
  /** Position of the site before the first. */
  readonly after?: string;
}): string => `
     insert into dispatch_sites (dispatch_id, position, site_id, account_id, name, customer_location_id, dispatch_group, commitment_kw,
       baseline, measured_meters, was_enrolled)
     select ${dispatch}, ${after} + position, called.site_id, called.account_id, called.name, called.customer_location_id,
       called.dispatch_group, called.commitment_kw, baseline, coalesce(sites.measured_meters, points.meters),
       enrolments.site_id is not null
     from unnest($${at}::text[], $${at + 1}::text[], $${at + 2}::text[], $${at + 3}::text[], $${at + 4}::text[], $${at + 5}::float8[])
       with ordinality as called (site_id, account_id, name, customer_location_id, dispatch_group, commitment_kw, position)
     left join sites on sites.id = called.site_id
     cross join lateral (
       select array_agg(id order by seq) as meters from meters
       where asset_type = 'poi' and meters.site_id = called.site_id offset 0
     ) as points
     left join enrolments on enrolments.program_id = ${program} and enrolments.site_id = called.site_id`;

const insertSites = (
  db: Queryable,
  { id, program }: Dispatch,
  { sites, after }: { readonly sites: readonly DispatchSite[]; readonly after: number },
) =>
  db.query(addingSites({ dispatch: "$1", program: "$2", sites: 4, after: "$3::int" }), [
    id,
    program.id,
    after,
    ...columnsOf(sites),
  ]);

/** A single statement, with its first sites: few round trips between an operator's request and the notices. */
const insertDispatch = (
  db: Queryable,
  dispatch: Dispatch,
  { first, issuer: { actor, isSelfMade } }: { readonly first: readonly DispatchSite[]; readonly issuer: Issuer },
) =>
  db.query(
    // Measurement settings are copied from the program as they are now, and only the performance module reads them. The
    // program of a scenario is the scenario's own.
    `with dispatch as (
       insert into dispatches (program_id, program_name, program_timezone, program_market, program_type, baseline, holidays,
         status_limits, tests_are_events, corrections_days, self_made, called_sites, called_kw,
         ${members.map((name) => columnOf[name]).join(", ")})
       values ($2, $3, $4, $5, $6, (select baseline from programs where id = $2),
         coalesce((select holidays from programs where id = $2), '[]'), (select status_limits from programs where id = $2),
         coalesce((select tests_are_events from programs where id = $2), true),
         (select corrections_days from programs where id = $2), $14, $15, $16,
         ${members.map((_, at) => `$${at + 17}`).join(", ")})
       returning *
     ), revision as (
       insert into dispatch_revisions (dispatch_id, modification_number, at, actor, start_time, end_time, authorized)
       select id, modification_number, changed_at, $7, start_time, end_time, authorized from dispatch
     )
     ${addingSites({ dispatch: "$1", program: "$2", sites: 8 })}`,
    [
      dispatch.id,
      dispatch.program.id,
      dispatch.program.name,
      dispatch.program.timezone,
      dispatch.program.market,
      dispatch.program.programType,
      actor,
      ...columnsOf(first),
      isSelfMade,
      dispatch.sites.length,
      commitmentOf(dispatch.sites),
      ...members.map((name) => dispatch[name]),
    ],
  );

/** A dispatch may have tens of thousands of sites. */
const columnsOf = (sites: readonly DispatchSite[]) =>
  valuesOf(sites, "id", "accountId", "name", "customerLocationId", "dispatchGroup", "commitmentKw");

const insertRevision = (
  db: Queryable,
  { id, modificationNumber, changedAt, start, end, authorized }: Dispatch,
  actor: string,
) =>
  db.query(
    `insert into dispatch_revisions (dispatch_id, modification_number, at, actor, start_time, end_time, authorized)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [id, modificationNumber, changedAt, actor, start, end, authorized],
  );
