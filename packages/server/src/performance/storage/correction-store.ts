import { IS_EVENT, IS_SELF_MADE } from "../../dispatch/storage/dispatch-conditions.js";
import { type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import type { DueWork } from "../../platform/database/due-work.js";
import { readAll } from "../../platform/database/read.js";
import type { CorrectionStore, SiteCorrection } from "../operations/late-ports.js";

const correctionRow = selection("late_corrections", [
  "seq",
  "dispatch_id",
  "site_id",
  "reason",
  "actor",
  "note",
  "first_noted_at",
  "noted_at",
]);

const correctionFrom = (row: RowOf<typeof correctionRow>): SiteCorrection => ({
  ...correctionRow.camel(row),
  reason: row.reason as SiteCorrection["reason"],
});

/** From when on trackers may know a dispatch. */
export const KNOWN_FROM = "start_time - interval '10 minutes'";
/** When a window may be counted back from. */
const ANCHORED_FROM = "least(start_time, notification_time)";
/** Readings from here on concern a dispatch. 375 days: the longest look-back of a method, from a window of a week. */
export const CONCERNED_FROM = `${ANCHORED_FROM} - interval '375 days'`;
/** Readings until then concern it, which is asked of the end: that is indexed. */
const AFTER_THE_END = "interval '1 hour'";

/** Condition on a dispatch and a note: the dispatch is in its period. */
const IS_IN_PERIOD = `(case when reason = 'rules'
  then start_time at time zone program_timezone >= from_at at time zone 'UTC'
    and start_time at time zone program_timezone < to_at at time zone 'UTC'
  else ${CONCERNED_FROM} <= to_at and (end_time is null or end_time >= from_at - ${AFTER_THE_END}) end)`;

/** When measuring ends, at the latest: the end, or when it was cancelled. */
const ENDED_AT = "least(end_time, case when not authorized then changed_at end)";

/** Condition on a dispatch: it has a result, or one may be in the making that lacks what was just noted. Now is $1. */
const MAY_HAVE_RESULT = `(exists (select from performance_versions where dispatch_id = dispatches.id)
  or ${ENDED_AT} between $1::timestamptz - interval '8 days' and $1::timestamptz - interval '1 hour')`;

/** Notes whose dispatches are found at once, and with how many corrections in the queue no more are looked for. */
const NOTES_AT_ONCE = 500;
const MOST_QUEUED = 20_000;
/** Dispatches corrected before the next are asked for. */
const DISPATCHES_AT_ONCE = 500;

/** The next note whose dispatches are to be found, or the next of those to be measured again. */
export const dueCorrections: DueWork = {
  name: "corrections",
  next: `least((select due_at from late_notes where found_at is null order by due_at limit 1),
    (select due_at from late_corrections order by due_at limit 1))`,
};

export const correctionStore = (db: Queryable): CorrectionStore => ({
  async find(now) {
    const { rows } = await db.query<{ readonly is_any: boolean }>(
      `with taken as materialized (
         update late_notes set found_at = $1, settled_at = coalesce(settled_at, $1)
         where seq in (
           select seq from late_notes where found_at is null and due_at <= $1
             and not exists (select from late_corrections offset ${MOST_QUEUED})
           order by due_at limit ${NOTES_AT_ONCE} for update skip locked)
         returning site, reason, dispatch_id as only_id, actor, note, from_at, to_at, first_noted_at, noted_at
       ), recent as materialized (
         -- Found by their end, once: looked up for each dispatch that a site ever had, they take a second where it had many.
         select * from dispatches
         where end_time is null or end_time >= (select min(from_at) - ${AFTER_THE_END} from taken)
       ), queued as (
         insert into late_corrections (dispatch_id, site_id, reason, actor, note, first_noted_at, noted_at, due_at)
         select dispatches.id, called.site_id, reason, max(taken.actor), note, min(first_noted_at), max(noted_at), $1::timestamptz
         from taken join sites on sites.key = taken.site
         join dispatch_sites as called on called.site_id = sites.id
         join recent as dispatches on dispatches.id = called.dispatch_id
         where ${IS_IN_PERIOD} and coalesce(only_id = dispatches.id, true)
           and ${IS_EVENT} and not ${IS_SELF_MADE} and ${MAY_HAVE_RESULT}
         group by dispatches.id, start_time, called.site_id, reason, note
         order by start_time, dispatches.id, called.site_id
         on conflict (dispatch_id, site_id, reason, md5(coalesce(note, ''))) do update
           set seq = default, noted_at = excluded.noted_at, due_at = least(late_corrections.due_at, excluded.due_at)
       )
       select exists (select from taken) as is_any`,
      [now],
    );
    return rows[0]?.is_any === true;
  },
  due: (now) =>
    readAll(db, correctionFrom, {
      text: `select ${correctionRow.columns} from late_corrections where dispatch_id in (
         select dispatch_id from late_corrections where due_at <= $1
         group by dispatch_id order by min(due_at), min(seq) limit ${DISPATCHES_AT_ONCE})
       order by seq`,
      values: [now],
    }),
  async postpone(corrections, until) {
    if (corrections.length === 0) return;
    await db.query("update late_corrections set due_at = $2 where seq = any($1)", [corrections, until]);
  },
  async done(corrections) {
    await db.query("delete from late_corrections where seq = any($1)", [corrections]);
  },
  async forget(foundBefore) {
    await db.query("delete from late_notes where found_at < $1", [foundBefore]);
  },
});
