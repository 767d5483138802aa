import { IS_REHEARSAL } from "../../dispatch/storage/dispatch-conditions.js";
import { DISPATCH_COLUMNS, type DispatchRow, dispatchFromRow } from "../../dispatch/storage/dispatch-row.js";
import type { Queryable } from "../../platform/database/database.js";
import { type CalendarDispatch, MOST_SITE_NAMES } from "../domain/calendar-event.js";
import type { ReadCalendarPorts } from "../operations/read-calendar.js";

/** Events of a calendar; programs read the whole file at every look. */
const MOST_EVENTS = 500;

type CalendarRow = DispatchRow & {
  readonly site_count: number;
  readonly open_sites: number;
  readonly commitment_sum: number;
  readonly site_names: readonly string[];
};

/** Operators' calendars leave out the tests that accounts issue for themselves. */
export const calendarReader =
  (db: Queryable): ReadCalendarPorts["dispatchesOf"] =>
  async ({ accountId, programId }, { from, cancelledSince }) => {
    // Planned for the account each time: those with few dispatches are found by them. Sites are read of those on the calendar.
    const { rows } = await db.query<CalendarRow>(
      `select ${DISPATCH_COLUMNS}, called.* from (
         select * from dispatches
         where ${accountId === null ? "$1::text is null" : "id in (select dispatch_id from dispatch_sites where account_id = $1)"}
           and ($2::text is null or program_id = $2)
           and (end_time is null or end_time between $3 and 'infinity') and (authorized or changed_at >= $4)
           and ($1::text is not null or not (${IS_REHEARSAL}))
         order by start_time desc, seq desc limit ${MOST_EVENTS}
       ) as dispatches cross join lateral (
         select count(*) as site_count, count(*) filter (where commitment_kw is null) as open_sites,
           coalesce(sum(commitment_kw), 0) as commitment_sum,
           (array_agg(name order by position))[1:${MOST_SITE_NAMES}] as site_names
         from dispatch_sites
         where dispatch_id = dispatches.id and ($1::text is null or account_id = $1)
       ) as called
       order by start_time desc, seq desc`,
      [accountId, programId, from, cancelledSince],
    );
    return rows.map(fromRow);
  };

const fromRow = (row: CalendarRow): CalendarDispatch => {
  const { sites: _, ...dispatch } = dispatchFromRow(row);
  return {
    ...dispatch,
    siteCount: row.site_count,
    openSites: row.open_sites,
    commitmentKw: row.commitment_sum,
    siteNames: row.site_names,
  };
};
