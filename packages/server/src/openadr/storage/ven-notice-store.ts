import type { VenNoticeStore } from "../../dispatch/operations/dispatch-stores.js";
import { appended } from "../../platform/database/commits.js";
import type { Queryable } from "../../platform/database/database.js";
import type { DueWork } from "../../platform/database/due-work.js";
import { MISSED_INTERVALS } from "../domain/ven.js";

/** The most that one look records; rarely are more due at once. */
const NOTICES_AT_ONCE = 50;
/** A notice this late was delayed by us: VENs then have their time from its actual moment. */
const LATE_SECONDS = 5;

export const dueVenNotices: DueWork = {
  name: "notices to VENs",
  next: "select due_at from notices where noted_at is null and state <> 'dropped' order by due_at limit 1",
};

export const venNoticeStore = (db: Queryable): VenNoticeStore => ({
  async record(now) {
    // Skips rows locked by expansion, to avoid a deadlock; the next look finds them. A creation carries the last state
    // before its time, an update its own. Planned each time: a plan for few sites takes seconds for a dispatch of ten
    // thousand.
    const { rows } = await db.query<{ count: number }>({
      text: `with due as (
               select seq, dispatch_id, modification_number, due_at from notices
               where noted_at is null and state <> 'dropped' and due_at <= $1
               order by seq limit ${NOTICES_AT_ONCE} for no key update skip locked
             ), shown as (
               select due.dispatch_id, last.modification_number, last.at,
                 case when due_at < $1 - ${LATE_SECONDS} * interval '1 second' then $1 else last.at end as counts_from
               from due cross join lateral (
                 select revision.modification_number, greatest(due_at, at) as at from dispatch_revisions as revision
                 where revision.dispatch_id = due.dispatch_id
                   and (at < due_at or revision.modification_number = due.modification_number)
                 order by revision.modification_number desc limit 1
               ) as last
             ), noted as (
               update notices set noted_at = $1, disabled_accounts = array(
                 select id from accounts where disabled and id in (
                   select account_id from dispatch_sites where dispatch_id = notices.dispatch_id))
               from due where notices.seq = due.seq
             ), followed as (
               insert into journal (at, kind, subject, ref)
               select $1, 'dispatch.notified', dispatch_id, seq from due order by seq
             ), recorded as (
               insert into ven_notices
                 (dispatch_id, ven, modification_number, at, ven_id, site_ids, poll_interval_seconds, poll_by)
               select shown.dispatch_id, vens.id, modification_number, shown.at, ven_id, heard.site_ids,
                 poll_interval_seconds, counts_from + $2::int * poll_interval_seconds * interval '1 second'
               from shown
               cross join lateral (
                 select distinct account_id from dispatch_sites where dispatch_id = shown.dispatch_id) as dispatched
               join vens using (account_id)
               cross join lateral (
                 select case when vens.site_ids is not null then array(
                   select site_id from unnest(vens.site_ids) as own (site_id) join dispatch_sites using (site_id)
                   where dispatch_id = shown.dispatch_id order by position) end as site_ids) as heard
               where environment = 'production' and vens.created_at <= shown.at
                 and (deleted_at is null or deleted_at > shown.at)
                 and account_id not in (select id from accounts where disabled)
                 and (heard.site_ids is null or heard.site_ids <> '{}')
               order by vens.id
               on conflict do nothing
             )
             select count(*) as count from due`,
      values: [now, MISSED_INTERVALS],
    });
    const [{ count } = { count: 0 }] = rows;
    if (count > 0) appended(db, "dispatch.notified");
    return count === NOTICES_AT_ONCE;
  },
});
