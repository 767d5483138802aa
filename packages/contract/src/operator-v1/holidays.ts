import Type, { type Static } from "typebox";
import { CALENDAR_YEARS, CALENDAR_YEARS_AT_ONCE, CORRECTED_HOLIDAYS } from "../constants.js";
import { endpoint } from "../endpoint.js";
import { byId, date, integer, nullable, string } from "../values.js";

const code = "Code of the calendar: `NERC`, or a country, state or region by ISO 3166, such as `US`, `US-CA`, `DE-BY`";
const CalendarCode = string(`${code}.`, "US-CA");
const corrected = (description: string, example: string) =>
  Type.Array(date("A local date, YYYY-MM-DD.", example), { maxItems: CORRECTED_HOLIDAYS, description });

/** How a program's holidays are made. */
export const calendarSettings = {
  holiday_calendar: nullable(
    string(`${code}, in any case. null: the program has the list \`holidays\`, made by hand.`, "US-CA"),
  ),
  added_holidays: corrected("Local dates that count as holidays although they are not in the calendar.", "2026-07-02"),
  removed_holidays: corrected("Local dates of the calendar that do not count as holidays.", "2026-11-11"),
};

const calendarName = string("Name of the calendar in English.", "United States of America, California");
export const calendarVersion = string("Version of date-holidays, the library that the days come from.", "3.37.0");
const year = (description: string, example: number) =>
  integer(description, example, { minimum: CALENDAR_YEARS.first, maximum: CALENDAR_YEARS.last });

const CalendarName = Type.Object(
  { code: CalendarCode, name: calendarName },
  { $id: "HolidayCalendarName", description: "A calendar of public holidays." },
);

const day = {
  date: date("Local date, YYYY-MM-DD.", "2026-07-03"),
  name: string("Name in English; several holidays of a day are joined by ` / `.", "Independence Day (substitute day)"),
  local_name: string("Name in the first language of the country.", "Independence Day (substitute day)"),
};

const CalendarDay = Type.Object(day, { $id: "CalendarDay", description: "A public holiday, or its substitute day." });
export type CalendarDay = Static<typeof CalendarDay>;

const HolidayCalendar = Type.Object(
  {
    code: CalendarCode,
    name: calendarName,
    version: calendarVersion,
    from_year: year("First year.", 2026),
    to_year: year("Last year.", 2027),
    days: Type.Array(CalendarDay, { description: "Its days, in order." }),
  },
  { $id: "HolidayCalendar", description: "The days of a calendar of public holidays." },
);
export type HolidayCalendar = Static<typeof HolidayCalendar>;

const origins = ["calendar", "added", "removed"] as const;

const ProgramHoliday = Type.Object(
  {
    date: day.date,
    name: nullable(day.name, "Name in English; null: the day was added by hand."),
    local_name: nullable(day.local_name, "Name in the first language of the country; null: the day was added by hand."),
    origin: Type.Enum([...origins], {
      description: "`calendar`: from the calendar; `added`: by hand; `removed`: of the calendar, but does not count.",
    }),
  },
  { $id: "ProgramHoliday", description: "A day that counts as a holiday, or would without its removal." },
);
export type ProgramHoliday = Static<typeof ProgramHoliday>;

const CalendarDifference = Type.Object(
  { ...day, change: Type.Enum(["add", "remove"], { description: "What confirming does to the stored day." }) },
  { $id: "CalendarDifference", description: "A day that confirming would add or remove." },
);

const CalendarUpdate = Type.Object(
  {
    version: calendarVersion,
    to_year: year("Last year after confirming.", 2028),
    days: Type.Array(CalendarDifference, { description: "The days that would change, in order; from today on." }),
  },
  { $id: "CalendarUpdate", description: "What the library says now that the program does not have." },
);

const ProgramHolidays = Type.Object(
  {
    holiday_calendar: nullable(CalendarCode, "Code of the calendar; null: the list is made by hand."),
    name: nullable(calendarName, "Name of the calendar in English; null without one."),
    version: nullable(calendarVersion, "Version of date-holidays that gave the stored days; null without a calendar."),
    from_year: nullable(year("First year of the stored days.", 2025)),
    to_year: nullable(year("Last year of the stored days.", 2027)),
    days: Type.Array(ProgramHoliday, { description: "Its days, in order." }),
    update: nullable(CalendarUpdate, "What an operator may confirm; null: nothing."),
  },
  { $id: "ProgramHolidays", description: "The holidays of a program, and where they come from." },
);
export type ProgramHolidays = Static<typeof ProgramHolidays>;

export const listHolidayCalendars = endpoint({
  id: "listHolidayCalendars",
  method: "GET",
  path: "/holiday-calendars",
  tag: "Programs",
  summary: "List calendars of holidays",
  description:
    "Returns all calendars that a program may choose: `NERC`, the off-peak days of North American markets, and public holidays of countries, states and regions, from date-holidays.",
  reply: Type.Object(
    {
      items: Type.Array(CalendarName, {
        description: "`NERC`, then countries by name, each with its states and regions.",
      }),
    },
    { $id: "HolidayCalendarList", description: "Calendars of holidays." },
  ),
});

export const getHolidayCalendar = endpoint({
  id: "getHolidayCalendar",
  method: "GET",
  path: "/holiday-calendars/{code}",
  tag: "Programs",
  summary: "Preview a calendar of holidays",
  description: `Returns the days of a calendar as the library says now, of at most ${CALENDAR_YEARS_AT_ONCE} years. Public holidays only, with their substitute days. A holiday counts on the days that it covers at noon. An unknown code gets 404 that names the nearest ones.`,
  params: Type.Object({ code: CalendarCode }),
  query: Type.Object({
    from_year: Type.Optional(year("First year; default: this one.", 2026)),
    to_year: Type.Optional(year("Last year; default: the year after the first one.", 2027)),
  }),
  reply: HolidayCalendar,
});

export const getProgramHolidays = endpoint({
  id: "getProgramHolidays",
  method: "GET",
  path: "/programs/{id}/holidays",
  tag: "Programs",
  summary: "Retrieve the holidays of a program",
  description:
    "Returns the stored days with their names and origin. `update` says what the library would change: the next year, and corrections of a newer version. Days before today are never changed by it, and existing dispatches keep the days of their creation.",
  params: byId("program"),
  reply: ProgramHolidays,
});

export const confirmHolidays = endpoint({
  id: "confirmHolidays",
  method: "POST",
  path: "/programs/{id}/holidays/confirm",
  once: "within",
  tag: "Programs",
  summary: "Confirm the update of a program's holidays",
  description:
    "Stores what `update` of the program's holidays says, which the body names. If it says something else by now, the answer is 400. New dispatches use the days; existing ones keep those of their creation.",
  params: byId("program"),
  body: Type.Object({ version: calendarVersion, to_year: year("Last year, as `update` says.", 2028) }),
  reply: ProgramHolidays,
});
