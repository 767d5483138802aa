import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import type { Finding } from "../../platform/database/finding.js";

type EndingRow = Row<"programs", "id" | "name"> & { readonly year: string; readonly calendar: string | null };

/**
 * Programs in use whose holidays end before a year: from November on the next one, in the time zone of the program. A
 * baseline would take its holidays for business days.
 */
export const endingHolidays = async (db: Queryable, now: Date): Promise<Finding[]> => {
  const { rows } = await db.query<EndingRow>(
    `select id, name, holiday_calendar->>'name' as calendar, to_char(local + interval '2 months', 'YYYY') as year
     from programs cross join lateral (select $1::timestamptz at time zone timezone as local) as clock
     cross join lateral (select coalesce(holiday_calendar->>'toYear',
       (select max(date) from jsonb_array_elements_text(holidays) as date)) as last) as listed
     where last < to_char(local + interval '2 months', 'YYYY')
       and exists (select from enrolments where program_id = programs.id)
     order by seq`,
    [now],
  );
  return rows.map(({ id, name, year, calendar }) => ({
    subject: id,
    accountId: null,
    message:
      `The holidays of program ${name} (${id}) end before ${year}, so baselines would take the holidays of ${year} for ` +
      `business days. ${calendar === null ? "Add them to the program." : `Confirm those of its calendar, ${calendar}.`}`,
  }));
};
