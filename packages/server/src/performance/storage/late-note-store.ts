import { IS_EVENT, IS_SELF_MADE } from "../../dispatch/storage/dispatch-conditions.js";
import { type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { readAll } from "../../platform/database/read.js";
import { DAY_MS } from "../../platform/period.js";
import { periodOf } from "../../portfolio/operations/local-month.js";
import { LONGEST_WAIT_MS, QUIET_MS } from "../domain/correction-due.js";
import type { LateNote, LateNoteStore, LateSpan } from "../operations/late-ports.js";
import { CONCERNED_FROM, KNOWN_FROM } from "./correction-store.js";

const noteRow = selection("late_notes", ["seq", "site", "reason", "dispatch_id", "from_at", "noted_at"]);

const noteFrom = ({ from_at, noted_at, ...row }: RowOf<typeof noteRow>): LateNote => ({
  seq: row.seq,
  site: row.site,
  reason: row.reason as LateNote["reason"],
  dispatchId: row.dispatch_id,
  fromMs: from_at.getTime(),
  notedMs: noted_at.getTime(),
});

/** A note of an upload that did not end is seen to all the same; it was killed, or it notes its readings again. */
const ABANDONED = "interval '2 minutes'";

const NOW = "$1::timestamptz";
const seconds = (ms: number): string => `interval '${ms / 1000} seconds'`;

/**
 * Widens the open notes of sites and reasons, or makes them. $1 is now. In order, so that no two wait for each other.
 *
 * @param changed rows of `site`, `from_at`, `to_at`, `dispatch_id`, `actor` and `note`, of one for a site
 */
const noted = (reason: LateNote["reason"], changed: string): string => `
  insert into late_notes (site, reason, from_at, to_at, dispatch_id, actor, note, first_noted_at, noted_at, settled_at, due_at)
  select site, '${reason}', from_at, to_at, dispatch_id, actor, note, ${NOW}, ${NOW}, ${NOW}, ${NOW} + ${seconds(QUIET_MS)}
  from (${changed}) as changed (site, from_at, to_at, dispatch_id, actor, note) order by site
  on conflict (site, reason, coalesce(dispatch_id, ''), md5(coalesce(note, ''))) where settled_at is not null and found_at is null
  do update set seq = default, from_at = least(late_notes.from_at, excluded.from_at), to_at = greatest(late_notes.to_at, excluded.to_at),
    noted_at = excluded.noted_at, settled_at = excluded.settled_at,
    due_at = least(excluded.due_at, late_notes.first_noted_at + ${seconds(LONGEST_WAIT_MS)})`;

const BY_SERVICE = "null::text, null::text, null::text";
const SPANS = "unnest($2::int[], $3::timestamptz[], $4::timestamptz[]) as span (site, from_at, to_at)";

const spanColumns = (spans: readonly LateSpan[]): readonly unknown[] => [
  spans.map(({ site }) => site),
  spans.map(({ fromMs }) => new Date(fromMs)),
  spans.map(({ toMs }) => new Date(toMs)),
];

/** The start of the first dispatch from a moment on; never without any. */
const firstStart = async (db: Queryable, fromMs: number): Promise<number> => {
  const { rows } = await db.query<{ readonly first: Date | null }>(
    "select min(start_time) as first from dispatches where start_time >= $1",
    [new Date(fromMs)],
  );
  return rows[0]?.first?.getTime() ?? Number.POSITIVE_INFINITY;
};

export const lateNoteStore = (db: Queryable): LateNoteStore => ({
  async note(spans, now) {
    if (spans.length === 0) return [];
    return readAll(db, ({ seq }: { readonly seq: number }) => seq, {
      name: "note-late-spans",
      text: `insert into late_notes (site, reason, from_at, to_at, first_noted_at, noted_at, due_at)
             select site, 'corrected', from_at, to_at, ${NOW}, ${NOW}, ${NOW} + ${ABANDONED} from ${SPANS} returning seq`,
      values: [now, ...spanColumns(spans)],
    });
  },
  async settle(notes, spans, now) {
    await db.query({
      name: "settle-late-spans",
      text: `with own as (delete from late_notes where seq = any($5))
             ${noted("corrected", `select site, from_at, to_at, ${BY_SERVICE} from ${SPANS}`)}`,
      values: [now, ...spanColumns(spans), notes],
    });
  },
  async eventDaysChange({ dispatchId, from }, now) {
    await db.query(
      noted(
        "event_days",
        `with its as (select id as dispatch_id, coalesce(end_time, ${NOW}) as ended_at from dispatches where id = $2 and not ${IS_SELF_MADE})
         select distinct sites.key, $3::timestamptz, ended_at, ${BY_SERVICE}
         from its join dispatch_sites as own using (dispatch_id) join sites on sites.id = own.site_id
         join dispatch_sites as called on called.site_id = own.site_id and called.dispatch_id <> $2
         join dispatches on dispatches.id = called.dispatch_id
         where ${IS_EVENT} and start_time > $3 and ${CONCERNED_FROM} < ended_at and ${KNOWN_FROM} <= ${NOW}`,
      ),
      [now, dispatchId, from],
    );
  },
  async excludedDayChange({ siteId, date, actor, note }, now) {
    // A local day begins up to 14 hours before that of UTC, and ends up to 12 hours after it.
    await db.query(
      noted(
        "excluded_days",
        `select key, ($3::date at time zone 'UTC') - interval '14 hours', ($3::date at time zone 'UTC') + interval '36 hours',
           null, $4::text, $5::text
         from sites where id = $2`,
      ),
      [now, siteId, date, actor, note],
    );
  },
  async siteDecided({ dispatchId, siteId, actor, note }, now) {
    await db.query(
      noted(
        "decided",
        `select sites.key, start_time, start_time, dispatches.id, $4::text, $5::text
         from sites, dispatches where sites.id = $3 and dispatches.id = $2`,
      ),
      [now, dispatchId, siteId, actor, note],
    );
  },
  async rulesAdopted({ fromMonth, untilMonth, actor, note }, now) {
    // Day by day: a month may have a million sites of dispatches.
    const endMs = Math.min(periodOf(untilMonth).fromMs + 2 * DAY_MS, now.getTime() + DAY_MS);
    for (let fromMs = await firstStart(db, periodOf(fromMonth).fromMs); fromMs < endMs; fromMs += DAY_MS) {
      await db.query(
        noted(
          "rules",
          `select distinct sites.key, $6::timestamptz, $7::timestamptz, null, $4::text, $5::text
           from dispatches join dispatch_sites on dispatch_id = dispatches.id join sites on sites.id = site_id
           where start_time >= $2 and start_time < $3 and ${IS_EVENT} and not ${IS_SELF_MADE}`,
        ),
        [now, new Date(fromMs), new Date(fromMs + DAY_MS), actor, note, firstDay(fromMonth), firstDay(untilMonth)],
      );
    }
  },
  settledSince: ({ sites, dispatchIds }, since) =>
    readAll(db, noteFrom, {
      name: "late-notes-since",
      text: `select ${noteRow.columns} from late_notes where settled_at >= $3 and (site = any($1) or dispatch_id = any($2))`,
      values: [sites, dispatchIds, since],
    }),
});

const firstDay = (month: string): Date => new Date(`${month}-01T00:00:00Z`);
