export type { Answer, Ask } from "./ask.js";
export { type CalendarDay, type CalendarName, calendarNames } from "./calendars.js";
export { type DaysOf, daysOf } from "./days-of.js";
