import { alarmRule } from "../alarm-rule.js";
import { text, textOrNull } from "../facts.js";

/**
 * Programs in use whose holidays end before a year: from November on the next one, in the time zone of the program. A
 * baseline would take its holidays for business days.
 */
export const holidaysEnding = alarmRule({
  kind: "holidays_ending",
  find: `
    select id as subject, null as account_id, name, holiday_calendar->>'name' as calendar,
      to_char(local + interval '2 months', 'YYYY') as year
    from programs cross join lateral (select $1::timestamptz at time zone timezone as local) as clock
    cross join lateral (select coalesce(holiday_calendar->>'toYear',
      (select max(date) from jsonb_array_elements_text(holidays) as date)) as last) as listed
    where last < to_char(local + interval '2 months', 'YYYY')
      and exists (select from enrolments where program_id = programs.id)
    order by seq`,
  facts: { subject: text, name: text, calendar: textOrNull, year: text },
  message: ({ subject, name, calendar, year }) =>
    `The holidays of program ${name} (${subject}) end before ${year}, so baselines would take the holidays of ${year} for ` +
    `business days. ${calendar === null ? "Add them to the program." : `Confirm those of its calendar, ${calendar}.`}`,
});
