import { IS_REHEARSAL, IS_SIMULATED, startingAround } from "../../dispatch/storage/dispatch-conditions.js";
import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { readAll } from "../../platform/database/read.js";
import { grouped } from "../../platform/grouped.js";
import { fitting } from "../../platform/page.js";
import type {
  StandingDispatch,
  StandingReader,
  StandingSite,
  StartPlace,
} from "../operations/final/standing-results.js";
import { msOf, timesOf } from "./measured-times.js";
import { versionsOf } from "./performance-store.js";
import { decodeSummary, type StoredSummary } from "./site-result-encoding.js";

export type StandingDispatchRow = Row<
  "dispatches",
  | "id"
  | "program_id"
  | "program_name"
  | "program_timezone"
  | "test"
  | "is_record"
  | "authorized"
  | "void_reason"
  | "corrections_days"
> & {
  readonly start_ms: number;
  readonly end_ms: number | null;
  readonly created_ms: number;
  readonly changed_ms: number;
};

type SiteRow = Row<"dispatch_sites", "dispatch_id" | "site_id" | "account_id" | "name" | "commitment_kw"> & {
  readonly summary: StoredSummary | null;
};

type CountedRow = StandingDispatchRow & { readonly site_count: number };
type PastRow = CountedRow & Row<"dispatches", "modification_number" | "notification_time">;

/** Of a row of `dispatches`, as `standingFrom` reads them. */
export const STANDING_COLUMNS = `id, program_id, program_name, program_timezone, test, is_record, authorized, void_reason, corrections_days,
  ${msOf("start_time")} as start_ms, ${msOf("end_time")} as end_ms,
  ${msOf("created_at")} as created_ms, ${msOf("changed_at")} as changed_ms`;

export const standingFrom = (row: StandingDispatchRow): StandingDispatch => ({
  ...timesOf({ startMs: row.start_ms, endMs: row.end_ms, changedMs: row.changed_ms, authorized: row.authorized }),
  id: row.id,
  programId: row.program_id,
  programName: row.program_name,
  timezone: row.program_timezone,
  isTest: row.test,
  isRecord: row.is_record,
  isVoid: row.void_reason !== null,
  issuedMs: row.created_ms,
  correctionsDays: row.corrections_days,
});

const IS_WANTED = "($2::text is null or called.account_id = $2) and ($3::text is null or called.site_id = $3)";

/** Number of sites whose results are read with a row of `dispatches`. */
const SITE_COUNT = `(
  select count(*) from dispatch_sites as called where called.dispatch_id = dispatches.id and ${IS_WANTED}
) as site_count`;

