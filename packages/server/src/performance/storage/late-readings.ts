import { IS_EVENT, IS_SELF_MADE } from "../../dispatch/storage/dispatch-conditions.js";
import { type Row, type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import type { LateNote, LateReadings, LateSpan } from "../operations/measurement-ports.js";

const noteRow = selection("late_readings", ["seq", "dispatch_id", "site_id", "reason", "actor", "note"]);
type NoteRow = RowOf<typeof noteRow>;

const noteFrom = (row: NoteRow): LateNote => ({ ...noteRow.camel(row), reason: row.reason as LateNote["reason"] });

/** From when on trackers may know a dispatch. */
export const KNOWN_FROM = "start_time - interval '10 minutes'";
/** When a window may be counted back from. */
const ANCHORED_FROM = "least(start_time, notification_time)";
/** Readings from here on concern a dispatch. 375 days: the longest look-back of a method, from a window of a week. */
export const CONCERNED_FROM = `${ANCHORED_FROM} - interval '375 days'`;
/** null: open. */
export const CONCERNED_UNTIL = "end_time + interval '1 hour'";

/** Inserts notes of the spans $1 to $3 at $4. Trackers of a dispatch see readings of the last hour. */
const noting = (settledAt: string, isMissing = "true"): string =>
  `insert into late_readings (dispatch_id, site_id, noted_at, settled_at)
   select distinct dispatches.id, called.site_id, $4::timestamptz, ${settledAt}::timestamptz
   from unnest($1::int[], $2::timestamptz[], $3::timestamptz[]) as late (site, from_at, to_at)
   join sites on sites.key = late.site
   join dispatch_sites as called on called.site_id = sites.id
   join dispatches on dispatches.id = called.dispatch_id
   where ${IS_EVENT} and ${CONCERNED_FROM} <= to_at and ${KNOWN_FROM} <= $4
     and (end_time is null or ${CONCERNED_UNTIL} >= from_at)
     and (from_at < $4::timestamptz - interval '1 hour'
       or exists (select from performance_versions where dispatch_id = dispatches.id))
     and ${isMissing}
   returning seq`;

const spanColumns = (spans: readonly LateSpan[]): readonly unknown[] => [
  spans.map(({ site }) => site),
  spans.map(({ fromMs }) => new Date(fromMs)),
  spans.map(({ toMs }) => new Date(toMs)),
];

const IS_NOT_NOTED = `not exists (select from late_readings as noted
  where seq = any($5) and noted.dispatch_id = dispatches.id and noted.site_id = called.site_id)`;

export const lateReadings = (db: Queryable): LateReadings => ({
  async note(spans, now) {
    const { rows } = await db.query<Row<"late_readings", "seq">>({
      name: "note-late-readings",
      text: noting("null"),
      values: [...spanColumns(spans), now],
    });
    return rows.map(({ seq }) => seq);
  },
  async settle({ notes, missed }, now) {
    if (notes.length > 0) await db.query("update late_readings set settled_at = $2 where seq = any($1)", [notes, now]);
    if (missed.length === 0) return;
    await db.query({
      name: "note-missed-readings",
      text: noting("$4", IS_NOT_NOTED),
      values: [...spanColumns(missed), now, notes],
    });
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
  async settleAbandoned(notedBefore, now) {
    await db.query(
      "update late_readings set settled_at = $2 where handled_at is null and settled_at is null and noted_at < $1",
      [notedBefore, now],
    );
  },
  async settledSince(dispatchIds, since) {
    const { rows } = await db.query<NoteRow>(
      "select * from late_readings where dispatch_id = any($1) and settled_at >= $2",
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
