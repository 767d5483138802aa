import { IS_EVENT, IS_SELF_MADE } from "../../dispatch/storage/dispatch-conditions.js";
import { type Row, type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { DAY_MS } from "../../platform/period.js";
import { periodOf } from "../../portfolio/operations/local-month.js";
import type { LateNote, LateReadings, LateSpan } from "../operations/measurement-ports.js";

const noteRow = selection("late_readings", ["seq", "dispatch_id", "site_id", "reason", "actor", "note"]);
type NoteRow = RowOf<typeof noteRow>;

const noteFrom = (row: NoteRow): LateNote => ({ ...noteRow.camel(row), reason: row.reason as LateNote["reason"] });

/** From when on trackers may know a dispatch. */
const KNOWN_FROM = "start_time - interval '10 minutes'";
/** When a window may be counted back from. */
const ANCHORED_FROM = "least(start_time, notification_time)";
/** Readings from here on concern a dispatch. 375 days: the longest look-back of a method, from a window of a week. */
const CONCERNED_FROM = `${ANCHORED_FROM} - interval '375 days'`;
/** Readings until then concern it, which is asked of the end: that is indexed. */
const AFTER_THE_END = "interval '1 hour'";

/** Condition on a dispatch and a span: its readings concern the dispatch, and no tracker saw them. Now is `now`. */
const isConcerned = (now: string): string =>
  `${IS_EVENT} and ${CONCERNED_FROM} <= to_at and ${KNOWN_FROM} <= ${now}
     and (end_time is null or end_time >= from_at - ${AFTER_THE_END})
     and (from_at < first_noted_at - interval '1 hour'
       or exists (select from performance_versions where dispatch_id = dispatches.id))`;

const spanColumns = (spans: readonly LateSpan[]): readonly unknown[] => [
  spans.map(({ site }) => site),
  spans.map(({ fromMs }) => new Date(fromMs)),
  spans.map(({ toMs }) => new Date(toMs)),
];

const insertSpans = async (db: Queryable, spans: readonly LateSpan[], now: Date): Promise<number[]> => {
  if (spans.length === 0) return [];
  const { rows } = await db.query<Row<"late_spans", "seq">>({
    name: "note-late-spans",
    text: `insert into late_spans (site, from_at, to_at, first_noted_at, noted_at)
           select *, $4::timestamptz, $4::timestamptz from unnest($1::int[], $2::timestamptz[], $3::timestamptz[]) returning seq`,
    values: [...spanColumns(spans), now],
  });
  return rows.map(({ seq }) => seq);
};

/** The spans take in those of their sites that are settled and not seen to: a site has one, however often it is noted. */
const SETTLE = `
  with absorbed as (
    delete from late_spans where seq in (
      select old.seq from late_spans as old join late_spans as own on own.site = old.site and own.seq > old.seq
      where own.seq = any($1) and old.settled_at is not null for update of old skip locked)
    returning site, from_at, to_at, first_noted_at
  ), wider as (
    select site, min(from_at) as from_at, max(to_at) as to_at, min(first_noted_at) as first_noted_at from absorbed group by site
  )
  update late_spans set settled_at = $2, from_at = least(late_spans.from_at, wider.from_at),
    to_at = greatest(late_spans.to_at, wider.to_at),
    first_noted_at = least(late_spans.first_noted_at, wider.first_noted_at)
  from unnest($1::bigint[]) as own (own_seq) join late_spans as noted on noted.seq = own_seq left join wider on wider.site = noted.site
  where late_spans.seq = own_seq`;

/** Spans are seen to once none is newer than $1, or one is older than $2: corrections come in many uploads. */
const ARE_DUE = `(not exists (select from late_spans where noted_at > $1)
    or exists (select from late_spans where first_noted_at <= $2))`;

/** The start of the first dispatch from a moment on; never without any. */
const firstStart = async (db: Queryable, fromMs: number): Promise<number> => {
  const { rows } = await db.query<{ readonly first: Date | null }>(
    "select min(start_time) as first from dispatches where start_time >= $1",
    [new Date(fromMs)],
  );
  return rows[0]?.first?.getTime() ?? Number.POSITIVE_INFINITY;
};

export const lateReadings = (db: Queryable): LateReadings => ({
  note: (spans, now) => insertSpans(db, spans, now),
  async settle({ notes, missed }, now) {
    const added = await insertSpans(db, missed, now);
    if (notes.length + added.length === 0) return 0;
    const { rowCount } = await db.query({
      name: "settle-late-spans",
      text: SETTLE,
      values: [[...notes, ...added], now],
    });
    return (rowCount ?? 0) - added.length;
  },
  async areSpansDue(quietSince, waitingSince) {
    const { rows } = await db.query<{ readonly are_due: boolean }>({
      name: "late-spans-due",
      text: `select exists (select from late_spans where settled_at is not null) and ${ARE_DUE} as are_due`,
      values: [quietSince, waitingSince],
    });
    return rows[0]?.are_due === true;
  },
  async findConcerned(now) {
    await db.query(
      `with taken as (
         delete from late_spans where seq in (select seq from late_spans where settled_at is not null for update skip locked)
         returning site, from_at, to_at, first_noted_at
       ), recent as materialized (
         -- Found by their end, once: looked up for each dispatch that a site ever had, they take a second where it had many.
         select * from dispatches
         where end_time is null or end_time >= (select min(from_at) - ${AFTER_THE_END} from taken)
       )
       insert into late_readings (dispatch_id, site_id, noted_at, settled_at)
       select dispatches.id, called.site_id, min(first_noted_at), $1::timestamptz
       from taken join sites on sites.key = taken.site
       join dispatch_sites as called on called.site_id = sites.id
       join recent as dispatches on dispatches.id = called.dispatch_id
       where ${isConcerned("$1::timestamptz")} and not exists (
         select from late_readings as known
         where known.dispatch_id = dispatches.id and known.site_id = called.site_id and handled_at is null and reason = 'corrected')
       group by dispatches.id, called.site_id`,
      [now],
    );
  },
  async eventDaysChange({ dispatchId, from }, now) {
    // Settled at once: no readings will be written.
    await db.query(
      `with its as (select id as dispatch_id, coalesce(end_time, $2) as ended_at from dispatches where id = $1 and not ${IS_SELF_MADE})
       insert into late_readings (dispatch_id, site_id, noted_at, settled_at, reason)
       select dispatches.id, called.site_id, $2::timestamptz, $2::timestamptz, 'event_days'
       from its join dispatch_sites as own using (dispatch_id)
       join dispatch_sites as called on called.site_id = own.site_id and called.dispatch_id <> $1
       join dispatches on dispatches.id = called.dispatch_id
       where ${IS_EVENT} and start_time > $3 and ${CONCERNED_FROM} < ended_at
         and start_time <= $2::timestamptz + interval '10 minutes'`,
      [dispatchId, now, from],
    );
  },
  async excludedDayChange({ siteId, date, actor, note }, now) {
    // Settled at once, likewise. A local day begins up to 14 hours before that of UTC.
    await db.query(
      `insert into late_readings (dispatch_id, site_id, noted_at, settled_at, reason, actor, note)
       select dispatches.id, site_id, $3::timestamptz, $3::timestamptz, 'excluded_days', $4, $5
       from dispatch_sites join dispatches on dispatches.id = dispatch_id
       where site_id = $1 and ${IS_EVENT} and ${KNOWN_FROM} <= $3::timestamptz
         and start_time >= ($2::date at time zone 'UTC') - interval '14 hours'
         and ${CONCERNED_FROM} < ($2::date at time zone 'UTC') + interval '2 days'`,
      [siteId, date, now, actor, note],
    );
  },
  async siteDecided({ dispatchId, siteId, actor, note }, now) {
    // Settled at once, likewise.
    await db.query(
      `insert into late_readings (dispatch_id, site_id, noted_at, settled_at, reason, actor, note)
       values ($1, $2, $3, $3, 'decided', $4, $5)`,
      [dispatchId, siteId, now, actor, note],
    );
  },
  async rulesAdopted({ fromMonth, untilMonth, actor, note }, now) {
    // Settled at once, likewise. Day by day: a month may have a million sites of dispatches.
    const endMs = Math.min(periodOf(untilMonth).fromMs + 2 * DAY_MS, now.getTime() + DAY_MS);
    for (let fromMs = await firstStart(db, periodOf(fromMonth).fromMs); fromMs < endMs; fromMs += DAY_MS) {
      await db.query(
        `insert into late_readings (dispatch_id, site_id, noted_at, settled_at, reason, actor, note)
         select dispatches.id, site_id, $5::timestamptz, $5::timestamptz, 'rules', $6, $7
         from dispatches join dispatch_sites on dispatch_id = dispatches.id
         where start_time >= $1 and start_time < $2 and ${IS_EVENT} and not ${IS_SELF_MADE} and ${KNOWN_FROM} <= $5::timestamptz
           and to_char(start_time at time zone program_timezone, 'YYYY-MM') >= $3
           and to_char(start_time at time zone program_timezone, 'YYYY-MM') < $4`,
        [new Date(fromMs), new Date(fromMs + DAY_MS), fromMonth, untilMonth, now, actor, note],
      );
    }
  },
  async settleAbandoned(notedBefore, now) {
    await db.query(
      "update late_readings set settled_at = $2 where handled_at is null and settled_at is null and noted_at < $1",
      [notedBefore, now],
    );
    await db.query("update late_spans set settled_at = $2 where settled_at is null and noted_at < $1", [
      notedBefore,
      now,
    ]);
  },
  async settledSince(dispatchIds, since) {
    const { rows } = await db.query<NoteRow>(
      // Of spans that no worker has seen to yet, too; their numbers are another row's, and so negative.
      `select ${noteRow.columns} from late_readings where dispatch_id = any($1) and settled_at >= $2
       union all
       select -late_spans.seq, dispatches.id, called.site_id, 'corrected', null, null
       from late_spans join sites on sites.key = late_spans.site
       join dispatch_sites as called on called.site_id = sites.id and called.dispatch_id = any($1)
       join dispatches on dispatches.id = called.dispatch_id
       where settled_at >= $2 and ${isConcerned("settled_at")}`,
      [dispatchIds, since],
    );
    return rows.map(noteFrom);
  },
  async due(quietSince, waitingSince) {
    const { rows } = await db.query<NoteRow>(
      `select * from (
         select *, max(noted_at) over (partition by dispatch_id) as newest, min(noted_at) over (partition by dispatch_id) as oldest
         from late_readings where handled_at is null and settled_at is not null
       ) as waiting where newest <= $1 or oldest <= $2 order by seq limit 10000`,
      [quietSince, waitingSince],
    );
    return rows.map(noteFrom);
  },
  async handled(notes, now) {
    await db.query("update late_readings set handled_at = $2 where seq = any($1)", [notes, now]);
  },
  async forget(handledBefore) {
    await db.query("delete from late_readings where handled_at < $1", [handledBefore]);
  },
});