export const standingReader = (db: Queryable): StandingReader => ({
  async dispatches({ fromMs, toMs }, { accountId = null, siteId = null, programId = null }, { after, limit }) {
    const { rows } = await db.query<CountedRow>(
      `select ${STANDING_COLUMNS}, ${SITE_COUNT} from dispatches
       where start_time >= $4 and start_time < $5 and ($1::text is null or program_id = $1) and not ${IS_REHEARSAL}
         and ($6::timestamptz is null or (start_time, id) > ($6, $7::text))
         and exists (select from dispatch_sites as called where called.dispatch_id = dispatches.id and ${IS_WANTED})
       order by start_time, id limit $8`,
      [programId, accountId, siteId, new Date(fromMs), new Date(toMs), ...placeOf(after), limit + 1],
    );
    const shown = rows.slice(0, limit);
    const items = shown.map((row) => ({ ...standingFrom(row), siteCount: row.site_count }));
    return { items, next: nextOf(rows, shown) };
  },
  overlapping: ({ fromMs, toMs }, { accountId = null, siteId = null, programId = null }) =>
    readAll(db, standingFrom, {
      text: `select ${STANDING_COLUMNS} from ${startingAround("$4", "coalesce($5, 'infinity')")} as dispatches
       where (end_time is null or end_time > $4) and ($1::text is null or program_id = $1) and not ${IS_REHEARSAL}
         and exists (select from dispatch_sites as called where called.dispatch_id = dispatches.id and ${IS_WANTED})
       order by start_time, id`,
      values: [programId, accountId, siteId, new Date(fromMs), toMs === null ? null : new Date(toMs)],
    }),
  async past({ accountId = null, siteId = null, programId = null, tests, order, ...days }, now, { after, limit }) {
    const { rows } = await db.query<PastRow>(
      `select ${STANDING_COLUMNS}, modification_number, notification_time, ${SITE_COUNT} from dispatches
       where ${IS_OVER} and ($1::text is null or program_id = $1)
         and ($5::timestamptz is null or start_time >= $5) and ($6::timestamptz is null or start_time < $6)
         and ($7::timestamptz is null or (start_time, id) ${order === "newest" ? "<" : ">"} ($7, $8::text)) and ${TESTS[tests]} and not ${IS_SIMULATED}
         and exists (select from dispatch_sites as called where called.dispatch_id = dispatches.id and ${IS_WANTED})
       order by start_time ${DIRECTION[order]}, id ${DIRECTION[order]} limit $9`,
      [
        programId,
        accountId,
        siteId,
        now,
        momentOf(days.from, -FARTHEST_MS),
        momentOf(days.to, DAY_MS + FARTHEST_MS),
        ...placeOf(after),
        limit + 1,
      ],
    );
    const counts = rows.slice(0, limit).map(({ site_count }) => site_count);
    const shown = rows.slice(0, fitting(counts, MOST_SITES_A_PAGE));
    return {
      items: shown.map((row) => ({
        dispatch: standingFrom(row),
        modificationNumber: row.modification_number,
        notification: row.notification_time,
        voidReason: row.void_reason,
      })),
      next: nextOf(rows, shown),
    };
  },
  versions: (dispatchIds) => versionsOf(db, dispatchIds),
  async statusLimits(dispatchIds) {
    const { rows } = await db.query<Row<"dispatches", "id" | "status_limits">>(
      "select id, status_limits from dispatches where id = any($1)",
      [dispatchIds],
    );
    return new Map(rows.map((row) => [row.id, row.status_limits]));
  },
  async siteCounts(dispatchIds, { accountId = null, siteId = null }) {
    const { rows } = await db.query<Row<"dispatch_sites", "dispatch_id"> & { readonly sites: number }>(
      `select dispatch_id, count(*)::int as sites from dispatch_sites as called
       where dispatch_id = any($1) and ${IS_WANTED} group by dispatch_id`,
      [dispatchIds, accountId, siteId],
    );
    return new Map(rows.map((row) => [row.dispatch_id, row.sites]));
  },
  async sites(of, { accountId = null, siteId = null }) {
    const { rows } = await db.query<SiteRow>(
      `select called.dispatch_id, called.site_id, called.account_id, called.name, called.commitment_kw, latest.summary
       from unnest($1::text[], $4::int[]) as asked (dispatch_id, version)
       join dispatch_sites as called on called.dispatch_id = asked.dispatch_id
       left join lateral (
         select summary from performance_results as kept
         where kept.dispatch_id = called.dispatch_id and kept.site_id = called.site_id and kept.version <= asked.version
         order by kept.version desc limit 1
       ) as latest on true
       where ${IS_WANTED} order by called.position`,
      [of.map(({ dispatchId }) => dispatchId), accountId, siteId, of.map(({ version }) => version)],
    );
    const sites = grouped(rows, ({ dispatch_id }) => dispatch_id);
    return new Map([...sites].map(([id, called]) => [id, called.map(siteFrom)]));
  },
});

const siteFrom = (row: SiteRow): StandingSite => ({
  siteId: row.site_id,
  accountId: row.account_id,
  name: row.name,
  commitmentKw: row.commitment_kw,
  result: row.summary === null ? null : decodeSummary(row.summary),
});

/** Ended, voided, or cancelled after the start; $4 is now. */
const IS_OVER = `start_time < $4 and (case when authorized then end_time < $4
  else void_reason is not null or changed_at > start_time end)`;

/** Participants' own tests are tests, too. */
const TESTS = { included: "true", excluded: "not test", only: "test" } as const;
const DIRECTION = { newest: "desc", oldest: "asc" } as const;

const DAY_MS = 86_400_000;
/** No zone is further than this from UTC. */
const FARTHEST_MS = 15 * 3_600_000;
const momentOf = (day: string | undefined, offsetMs: number): Date | null =>
  day === undefined ? null : new Date(Date.parse(`${day}T00:00:00Z`) + offsetMs);

/** A page ends early at this many sites, whose summaries are some twenty megabytes; a single dispatch may have more. */
const MOST_SITES_A_PAGE = 20_000;

const placeOf = (after: StartPlace | null): readonly [start: Date | null, id: string | null] =>
  after === null ? [null, null] : [new Date(after.startMs), after.id];

/** The place of the last row that is shown, if there are more. */
const nextOf = (rows: readonly CountedRow[], shown: readonly CountedRow[]): StartPlace | null => {
  const last = shown.at(-1);
  return last !== undefined && rows.length > shown.length ? { startMs: last.start_ms, id: last.id } : null;
};
