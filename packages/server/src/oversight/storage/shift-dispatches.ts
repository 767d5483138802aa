import { IS_REHEARSAL, SITE_SUMS } from "../../dispatch/storage/dispatch-conditions.js";
import { successesOf } from "../../notification/storage/owed-store.js";
import { STANDING_COLUMNS, type StandingDispatchRow, standingFrom } from "../../performance/storage/standing-reader.js";
import { camel, type Snake } from "../../platform/database/camel.js";
import type { Queryable } from "../../platform/database/database.js";
import { readAll, readMap } from "../../platform/database/read.js";
import type { DispatchFacts, ShiftCandidate, ShiftReader } from "../operations/shift-ports.js";

type CandidateRow = Snake<Omit<ShiftCandidate, "start" | "end">> & {
  readonly start_time: Date;
  readonly end_time: Date | null;
};

const candidateFrom = (row: CandidateRow): ShiftCandidate => {
  const { startTime: start, endTime: end, ...candidate } = camel(row);
  return { ...candidate, start, end };
};

// As of its last revision before the end of the shift. Two ends of a range: see `dispatch-conditions.ts`.
const CANDIDATES = `
  with touched as materialized (
    select dispatch_id as id, count(*)::int as modifications, bool_or(modification_number = 0) as issued
    from dispatch_revisions where at >= $1 and at < $2 group by dispatch_id
  ), candidate as (
    select id from touched
    union
    select id from dispatches where start_time < $2 and (end_time is null or end_time between $1 and 'infinity')
  )
  select dispatches.id, revision.modification_number, revision.start_time, revision.end_time, revision.authorized,
    not revision.authorized and void_reason is not null as is_void,
    coalesce(modifications, 0) as modifications, coalesce(issued, false) as issued
  from candidate join dispatches using (id) left join touched using (id) cross join lateral (
    select modification_number, start_time, end_time, authorized from dispatch_revisions
    where dispatch_id = dispatches.id and at < $2 order by modification_number desc limit 1
  ) as revision
  where not ${IS_REHEARSAL} order by revision.start_time, seq`;

const STARTING = `
  select id, modification_number, start_time, end_time, authorized, false as is_void, 0 as modifications, false as issued,
    count(*) over () as all
  from dispatches where authorized and start_time >= $1 and start_time < $2 and not ${IS_REHEARSAL}
  order by start_time, seq limit $3`;

type FactsRow = StandingDispatchRow & { readonly site_count: number; readonly commitment_kw: number };

const factsFrom = (row: FactsRow): readonly [string, DispatchFacts] => [
  row.id,
  {
    standing: standingFrom(row),
    sites: row.site_count,
    commitmentKw: row.commitment_kw,
  },
];

// Accounts that are disabled are counted nowhere.
const NOTIFIED = `
  with asked as materialized (
    select * from unnest($1::text[], $2::int[]) as asked (dispatch_id, modification_number)
  ), success as materialized (
    select distinct each.dispatch_id, account_id from (${successesOf("$1")}) as each join asked on asked.dispatch_id = each.dispatch_id
    where each.modification_number >= asked.modification_number and coalesce(each.at < $3, true)
  ), called as materialized (
    select distinct dispatch_id, account_id from dispatch_sites join accounts on accounts.id = account_id
    where dispatch_id = any($1) and not disabled
  )
  select dispatches.id, count(*)::int as accounts,
    case when is_record then null else count(success.account_id)::int end as accounts_notified
  from called join dispatches on dispatches.id = dispatch_id left join success using (dispatch_id, account_id)
  group by dispatches.id`;

type NotifiedRow = {
  readonly id: string;
  readonly accounts: number;
  readonly accounts_notified: number | null;
};

type Dispatches = Pick<ShiftReader, "candidates" | "facts" | "notified" | "starting">;

export const shiftDispatches = (db: Queryable): Dispatches => ({
  candidates: ({ from, to }) =>
    readAll(db, candidateFrom, { name: "shift-dispatches", text: CANDIDATES, values: [from, to] }),
  facts: (ids) =>
    readMap(db, factsFrom, {
      name: "shift-dispatch-facts",
      text: `select ${STANDING_COLUMNS}, ${SITE_SUMS} from dispatches where id = any($1)`,
      values: [ids],
    }),
  async notified(dispatches, by) {
    if (dispatches.length === 0) return new Map();
    return readMap(db, ({ id, ...counts }: NotifiedRow) => [id, camel(counts)] as const, {
      name: "shift-notified",
      text: NOTIFIED,
      values: [dispatches.map(({ id }) => id), dispatches.map((each) => each.modificationNumber), by],
    });
  },
  async starting({ from, to }, limit) {
    const { rows } = await db.query<CandidateRow & { readonly all: number }>({
      name: "shift-next",
      text: STARTING,
      values: [from, to, limit],
    });
    return { count: rows[0]?.all ?? 0, items: rows.map(({ all: _all, ...row }) => candidateFrom(row)) };
  },
});
