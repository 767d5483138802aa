import { type CalendarName, calendarNames, VERSION } from "./calendars.js";
import { type DaysOf, daysOf } from "./days-of.js";

/** What the thread is asked. */
export type Ask = "names" | { readonly code: string; readonly years: readonly [first: number, last: number] };

/** What it answers, with the version of the library. */
export interface Answer<Asked extends Ask> {
  readonly version: string;
  readonly result: Asked extends "names" ? readonly CalendarName[] : DaysOf;
}

export const answerTo = <Asked extends Ask>(ask: Asked): Answer<Asked> => {
  const result = ask === "names" ? calendarNames() : daysOf(ask.code, ask.years);
  return { version: VERSION, result: result as Answer<Asked>["result"] };
};
